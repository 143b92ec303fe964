#include "library/version.hpp"

namespace kg {

std::string_view version() { return KERNELGLASS_VERSION; }

} // namespace kg
