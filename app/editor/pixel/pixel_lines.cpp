#include "app/editor/pixel/pixel_lines.hpp"
#include "app/editor/pixel/pixel_number.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace kg {

namespace {

/// "\xC3\xB7 9 = 12.44": an operation and what it gives.
std::string operation(const char* sign, double operand, double result) {
    return std::string(sign) + " " + pixel_number(operand) + " = " + pixel_number(result);
}

std::string sum_line(const KernelTerms& kernel, const std::optional<std::size_t>& taps) {
    if (!taps || *taps >= kernel.taps.size()) return pixel_number(kernel.sum);
    const auto added = static_cast<std::size_t>(
        std::count_if(kernel.taps.begin(), kernel.taps.begin() + static_cast<std::ptrdiff_t>(*taps),
                      [](const PixelTap& tap) { return tap.is_tap(); }));
    return std::to_string(added) + (added == 1 ? " tap: " : " taps: ") +
           pixel_number(partial_sum(kernel, *taps));
}

std::string combined_text(const PixelTerms& terms) {
    std::string text;
    for (const auto& kernel : terms.kernels) {
        const bool none = std::fabs(kernel.quotient) < 1e-9 * terms.white; // sums of roundings
        text += (text.empty() ? "" : ", ") + pixel_number(none ? 0 : kernel.quotient);
    }
    return text + " = " + pixel_number(terms.combined);
}

void add_sums(std::vector<PixelLine>& lines, const PixelTerms& terms, const PixelLineOptions& options) {
    const auto& kernel = terms.kernels[std::min(options.kernel, terms.kernels.size() - 1)];
    lines.push_back({"Sum", sum_line(kernel, options.taps),
                     "The products added: first along each row of the kernel, then over the rows"});
    if (options.taps && *options.taps < kernel.taps.size())
        lines.push_back(
            {"All taps", pixel_number(kernel.sum), "The whole sum, which what follows begins with"});
    if (std::ranges::any_of(terms.kernels, [](const auto& k) { return k.divisor != 1; }))
        lines.push_back({"Divisor", operation("\xC3\xB7", kernel.divisor, kernel.quotient),
                         "The sum over the kernel's divisor"});
    if (terms.kernels.size() > 1)
        lines.push_back({terms.combine == Combine::l1 ? "L1" : "L2", combined_text(terms),
                         terms.combine == Combine::l1
                             ? "The absolute values of the kernels' results, added"
                             : "The root of the sum of the squares of the kernels' results"});
    if (terms.offset != 0)
        lines.push_back({"Offset", operation("+", terms.offset, terms.result),
                         "Added to the result; for colour times alpha it is added after the division"});
}

/// "143627.5 to 65535"; "none" for a number that the output can hold.
std::string clamp_text(double value, double clamped) {
    return value == clamped || std::isnan(value) ? "none"
                                                 : pixel_number(value) + " to " + pixel_number(clamped);
}

void add_end(std::vector<PixelLine>& lines, const PixelTerms& terms, const PixelLineOptions& options) {
    const auto& end = *terms.end;
    if (end.alpha)
        lines.push_back({"Alpha", operation("\xC3\xB7", *end.alpha, end.straight),
                         "The samples are colour times alpha; the result is divided by the filtered alpha"});
    if (end.curved)
        lines.push_back({"Light", "= " + pixel_number(end.encoded),
                         "The steps filter linear light; this is the result in the numbers of the file"});
    else if (end.rescaled)
        lines.push_back({"Range", "= " + pixel_number(end.encoded), "The result in the range of the output"});
    if (terms.sign == SignedMode::absolute)
        lines.push_back({"Signed", "= " + pixel_number(end.value), "The absolute value"});
    if (terms.sign == SignedMode::half)
        lines.push_back({"Signed", operation("+", end.value - end.encoded, end.value),
                         "One half of full scale is added"});
    const bool integer = is_integer(terms.out.depth);
    const double kept = integer ? std::clamp(end.value, 0.0, full_scale(terms.out)) : end.value;
    if (integer)
        lines.push_back({"Clamp", clamp_text(end.value, kept), "Integers hold numbers from 0 to white only"});
    lines.push_back({integer ? "Rounding" : "Stored",
                     pixel_number(kept) + " to " + pixel_number(terms.stored),
                     "To the nearest number that the output can store, ties to even; computed in float64"});
    lines.push_back({options.engine.empty() ? "Engine" : options.engine,
                     options.computed ? computed_text(*options.computed, terms.stored, terms.out.depth) : "",
                     "The number in the result, and how far it is from the reference in float64"});
}

} // namespace

std::string computed_text(double computed, double reference, Depth depth) {
    const auto text = pixel_number(computed);
    const auto steps = steps_between(computed, reference, depth);
    if (!steps) return text + ", reference " + pixel_number(reference);
    if (*steps == 0) return text + ", exact";
    const auto count = std::llabs(*steps);
    const std::string unit = is_integer(depth) ? " level" : " ulp";
    return text + ", " + std::to_string(count) + unit + (is_integer(depth) && count > 1 ? "s" : "") +
           (*steps > 0 ? " above" : " below");
}

std::vector<PixelLine> pixel_lines(const PixelTerms& terms, const PixelLineOptions& options) {
    std::vector<PixelLine> lines;
    if (!terms.kernels.empty()) add_sums(lines, terms, options);
    if (terms.is_last()) add_end(lines, terms, options);
    else
        lines.push_back({"Passed on",
                         pixel_number(terms.result) + " to step " + std::to_string(terms.stage + 2),
                         "Nothing is clamped or rounded between steps"});
    return lines;
}

} // namespace kg
