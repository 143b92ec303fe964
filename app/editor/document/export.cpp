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

Saved filter_and_write(const EngineChoice& choice, const LoadedImage& image, const Recipe& recipe,
                       const std::string& algorithm, const std::filesystem::path& path) {
    auto own = copy_of(image);
    auto [request, notes, opaque] = file_request(own, recipe, path.extension().string());
    const auto outcome = run_job(choice, request, own.pixels.view(), algorithm);
    if (!outcome.notice.empty()) notes.push_back(outcome.notice);
    WriteOptions write;
    write.threads = choice.engine->device().host_memory ? cpu::threads_of(*choice.engine) : 0;
    const auto encoded = encode_result(outcome.image.view(), own, recipe, path.extension().string(),
                                       quoted(path), write);
    write_file(path, encoded.bytes);
    sync_name(path);
    notes.insert(notes.end(), encoded.notes.begin(), encoded.notes.end());
    Saved saved{path, {}, nullptr};
    for (const auto& note : notes) saved.note += (saved.note.empty() ? "" : "; ") + note;
    return saved;
}

} // namespace kg
