// The document's files: the open images, and saving the result.

#include "app/editor/document/document.hpp"

#include "app/editor/document/export.hpp"
#include "app/editor/document/image_notes.hpp"
#include "app/editor/document/pasted_file.hpp"
#include "app/editor/document/replacing.hpp"
#include "app/editor/preview/previews.hpp"
#include "app/io/formats.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/process/file/recipe_record.hpp"
#include "app/process/image/sample_image.hpp"
#include "app/process/image/thumbnail.hpp"
#include "core/support/error.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <new>

namespace kg {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kThumbnailSide = 128;

std::shared_ptr<const Image> thumbnail_of(const LoadedImage& image) {
    return std::make_shared<const Image>(displayable(shrunken(image.pixels.view(), kThumbnailSide), image));
}

/// Marks linear light in the format, so that the screen shows it correctly, and notes how it shows a profile.
LoadedImage as_shown(LoadedImage image) {
    auto format = image.pixels.format();
    format.linear = image.linear;
    image.pixels.relabel(format);
    if (!has_other_colours(image)) return image;
    const auto& icc = image.metadata.icc;
    const auto name = icc.empty() ? "the PNG's gamma or primaries" : icc_name(icc);
    image.notes.push_back(name + (srgb_lut(image, 2).empty() ? " not applied" : " shown as sRGB"));
    return image;
}

/// Reads the recipe that made the image from its metadata; a recipe of another version becomes a note.
void read_making(LoadedImage& image, Opened& opened) {
    const auto made = made_by(image.metadata);
    if (!made) return;
    try {
        opened.made_by = recipe_of(*made, quoted(image.path));
        opened.making = "made by " + program_of(*made) + " with " + short_name(*opened.made_by);
    } catch (const Error& error) {
        image.notes.emplace_back(error.what());
    }
}

Event opened(const fs::path& path, const ReadOptions& options) {
    try {
        const auto stamp = file_stamp(path);
        auto image = as_shown(read_image(path, options));
        Opened event{nullptr, thumbnail_of(image)};
        event.stamp = stamp;
        read_making(image, event);
        event.image = std::make_shared<const LoadedImage>(std::move(image));
        return event;
    } catch (const std::bad_alloc&) {
        return Failed{Failed::What::opening,
                      {"out-of-memory", "There is not enough memory to open {}.", quoted(path)},
                      0,
                      path};
    } catch (const std::exception& error) {
        return Failed{Failed::What::opening, as_error(error), 0, path};
    }
}

Event thumbnailed(const fs::path& path, const ReadOptions& options) {
    try {
        const auto image = as_shown(read_image(path, options));
        return Thumbnailed{path, thumbnail_of(image), image.damage};
    } catch (const std::exception&) { // opening the file reports why
        return Thumbnailed{path, nullptr};
    }
}

/// Writes the bytes to the file that new_pasted_file() has made, and opens it.
Event pasted(const fs::path& path, const std::string& bytes, const ReadOptions& options) {
    try {
        remove_old_pasted_files(path.parent_path());
        write_file(path, bytes);
    } catch (const std::exception& error) {
        return Failed{Failed::What::opening, as_error(error), 0, path};
    }
    return opened(path, options);
}

std::size_t place_of(const std::vector<FilmImage>& film, const fs::path& path) {
    return static_cast<std::size_t>(std::ranges::find(film, path, &FilmImage::path) - film.begin());
}

} // namespace

// --- images

void Document::open(const std::vector<fs::path>& paths) {
    if (paths.empty()) return;
    film_.clear();
    add(paths);
}

void Document::add(const std::vector<fs::path>& paths) {
    if (paths.empty()) return;
    for (const auto& path : paths)
        if (place_of(film_, path) == film_.size()) film_.push_back({path});
    show(place_of(film_, paths.front()));
    want_thumbnails();
}

void Document::compare(const fs::path& image, const fs::path& made, const Recipe& recipe) {
    add({image});
    film_[film_place_].made = made;
    film_[film_place_].made_with = recipe;
    comparing_ = true; // applied once the image is open, not to the previous image
    view.original_stays = false;
    if (view.mode == ViewState::Mode::result) view.mode = ViewState::Mode::split;
}

void Document::open_made() {
    if (film_place_ >= film_.size() || film_[film_place_].made.empty()) return;
    add({fs::path(film_[film_place_].made)}); // a copy, because add() grows the list that holds the path
    view.original_stays = true;
}

void Document::open_sample() {
    ++opening_;
    film_.clear();
    worker_.then(Failed::What::opening, []() -> Event {
        Opened sample{std::make_shared<const LoadedImage>(LoadedImage{sample_image(), {}, {}}), nullptr};
        sample.title = "Sample";
        return sample;
    });
}

