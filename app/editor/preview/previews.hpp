#pragma once
// Thumbnails of every preset applied to the open image. They filter a shrunken copy, which differs from
// filtering the image: good for choosing a preset, not for judging it.

#include "app/editor/document/preset_list.hpp"
#include "app/editor/worker/result.hpp"
#include "app/process/engine/engines.hpp"

#include <functional>

namespace kg {

/// One task per preset of the list, each returning a Previewed of this version. The tasks share the shrunken
/// copy, so they must run in one thread. A task for an image that has no other owner does nothing.
std::vector<std::function<Event()>> preview_tasks(const EngineChoice& choice,
                                                  const std::shared_ptr<const LoadedImage>& image,
                                                  const PresetList& list);

} // namespace kg
