#pragma once
// The flags that commands on tensors share: `signal`, `bank` and `volume`.

#include "app/process/engine/engines.hpp"
#include "core/image/border.hpp"

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace kg {

/// Adds --border to the group "Sums". `set` takes the border, and the number outside under `constant`, which
/// is 0 under others. Throws Error for other words.
void add_tensor_border(CLI::App& app, const std::string& help,
                       const std::function<void(Border, double)>& set);

/// Adds --engine, --algorithm, --device, --threads and --verify. `algorithms` lists the ids.
void add_tensor_algorithm(CLI::App& app, EngineOptions& engine, bool& verify, const std::string& engine_help,
                          const std::string& algorithms);

} // namespace kg