void Document::open_unsaved(std::shared_ptr<const LoadedImage> image, std::string title) {
    ++opening_;
    film_.clear();
    Opened unsaved{std::move(image), nullptr};
    unsaved.title = std::move(title);
    worker_.then(Failed::What::opening, [unsaved]() -> Event { return unsaved; });
}

/// The document knows images by their files, so that a pasted one gets a file.
void Document::add_pasted(std::string bytes) {
    try {
        const auto* format = format_of_bytes(bytes);
        if (!format)
            throw Error("not-an-image",
                        "The image on the clipboard is in no format that this program reads.");
        const auto path = new_pasted_file(pasted_folder(), "." + std::string(format->extensions.front()));
        film_.push_back({path});
        film_place_ = film_.size() - 1;
        comparing_ = view.original_stays = false;
        ++opening_;
        worker_.then(Failed::What::opening,
                     [path, bytes = std::move(bytes), read = read_] { return pasted(path, bytes, read); });
        want_thumbnails();
    } catch (const Error& error) {
        report(error);
    }
}

void Document::show(std::size_t place) {
    if (place >= film_.size()) return;
    if (place != film_place_) view.original_stays = false;
    film_place_ = place;
    comparing_ = false;
    ++opening_;
    auto read = read_;
    read.page = film_[place].page;
    worker_.then(Failed::What::opening, [path = film_[place].path, read] { return opened(path, read); });
}

void Document::show_page(int page) {
    if (film_place_ >= film_.size()) return;
    film_[film_place_].page = page;
    show(film_place_);
}

void Document::close(std::size_t place) {
    if (place >= film_.size() || film_.size() == 1) return;
    const bool shown = place == film_place_;
    film_.erase(film_.begin() + static_cast<std::ptrdiff_t>(place));
    if (shown) show(std::min(place, film_.size() - 1));
    else if (place < film_place_) --film_place_;
}

void Document::want_thumbnails() {
    if (film_.size() < 2) return; // no film strip to show them
    for (std::size_t i = 0; i < film_.size(); ++i) {
        // Opening an image also makes its thumbnail.
        if (i == film_place_ || film_[i].thumbnail || film_[i].unreadable) continue;
        ++tasks_;
        worker_.later(Failed::What::opening,
                      [path = film_[i].path, read = read_] { return thumbnailed(path, read); });
    }
}

void Document::take(Opened opened) {
    --opening_;
    const auto place = place_of(film_, opened.image->path);
    if (!opened.image->path.empty()) {
        if (place == film_.size()) return; // superseded: other images have been opened
        film_[place].thumbnail = std::move(opened.thumbnail);
        film_[place].damage = opened.image->damage;
    }
    image_recipe_ = std::move(opened.made_by);
    file.begin(opened.image->path, opened.stamp);
    unsaved_title_ = std::move(opened.title);
    image_ = std::move(opened.image); // the old result stays on the screen until the new one is there
    previews_of_.reset();
    saved_path_.clear();
    point_nowhere();
    derived_.choices.reset(); // they depend on size and format
    runs_left_ = 0;
    if (!image_->damage.empty()) report(Message::Kind::info, title() + ": " + image_->damage);
    for (const auto& note : image_->notes) // the chips of the image show the others
        if (!is_plain_note(*image_, note) && !is_loss_note(note) && !is_page_note(note))
            report(Message::Kind::info, title() + ": " + note);
    if (image_recipe_)
        report(Message::Kind::info,
               title() + ": " + opened.making +
                   (*image_recipe_ != state_.recipe ? "; the Recipe panel offers its recipe."
                                                    : ", the current recipe."));
    const auto posted = serial_;
    if (place < film_.size() && place == film_place_ && std::exchange(comparing_, false))
        use_recipe(*film_[place].made_with, "Use the batch's recipe");
    if (serial_ == posted) post();
}

void Document::take(const Thumbnailed& made) {
    --tasks_;
    const auto place = place_of(film_, made.path);
    if (place == film_.size()) return;
    film_[place].unreadable = !made.thumbnail;
    film_[place].damage = made.damage;
    if (made.thumbnail) film_[place].thumbnail = made.thumbnail;
}

const std::vector<std::shared_ptr<const Image>>& Document::previews() {
    if (image_ && (previews_of_ != image_ || previews_version_ != presets_.version())) {
        previews_of_ = image_;
        previews_version_ = presets_.version();
        previews_.assign(presets_.size(), nullptr);
        for (auto& task : preview_tasks(engine(), image_, presets_)) {
            ++tasks_;
            worker_.later(Failed::What::opening, std::move(task));
        }
    }
    return previews_;
}

