#include "app/document/export.hpp"

#include "app/document/job.hpp"
#include "core/error.hpp"

namespace kg {

namespace {

std::string bits(Depth depth) {
    switch (depth) {
    case Depth::u8: return "8";
    case Depth::u16: return "16";
    case Depth::f16: return "half float";
    case Depth::f32: return "float";
    }
    return {};
}

} // namespace

std::string conversion_note(const ImageRequest& request, std::string_view extension) {
    const auto stored = storable(extension, request.out.depth);
    const std::string kind(extension);
    std::string note;
    if (stored.depth != request.in.depth) {
        note = bits(request.in.depth) + " to " + bits(stored.depth) +
               (is_integer(stored.depth) ? " bit" : "");
        if (stored.depth != request.out.depth)
            note += ", " + kind + " does not hold " + std::string(name(request.out.depth));
    } else if (stored.depth != request.out.depth) {
        note = "stays " + bits(stored.depth) + (is_integer(stored.depth) ? " bit, " : ", ") + kind +
               " does not hold " + std::string(name(request.out.depth));
    }
    if (request.in.alpha >= 0 && !stored.alpha)
        note += std::string(note.empty() ? "" : "; ") + "without alpha, which " + kind + " does not hold";
    return note;
}

Saved filter_and_write(Engine& engine, const Picture& picture, ImageRequest request,
                       const std::string& algorithm, const std::filesystem::path& path) {
    std::error_code ignored;
    if (!picture.path.empty() && std::filesystem::equivalent(picture.path, path, ignored))
        throw Error("Saving would replace the original \"" + path.string() + "\"; choose another name.");
    const auto extension = path.extension().string();
    Saved saved{path, conversion_note(request, extension)};
    request.out.depth = storable(extension, request.out.depth).depth;
    write_picture(path, run_job(engine, request, picture.image.view(), algorithm).image.view());
    return saved;
}

} // namespace kg
