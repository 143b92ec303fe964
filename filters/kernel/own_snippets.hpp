#pragma once
// A step of a recipe as a call of this program.

#include "filters/kernel/snippets.hpp"

namespace kg {

/// A command for a POSIX shell, from in.png to out.png. A kernel above 49 weights goes through a file, as in
/// copied commands.
std::string shell_snippet(const Step& step, const SnippetContext& context);

/// The function `filtered(image)` that runs the program through pipes: integers as one PAM file, floats as a
/// PFM file for each channel.
std::string python_snippet(const Step& step, const SnippetContext& context);

} // namespace kg
