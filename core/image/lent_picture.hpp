#pragma once
// A picture that lies in host memory as a buffer of the engines that compute there, without a copy.

#include "core/plan/engine.hpp"

#include <memory>

namespace kg {

/// The pixels in place; `owner` keeps them alive. Only for engines whose buffers have host(): the CPU's. Work on such an engine
/// reads sources only, so a picture that must not change may be lent as one.
BufferView lent_picture(const ConstImageView& pixels, std::shared_ptr<const void> owner);

} // namespace kg
