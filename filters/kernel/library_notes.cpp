// Where other libraries would differ from our own result.

#include "filters/kernel/snippets.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

using Notes = std::vector<LibraryNote>;

void add_opencv(Notes& notes, const Stage& stage, const SnippetContext& context) {
    const auto& kernel = stage.kernels.front();
    if (context.border == Border::wrap)
        notes.push_back({"no-wrap", "filter2D refuses BORDER_WRAP: copyMakeBorder pads the image first."});
    if (context.image.depth == Depth::f16)
        notes.push_back({"no-f16", "filter2D has no float16: the image is converted to float32."});
    const auto is_whole = [](float weight) { return weight == std::trunc(weight); };
    const bool is_exact = kernel.divisor == 1 && std::ranges::all_of(kernel.weights, is_whole);
    if (is_integer(context.image.depth) && !is_exact)
        notes.push_back({"rounding",
                         "Weights are divided before float32 sums, so that results at half a level may "
                         "be rounded to the other neighbour: 1 level."});
    if (static_cast<std::size_t>(kernel.width) * static_cast<std::size_t>(kernel.height) > 121)
        notes.push_back({"dft", "Above 11 x 11 filter2D uses a Fourier transform in float32."});
    if (context.border == Border::zero || context.border == Border::reflect101) return;
    notes.push_back({"default-border", "The default of filter2D is BORDER_REFLECT_101: keep borderType."});
}

void add_scipy(Notes& notes, const SnippetContext& context) {
    if (is_integer(context.image.depth))
        notes.push_back({"integers",
                         "On integers ndimage.correlate truncates towards 0 and wraps around: the "
                         "snippet sums in float64, then rounds and clamps."});
    if (context.border == Border::reflect101 || context.border == Border::reflect)
        notes.push_back(
            {"border-names", "SciPy's \"mirror\" is our reflect101; its \"reflect\" repeats the edge."});
}

void add_torch(Notes& notes, const SnippetContext& context) {
    if (is_integer(context.image.depth))
        notes.push_back(
            {"integers", "conv2d has no integer types: the snippet sums in float32, then rounds."});
    notes.push_back(
        {"float32", "float32 sums in any order; on a GPU TF32 may be used, with 10 bits of precision."});
    if (context.border == Border::reflect)
        notes.push_back({"no-symmetric", "F.pad has no symmetric padding: NumPy pads the image first."});
    if (context.border == Border::reflect101 || context.border == Border::wrap)
        notes.push_back(
            {"pad-limit", "F.pad refuses a kernel that reaches further than the image is wide or high."});
}

Notes own_notes(const SnippetContext& context) {
    Notes notes{{"program", "Each call starts the program, which takes about 0.1 s."}};
    if (context.image.alpha >= 0 && !is_integer(context.image.depth) && context.alpha != AlphaMode::straight)
        notes.push_back({"alpha",
                         "The image has alpha: the recipe weighs colour by it; the snippet sends floats "
                         "channel by channel and treats alpha as one more."});
    return notes;
}

void add_for_all(Notes& notes, const SnippetContext& context) {
    if (context.light == Light::linear)
        notes.push_back(
            {"light", "The recipe filters linear light; the snippet filters the stored numbers."});
    if (context.image.alpha >= 0 && context.alpha != AlphaMode::straight)
        notes.push_back({"alpha",
                         "The image has alpha: the recipe weighs colour by it; the snippet treats alpha as "
                         "one more channel."});
    if (!context.channels.empty())
        notes.push_back({"channels", "The recipe filters some channels only; the snippet filters all."});
    if (context.sign != SignedMode::clamp)
        notes.push_back({"signed", "The recipe maps negative results (" + std::string(name(context.sign)) +
                                       "); the snippet clamps them."});
}

} // namespace

std::vector<LibraryNote> library_notes(Library library, const Stage& stage, const SnippetContext& context) {
    Notes notes;
    switch (library) {
    case Library::opencv: add_opencv(notes, stage, context); break;
    case Library::scipy: add_scipy(notes, context); break;
    case Library::numpy:
        if (is_integer(context.image.depth))
            notes.push_back({"rounding",
                             "Sums in float64: only a result within 1/64 of half a level may be rounded "
                             "to the other neighbour."});
        break;
    case Library::pytorch: add_torch(notes, context); break;
    case Library::python: return own_notes(context);
    case Library::kernelglass: return notes;
    }
    add_for_all(notes, context);
    if (is_integer(context.image.depth) && stage.combine == Combine::l2)
        notes.push_back({"magnitude",
                         "The program squares exact sums in float32: a magnitude near half a level may be "
                         "rounded to the other neighbour."});
    if (context.border == Border::constant)
        notes.push_back(
            {"border-colour", "The snippet's border is 0, not the colour of the recipe's border."});
    const auto is_large = [](const Kernel& k) { return k.weights.size() > kMostTyped; };
    if (std::ranges::any_of(stage.kernels, is_large))
        notes.push_back(
            {"large", "A kernel this large is read from kernel.npy unless it is a column times a row."});
    return notes;
}

} // namespace kg
