#include "app/editor/document/export.hpp"

#include "app/process/file/file_request.hpp"
#include "app/process/job.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"

namespace kg {

namespace {

std::string bits(Depth depth) {
    switch (depth) {
    case Depth::u8: return "8";
    case Depth::u16: return "16";
    case Depth::f16: return "half float";
    case Depth::f32: return "float";
    case Depth::f64: break; // only between steps
    }
    return {};
}

/// The window keeps showing the image while its colours are converted for the file.
LoadedImage copy_of(const LoadedImage& image) {
    return {
        .pixels = image.pixels.clone(),
        .path = image.path,
        .notes = image.notes,
        .damage = image.damage,
        .format = image.format,
        .original = image.original,
        .stored = image.stored,
        .page = image.page,
        .pages = image.pages,
        .orientation = image.orientation,
        .linear = image.linear,
        .metadata = image.metadata,
        .details = image.details,
    };
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

Encoded filter_and_encode(const EngineChoice& choice, const LoadedImage& image, const Recipe& recipe,
                          const std::string& algorithm, const std::string& extension,
                          const std::string& name) {
    auto own = copy_of(image);
    auto [request, notes, opaque] = file_request(own, recipe, extension);
    const auto outcome = run_job(choice, request, own.pixels.view(), algorithm);
    if (!outcome.notice.empty()) notes.push_back(outcome.notice);
    WriteOptions write;
    write.threads = choice.engine->device().host_memory ? cpu::threads_of(*choice.engine) : 0;
    auto encoded = encode_result(outcome.image.view(), own, recipe, extension, name, write);
    encoded.notes.insert(encoded.notes.begin(), notes.begin(), notes.end());
    return encoded;
}

std::string one_line(const std::vector<std::string>& notes) {
    std::string line;
    for (const auto& note : notes) line += (line.empty() ? "" : "; ") + note;
    return line;
}

Saved filter_and_write(const EngineChoice& choice, const LoadedImage& image, const Recipe& recipe,
                       const std::string& algorithm, const std::filesystem::path& path) {
    const auto encoded = filter_and_encode(choice, image, recipe, algorithm, path.extension().string(),
                                           quoted(path));
    write_file(path, encoded.bytes);
    sync_name(path);
    return {path, one_line(encoded.notes), nullptr};
}

} // namespace kg
