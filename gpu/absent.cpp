// Replaces the CUDA engine in builds without a CUDA compiler.

#include "core/support/error.hpp"
#include "gpu/engine.hpp"
#include "gpu/foreign.hpp"
#include "gpu/limits.hpp"

namespace kg::gpu {

namespace {

constexpr const char* kReason =
    "this program was built without CUDA; install its compiler with scripts/setup --cuda and build again";

Unavailable absent() { return {"built-without-cuda", kReason}; }

class AbsentEngine final : public Engine {
public:
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return kReason; }
    std::shared_ptr<Buffer> allocate(std::size_t, BufferKind) override { throw absent(); }
    std::unique_ptr<Queue> queue(Priority) override { throw absent(); }
    std::span<const Algorithm* const> algorithms() const override { return {}; }

private:
    DeviceInfo info_{"cuda", "none", "not built", 0, 0};
};

} // namespace

std::shared_ptr<Engine> make_engine(int, std::size_t) { return std::make_shared<AbsentEngine>(); }
bool is_cuda(const Engine& engine) { return dynamic_cast<const AbsentEngine*>(&engine) != nullptr; }
bool has_driver() { return false; }
bool is_started() { return false; }
int device_count() { return 0; }
std::span<const Algorithm* const> algorithms() { return {}; }
std::span<const Algorithm* const> signal_algorithms() { return {}; }
std::span<const Algorithm* const> bank_algorithms() { return {}; }
std::span<const Algorithm* const> volume_algorithms() { return {}; }

int device_of_memory(const void*) { throw absent(); }
std::shared_ptr<Buffer> borrow(Engine&, void*, std::size_t) { throw absent(); }
Completion work_on(Engine&, void*) { throw absent(); }
void let_wait(Engine&, void*, const Completion&) { throw absent(); }

std::span<const Algorithm* const> copies() { return {}; }
std::shared_ptr<const Plan> multiply_adds(const Engine&, std::int64_t) { throw absent(); }
double multiply_adds_per_round(const Engine&) { throw absent(); }
std::size_t cache_bytes(const Engine&) { return 0; }
std::string pci_bus_id(const Engine&) { return {}; }

} // namespace kg::gpu
