#pragma once
// The flags that choose the engine, its device and its threads.

#include "app/process/engine/engines.hpp"

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace kg {

/// Add one flag each, in the group "Algorithm", which sets a member of `options`. `options` must
/// outlive the parsing.
void add_engine(CLI::App& app, EngineOptions& options, const std::string& help);
void add_device(CLI::App& app, EngineOptions& options);
void add_threads(CLI::App& app, EngineOptions& options);

} // namespace kg