void Document::take(const Previewed& previewed) {
    --tasks_;
    if (previewed.image && previewed.image == previews_of_ && previewed.version == previews_version_)
        previews_[previewed.preset] = previewed.preview;
}

/// Removes an image that cannot be opened from the list; the shown one stays.
void Document::forget(const fs::path& path) {
    unreadable_.push_back(path);
    const auto place = place_of(film_, path);
    if (place == film_.size()) return;
    const bool wanted = place == film_place_;
    film_.erase(film_.begin() + static_cast<std::ptrdiff_t>(place));
    if (place < film_place_) --film_place_;
    if (!wanted) return;
    const auto shown = image_ ? place_of(film_, image_->path) : film_.size();
    if (shown < film_.size()) {
        film_place_ = shown;
    } else if (!film_.empty()) {
        show(std::min(place, film_.size() - 1));
    } else if (image_ && !is_sample()) {
        film_.push_back({image_->path});
        film_place_ = 0;
    }
}

// --- results

fs::path Document::proposed_path() const {
    if (!image_ || is_sample()) return fs::absolute("sample-" + short_name(state_.recipe) + ".png");
    const auto& path = image_->path;
    // Not beside a pasted image: the cache is no place for results.
    const auto folder = path.parent_path() == pasted_folder() ? fs::current_path()
                                                              : fs::absolute(path).parent_path();
    const auto page = image_->page > 1 ? "-page" + std::to_string(image_->page) : std::string();
    return folder / (path.stem().string() + page + "-" + short_name(state_.recipe) +
                     writable_extension(path.extension().string()));
}

std::string Document::saving_note(const fs::path& path) const {
    if (!image_) return {};
    try {
        return conversion_note(request(), path.extension().string());
    } catch (const Error&) { // an unknown extension or an invalid recipe: saving reports the error
        return {};
    }
}

/// The open files: no output replaces them.
std::vector<fs::path> Document::inputs() const {
    std::vector<fs::path> files;
    for (const auto& open : film_) files.push_back(open.path);
    // Shown until the first image of the film strip is open.
    if (image_ && !is_sample()) files.push_back(image_->path);
    return files;
}

bool Document::asks_before(const fs::path& path) const {
    std::error_code unknown; // writing the file reports the error
    if (!fs::exists(path, unknown) || fs::is_directory(path, unknown)) return false;
    return !is_one_of({saved_path_}, path) && !is_one_of(inputs(), path);
}

void Document::save(const fs::path& path) {
    if (!image_) return;
    ++saving_;
    worker_.then(Failed::What::saving,
                 [choice = engine(), image = image_, recipe = state_.recipe, algorithm = algorithm_in_use(),
                  inputs = inputs(), path]() -> Event {
                     refuse_inputs(inputs, path);
                     auto saved = filter_and_write(choice, *image, recipe, algorithm, path);
                     saved.image = image;
                     return saved;
                 });
}

void Document::copy_result() {
    if (!image_) return;
    ++saving_;
    worker_.then(
        Failed::What::saving,
        [choice = engine(), image = image_, recipe = shown_recipe(),
         algorithm = algorithm_in_use()]() -> Event {
            auto made = filter_and_encode(choice, *image, recipe, algorithm, ".png", "the clipboard");
            return Copied{std::make_shared<const std::string>(std::move(made.bytes)), one_line(made.notes)};
        });
}

void Document::write(const fs::path& path, std::string text, const std::string& note) {
    ++saving_;
    worker_.then(Failed::What::saving, [inputs = inputs(), path, note, text = std::move(text)]() -> Event {
        refuse_inputs(inputs, path);
        write_file(path, text);
        return Wrote{path, note};
    });
}

fs::path Document::command_folder() const {
    return kernel_folder_.empty() ? usual_command_folder() : kernel_folder_;
}

fs::path Document::pasted_folder() const { return command_folder() / "clipboard"; }

std::string Document::copy_as_command() {
    if (!image_) throw Error("no-image", "There is no image to filter; open one first.");
    const auto command = command_text({image_->path, saved_path_.empty() ? proposed_path() : saved_path_,
                                       state_.recipe, engine_in_use(), algorithm_in_use(), command_folder(),
                                       read_.max_pixels, image_->page});
    write_files(command);
    return command.text;
}

std::string Document::engine_in_use() const {
    const auto choice = engine();
    const bool by_fallback = result_ && choice.fallback && result_->job.choice.engine == choice.fallback;
    return (by_fallback ? choice.fallback : choice.engine)->device().id;
}

std::string Document::algorithm_in_use() const {
    return result_ && result_->refusal ? std::string() : selection_.algorithm;
}

} // namespace kg
