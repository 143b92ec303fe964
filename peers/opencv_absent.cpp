// Replaces the peer OpenCV in builds without it.

#include "peers/peers.hpp"

namespace kg::peers {

namespace {

std::string opencv_not_built() {
    return "this build is without OpenCV; the program kernelglass compares with it";
}
std::string no_version() { return {}; }

} // namespace

extern const Peer kOpencv;
const Peer kOpencv{"opencv", "OpenCV", "cpu", opencv_not_built, no_version, {}};

} // namespace kg::peers
