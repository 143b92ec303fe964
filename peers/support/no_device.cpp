// Replaces device.cu in builds without a CUDA compiler.

#include "core/support/error.hpp"
#include "peers/support/device.hpp"

namespace kg::peers {

std::string why_no_cuda() {
    return "this program was built without CUDA; install its compiler with scripts/setup --cuda and build "
           "again";
}

DeviceFacts facts_of(const Engine&) { throw Unavailable(why_no_cuda()); }
void* stream_of(Queue&) { throw Unavailable(why_no_cuda()); }
unsigned stream_flags_of(Queue&) { throw Unavailable(why_no_cuda()); }
std::byte* address_of(const BufferView&) { throw Unavailable(why_no_cuda()); }
void copy_rows(Queue&, Rows, Rows, std::size_t, std::int64_t) { throw Unavailable(why_no_cuda()); }
void extend(Queue&, const BufferView&, Border, const Reach&, const Planes&) {
    throw Unavailable(why_no_cuda());
}
void finish(Queue&, const Planes&, float, float, const BufferView&) { throw Unavailable(why_no_cuda()); }
void multiply_by_conjugate(Queue&, float*, int, const float*, std::int64_t, float) {
    throw Unavailable(why_no_cuda());
}

} // namespace kg::peers
