// Replaces interop in builds without CUDA: the probe fails at its first stage, the rest is never reached.

#include "display/interop/interop.hpp"

namespace kg::display {

namespace {

Failure not_built() {
    return {InteropStage::device, "This program was built without CUDA",
            "Install its compiler with scripts/setup --cuda and build again"};
}

} // namespace

void probe_interop(const std::shared_ptr<Engine>&, InteropStages&) { throw StageError(not_built()); }
// NOLINTNEXTLINE(performance-unnecessary-value-param): the CUDA build keeps it
std::unique_ptr<Presentation> make_interop(std::shared_ptr<Engine>, InteropStages&, std::int64_t) {
    throw StageError(not_built());
}
bool same_device(Engine&, Engine&) { return false; }
std::optional<int> drawing_device() { return {}; }
int live_registrations() { return 0; }
std::uint64_t registrations_made() { return 0; }

} // namespace kg::display
