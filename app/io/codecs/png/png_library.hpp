#pragma once
// Error handling of libpng, for the reader and the writer.

#include "core/support/error.hpp"

#include <csetjmp>
#include <cstdio>
#include <exception>
#include <string>

#include <png.h>

namespace kg::io {

struct PngFailure {
    char text[200] = "";
    std::exception_ptr thrown{}; ///< by a callback of libpng
};

/// The error handler of a png_structp whose error pointer is a PngFailure.
[[noreturn]] inline void on_png_error(png_structp png, png_const_charp text) {
    auto& failure = *static_cast<PngFailure*>(png_get_error_ptr(png));
    std::snprintf(failure.text, sizeof failure.text, "%s", text);
    png_longjmp(png, 1);
}

/// Runs a callback of libpng: exceptions must not pass through it.
template <typename Work>
void called(png_structp png, PngFailure& failure, Work work) {
    try {
        work();
    } catch (...) {
        failure.thrown = std::current_exception();
    }
    if (failure.thrown) png_error(png, "interrupted");
}

/// Runs `work`. Throws Error if libpng fails, or the exception that called() caught. libpng leaves by
/// longjmp: `work` must not own objects with destructors.
template <typename Work>
void guarded(png_structp png, const PngFailure& failure, Work work) {
    if (setjmp(png_jmpbuf(png))) {
        if (failure.thrown) std::rethrow_exception(failure.thrown);
        throw Error("damaged-file", "it is damaged: {}", failure.text);
    }
    work();
}

} // namespace kg::io
