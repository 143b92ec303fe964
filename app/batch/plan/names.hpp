#pragma once
// Names of outputs by a template such as {dir}/{stem}{ext}.

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
    /// {dir} is the path below the given folder, {stem} the name without its extension, {ext} the extension
    /// of the written format with its dot, {recipe} the name of the recipe, {index} a counter from 1. Without
    /// {ext} the extension is part of the text, or is appended. Throws Error for other words in braces, and
    /// for names outside the output folder.
    explicit NameTemplate(std::string_view text = kDefaultTemplate);

    struct Values {
        std::filesystem::path folder;
        std::string stem, extension, recipe, index;
    };
    std::filesystem::path name(const Values& values) const;

private:
    struct Token {
        std::string text;   ///< literal text
        std::string word{}; ///< or the name of a value
    };
    std::vector<Token> tokens_;
};

/// The extension of an output: that of `format` (an id or extension) if one is given, else the input's own. A
/// format that is read but not written maps to the nearest one: .pgm for .pbm.
std::string output_extension(const std::string& input_extension, const std::string& format);

/// Names of all outputs relative to the output folder, in the order of the inputs. Throws Error if two inputs
/// map to the same name.
std::vector<std::filesystem::path> output_names(const std::vector<Input>& inputs, const NameTemplate& name,
                                                const std::string& format, const std::string& recipe);

} // namespace kg::batch
