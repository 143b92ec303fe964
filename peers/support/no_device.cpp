// Replaces device.cu in builds without a CUDA compiler.

#include "core/support/error.hpp"
#include "peers/support/device.hpp"

namespace kg::peers {

namespace {

Unavailable absent() {
    return {"built-without-cuda",
            "this program was built without CUDA; install its compiler with scripts/setup --cuda and build "
            "again"};
}

} // namespace

std::string why_no_cuda() { return absent().what(); }

DeviceFacts facts_of(const Engine&) { throw absent(); }
void* stream_of(Queue&) { throw absent(); }
unsigned stream_flags_of(Queue&) { throw absent(); }
std::byte* address_of(const BufferView&) { throw absent(); }
void copy_rows(Queue&, Rows, Rows, std::size_t, std::int64_t) { throw absent(); }
void extend(Queue&, const BufferView&, Border, const Reach&, const Planes&) { throw absent(); }
void finish(Queue&, const Planes&, float, float, const BufferView&) { throw absent(); }
void multiply_by_conjugate(Queue&, float*, int, const float*, std::int64_t, float) { throw absent(); }

} // namespace kg::peers
