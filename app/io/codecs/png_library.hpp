#pragma once
// libpng's way of reporting what went wrong, for the reader and the writer.

#include "core/error.hpp"

#include <csetjmp>
#include <cstdio>
#include <string>

#include <png.h>

namespace kg::io {

struct PngFailure {
    char text[200] = "";
};

/// The error handler of a png_structp whose error pointer is a PngFailure.
[[noreturn]] inline void on_png_error(png_structp png, png_const_charp text) {
    auto& failure = *static_cast<PngFailure*>(png_get_error_ptr(png));
    std::snprintf(failure.text, sizeof failure.text, "%s", text);
    png_longjmp(png, 1);
}

/// Throws Error where libpng fails. It leaves by longjmp: `work` must have nothing to destroy.
template <typename Work>
void guarded(png_structp png, const PngFailure& failure, Work work) {
    if (setjmp(png_jmpbuf(png))) throw Error("it is damaged: " + std::string(failure.text));
    work();
}

} // namespace kg::io
