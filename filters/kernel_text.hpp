#pragma once
// Kernels as text and as files; parse_kernel() (kernel_file.hpp) reads them back.

#include "core/request/kernel.hpp"

#include <string>
#include <string_view>

namespace kg {

/// JSON has all of a kernel. The others have the weights alone; `text` lists the rest in a comment, and
/// `python`, an expression to paste, divides by the divisor. No file is in `python`.
enum class KernelFormat { text, csv, json, npy, python };

/// By extension: .txt, .csv, .json or .npy, in any case. Throws Error for another one.
KernelFormat kernel_format(std::string_view extension);

/// The content of a file. Text has aligned columns; .npy has float32 rows (NEP 1, version 1).
std::string to_format(const Kernel& kernel, KernelFormat format);

/// What the format does not keep of this kernel: "without divisor and anchor". Empty where it keeps all.
std::string lost_in(const Kernel& kernel, KernelFormat format);

} // namespace kg
