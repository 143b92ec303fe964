#pragma once
// The value of --shard: the share of a batch that this process takes.

#include "app/batch/plan/plan.hpp"

#include <functional>
#include <optional>
#include <string>

namespace kg {

/// A variable of the environment; empty if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> environment_variable(const std::string& name);

/// "2/4" for the second of four, or "auto" for the share of a task of a Slurm job array: that of the k-th of
/// its indices is k/N, whatever index is the first and however far they are apart. The share of a task that
/// Slurm starts again is therefore the same. Throws Error for other text, and for auto outside an array or
/// in one whose indices are listed, so that a task cannot know its place among them.
batch::Shard parse_shard(const std::string& text, const Environment& variable = environment_variable);

} // namespace kg
