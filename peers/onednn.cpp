// oneDNN on the CPU, opened at run time.

#include "peers/onednn/binding.hpp"
#include "peers/peers.hpp"

namespace kg::peers {

extern const Algorithm kOnednnConvolution;

namespace {

using namespace onednn;

constexpr const Algorithm* kBanks[] = {&kOnednnConvolution};

std::string absent() { return library().absent(); }
std::string version() {
    const auto& v = *calls().version();
    return std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
}

} // namespace

extern const Peer kOnednn{"onednn", "oneDNN", "cpu", absent, version, {}, true, {}, {}, kBanks};

} // namespace kg::peers
