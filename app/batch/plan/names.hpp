#pragma once
// What outputs are called: a template such as {dir}/{stem}{ext}.

#include "app/batch/plan/inputs.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kg::batch {

inline constexpr std::string_view kDefaultTemplate = "{dir}/{stem}{ext}";

class NameTemplate {
public:
    /// {dir} the path below the given folder, {stem} the name without its ending, {ext} the ending of the format that is
    /// written, with its dot, {recipe}, {index} counting from 1. Without {ext} the ending stands in the text, or is added.
    /// Throws Error for other words in braces, and for names that would leave the output folder.
    explicit NameTemplate(std::string text = std::string(kDefaultTemplate));

    struct Values {
        std::filesystem::path folder;
        std::string stem, ending, recipe, index;
    };
    std::filesystem::path name(const Values& values) const;

private:
    struct Part {
        std::string text;   ///< as it stands
        std::string word{}; ///< or the name of a value
    };
    std::vector<Part> parts_;
};

/// The ending that an output has: that of `format` (an id or ending) where one is named, else the input's own. A format that
/// is read but not written gets its nearest: .pgm for .pbm.
std::string output_ending(const std::string& input_ending, const std::string& format);

/// Names of all outputs relative to the output folder, in the order of the inputs. Throws Error if two inputs would have the
/// same one.
std::vector<std::filesystem::path> output_names(const std::vector<Input>& inputs, const NameTemplate& name,
                                                const std::string& format, const std::string& recipe);

} // namespace kg::batch
