#include "app/cli/flags/tensor_flags.hpp"

#include "app/cli/flags/engine_flags.hpp"
#include "app/cli/flags/switches.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <CLI/CLI.hpp>

#include <vector>

namespace kg {

void add_tensor_border(CLI::App& app, const std::string& help,
                       const std::function<void(Border, double)>& set) {
    add_value(app, "--border", "zero|replicate|reflect|reflect101|wrap|constant=NUMBER", help,
              [set](const std::string& word) {
                  constexpr std::string_view kConstant = "constant=";
                  if (word.starts_with(kConstant))
                      return set(Border::constant,
                                 parse_number(word.substr(kConstant.size()), "--border constant"));
                  std::vector<std::string_view> names;
                  for (const auto border : kBorders) {
                      if (name(border) == word) return set(border, 0);
                      names.push_back(name(border));
                  }
                  names.push_back("constant=NUMBER");
                  throw Error("bad-value", "--border must be one of {}, not {}", listed(names),
                              in_quotes(word));
              })
        ->group("Sums");
}

void add_tensor_algorithm(CLI::App& app, EngineOptions& engine, bool& verify, const std::string& engine_help,
                          const std::string& algorithms) {
    constexpr auto kAlgorithm = "Algorithm";
    add_engine(app, engine, engine_help);
    add_value(app, "--algorithm", "ID",
              "Use this algorithm: " + algorithms + " (default: the one predicted fastest)",
              [&engine](const std::string& word) { engine.algorithm = word; })
        ->group(kAlgorithm);
    add_device(app, engine);
    add_threads(app, engine);
    app.add_flag("--verify", verify, "Compare all outputs with the reference before writing them")
        ->group(kAlgorithm);
}

} // namespace kg
