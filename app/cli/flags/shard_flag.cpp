#include "app/cli/flags/shard_flag.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace kg {

namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || after != text.data() + text.size()) return {};
    return value;
}

/// A variable that Slurm sets for the tasks of an array.
std::uint64_t array_variable(const Environment& variable, const std::string& name) {
    const auto text = variable(name);
    if (!text)
        throw Error("no-job-array",
                    "--shard auto is for tasks of a Slurm job array, and {} is not set; submit with `sbatch "
                    "--array=1-4`, or name the share, such as --shard 2/4",
                    name);
    const auto number = whole_number(*text);
    if (!number)
        throw Error("bad-job-array",
                    "--shard auto needs a whole number in {}, not {}; name the share, such as --shard 2/4",
                    name, in_quotes(*text));
    return *number;
}

batch::Shard shard_of_array(const Environment& variable) {
    const auto read = [&](const std::string& name) {
        return array_variable(variable, "SLURM_ARRAY_TASK_" + name);
    };
    const auto id = read("ID"), first = read("MIN"), last = read("MAX"), step = read("STEP"),
               count = read("COUNT");
    if (step < 1 || id < first || id > last || (id - first) % step != 0 || (last - first) / step + 1 != count)
        throw Error("uneven-job-array",
                    "--shard auto needs an array whose indices are equally far apart, as in `sbatch "
                    "--array=1-4`; this one has {} from {} to {}, so name the share, such as --shard 2/4",
                    count, first, last);
    return {(id - first) / step + 1, count};
}

} // namespace

std::optional<std::string> environment_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
}

batch::Shard parse_shard(const std::string& text, const Environment& variable) {
    if (text == "auto") return shard_of_array(variable);
    const auto slash = text.find('/');
    const auto number = whole_number(std::string_view(text).substr(0, slash)),
               of = slash == std::string::npos ? std::nullopt
                                               : whole_number(std::string_view(text).substr(slash + 1));
    if (!number || !of || *number < 1 || *number > *of)
        throw Error("bad-value", "--shard must be I/N, such as 2/4 for the second of four, or auto, not {}",
                    in_quotes(text));
    return {*number, *of};
}

} // namespace kg
