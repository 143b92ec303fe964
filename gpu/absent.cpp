// Stands in for the CUDA engine in builds without a CUDA compiler.

#include "core/error.hpp"
#include "gpu/engine.hpp"

namespace kg::gpu {

namespace {

constexpr const char* kReason =
    "this program was built without CUDA; install its compiler with scripts/setup --cuda and build again";

class AbsentEngine final : public Engine {
public:
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return kReason; }
    std::shared_ptr<Buffer> allocate(std::size_t, BufferKind) override { throw Unavailable(kReason); }
    std::unique_ptr<Queue> queue(Priority) override { throw Unavailable(kReason); }
    std::span<const Algorithm* const> algorithms() const override { return {}; }

private:
    DeviceInfo info_{"cuda", "none", "not built", 0, 0};
};

} // namespace

std::shared_ptr<Engine> make_engine(int) { return std::make_shared<AbsentEngine>(); }
std::span<const Algorithm* const> algorithms() { return {}; }

} // namespace kg::gpu
