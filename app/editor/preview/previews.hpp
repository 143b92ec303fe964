#pragma once
// What every preset would make of the open picture, as small pictures. They are filters of a shrunken copy, which are
// other filters than those of the picture: good for choosing one, not for judging it.

#include "app/process/engines.hpp"
#include "app/editor/worker/result.hpp"
#include "filters/preset.hpp"

#include <functional>

namespace kg {

/// One errand a preset, each giving a Previewed. They share the shrunken copy, so they are to run in one thread. An errand
/// for a picture that nobody holds any more does nothing.
std::vector<std::function<Event()>> preview_errands(const EngineChoice& choice,
                                                    const std::shared_ptr<const Picture>& picture);

} // namespace kg
