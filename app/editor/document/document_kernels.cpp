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

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 26; ///< of a kernel file; the largest has 30 MB

std::string size_text(const Kernel& kernel) {
    return std::to_string(kernel.width) + " x " + std::to_string(kernel.height);
}

} // namespace

void Document::use_kernel(const Kernel& kernel, const std::string& name) {
    if (selected_ >= 0) return set_kernel(kernel, Gesture::whole, name);
    auto next = state_;
    next.recipe.steps.push_back({"custom", {}, kernel, true});
    next.origins.emplace_back();
    selected_ = static_cast<int>(next.recipe.steps.size()) - 1;
    edit(next, Gesture::whole, name);
}

bool Document::paste_kernel(std::string_view text) {
    try {
        const auto kernel = parse_kernel(text, "on the clipboard");
        use_kernel(kernel, "Paste a " + size_text(kernel) + " kernel");
        return true;
    } catch (const Error& error) {
        report(error);
        return false;
    }
}

void Document::offer_kernel_file(const Kernel& kernel) {
    const auto name = (selected_ >= 0 ? selected_step()->filter : std::string("custom")) + "-" +
                      std::to_string(kernel.width) + "x" + std::to_string(kernel.height) + ".json";
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

void Document::read_kernel(const fs::path& path) {
    ++opening_;
    worker_.then(Failed::What::opening, [path]() -> Event {
        return KernelRead{path, std::make_shared<const Kernel>(
                                    parse_kernel(read_file(path, {.most_bytes = kMostBytes}), quoted(path)))};
    });
}

void Document::take(const KernelRead& read) {
    --opening_;
    use_kernel(*read.kernel, "Open kernel " + safe_name(read.path.filename()));
}

} // namespace kg
