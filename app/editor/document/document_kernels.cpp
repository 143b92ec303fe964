// The document's kernels: from the clipboard, and from and to files.

#include "app/editor/document/document.hpp"

#include "app/io/files/files.hpp"
#include "core/support/error.hpp"
#include "core/support/thread.hpp"
#include "filters/kernel_file.hpp"
#include "filters/kernel_text.hpp"

namespace kg {

namespace {

namespace fs = std::filesystem;

/// Limit of a kernel file; the largest has 30 MB.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 26;

std::string size_text(const Kernel& kernel) {
    return std::to_string(kernel.width) + " x " + std::to_string(kernel.height);
}

/// What the bytes of a file are: a recipe, a preset or a kernel. Throws Error.
KernelRead read_either(const fs::path& path) {
    const auto bytes = read_file(path, {.most_bytes = kMostBytes});
    std::optional<Error> no_recipe;
    try {
        if (auto recipe = parse_recipe_or_preset(bytes, quoted(path)); !recipe.steps.empty())
            return {path, nullptr, std::move(recipe)};
    } catch (const Error& error) {
        no_recipe = error;
    }
    try {
        return {path, std::make_shared<const Kernel>(parse_kernel(bytes, quoted(path))), {}};
    } catch (const Error&) {
        if (no_recipe && bytes.find("\"steps\"") != std::string::npos) throw *no_recipe;
        throw;
    }
}

/// Empty where the text is none, or has no step.
std::optional<Recipe> recipe_of(std::string_view text) {
    try {
        auto recipe = parse_recipe_or_preset(text, "on the clipboard");
        return recipe.steps.empty() ? std::nullopt : std::optional(std::move(recipe));
    } catch (const Error&) { // perhaps a kernel
        return {};
    }
}

} // namespace

void Document::use_kernel(const Kernel& kernel, const std::string& name, OfTwo of_two) {
    if (selected_ >= 0) return set_kernel(kernel, Gesture::whole, name, of_two);
    auto next = state_;
    next.recipe.steps.push_back({"custom", {}, kernel, true});
    next.origins.emplace_back();
    selected_ = static_cast<int>(next.recipe.steps.size()) - 1;
    edit(next, Gesture::whole, name);
}

std::optional<Error> Document::use_text(std::string_view text, OfTwo of_two) {
    if (const auto recipe = recipe_of(text)) {
        use_recipe(*recipe, "Paste the recipe " + short_name(*recipe));
        return {};
    }
    try {
        const auto kernel = parse_kernel(text, "on the clipboard");
        use_kernel(kernel, "Paste a " + size_text(kernel) + " kernel", of_two);
        return {};
    } catch (const Error& error) {
        return error;
    }
}

bool Document::paste_kernel(std::string_view text, OfTwo of_two) {
    const auto error = use_text(text, of_two);
    if (error) report(*error);
    return !error;
}

void Document::offer_kernel_file(const Kernel& kernel, OfTwo of_two) {
    const auto name = (selected_ >= 0 ? selected_step()->filter : std::string("custom")) +
                      (of_two ? *of_two == 0 ? "-gx-" : "-gy-" : "-") + std::to_string(kernel.width) + "x" +
                      std::to_string(kernel.height) + ".json";
    offered_ = TextFile{proposed_path().parent_path() / name, {}, kernel};
}

void Document::write_kernel(const fs::path& path, const Kernel& kernel) {
    try {
        const auto format = kernel_format(path.extension().string());
        write(path, to_format(kernel, format), lost_in(kernel, format));
    } catch (const Error& error) {
        report(error);
    }
}

void Document::read_kernel(const fs::path& path, OfTwo of_two) {
    ++opening_;
    worker_.then(Failed::What::opening, [path, of_two]() -> Event {
        auto read = read_either(path);
        read.of_two = of_two;
        return read;
    });
}

void Document::take(const KernelRead& read) {
    --opening_;
    const auto name = safe_name(read.path.filename());
    if (read.recipe) use_recipe(*read.recipe, "Use the recipe of " + name);
    else use_kernel(*read.kernel, "Open kernel " + name, read.of_two);
}

} // namespace kg
