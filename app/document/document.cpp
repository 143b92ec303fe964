#include "app/document/document.hpp"

#include "app/document/job.hpp"
#include "app/document/sample_picture.hpp"
#include "core/error.hpp"
#include "core/reference.hpp"

#include <algorithm>
#include <cstdlib>

namespace kg {

namespace {

namespace fs = std::filesystem;

fs::path cache_folder() {
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
        return fs::path(folder) / "kernelglass";
    if (const char* home = std::getenv("HOME"); home && *home)
        return fs::path(home) / ".cache" / "kernelglass";
    return fs::temp_directory_path() / "kernelglass";
}

/// Runs of which the times may be compared: same picture size, formats, kernel sizes, engine and algorithm.
bool comparable(const Result& a, const Result& b) {
    const auto &p = a.job.request, &q = b.job.request;
    if (p.size != q.size || p.in != q.in || p.out != q.out || a.algorithm != b.algorithm ||
        a.job.engine != b.job.engine)
        return false;
    return std::ranges::equal(p.stages, q.stages, [](const Stage& s, const Stage& t) {
        return std::ranges::equal(s.kernels, t.kernels, [](const Kernel& k, const Kernel& l) {
            return k.width == l.width && k.height == l.height;
        });
    });
}

/// The work of `kernelglass filter`: the same decisions in the same order, so that the bytes are the same.
Saved filter_and_write(Engine& engine, const Picture& picture, ImageRequest request,
                       const std::string& algorithm, const fs::path& path) {
    std::error_code ignored;
    if (!picture.path.empty() && fs::equivalent(picture.path, path, ignored))
        throw Error("Saving would replace the original \"" + path.string() + "\"; choose another name.");
    const auto extension = path.extension().string();
    const auto stored = storable(extension, request.out.depth);
    Saved saved{path, {}};
    if (stored.depth != request.out.depth)
        saved.note = "written as " + std::string(name(stored.depth)) + ", " + extension + " does not hold " +
                     std::string(name(request.out.depth));
    request.out.depth = stored.depth;
    if (request.in.alpha >= 0 && !stored.alpha)
        saved.note += std::string(saved.note.empty() ? "" : "; ") + "without alpha, which " + extension +
                      " does not hold";
    write_picture(path, run_job(engine, request, picture.image.view(), algorithm).image.view());
    return saved;
}

} // namespace

Document::Document(Setup setup)
    : engines_(std::move(setup.engines)), way_(std::move(setup.way)),
      kernel_folder_(setup.kernel_folder.empty() ? cache_folder() : std::move(setup.kernel_folder)),
      present_(std::move(setup.present)), worker_(std::move(setup.wake)) {}

// --- events

bool Document::update() {
    const auto events = worker_.take_events();
    for (const auto& event : events) std::visit([this](const auto& e) { take(e); }, event);
    return !events.empty();
}

void Document::take(std::shared_ptr<const Result> result) {
    settled_serial_ = std::max(settled_serial_, result->job.serial);
    if (result->job.picture != picture_) return; // another picture has been opened since
    if (result->job.serial == serial_) failure_.clear();
    const auto serial = result->job.serial;
    arriving_.push_back(std::move(result));
    if (present_) present_(arriving_.back());
    else shown(serial);
}

void Document::shown(std::uint64_t serial) {
    while (!arriving_.empty() && arriving_.front()->job.serial < serial)
        arriving_.pop_front(); // overtaken on the way
    if (arriving_.empty() || arriving_.front()->job.serial != serial) return;
    auto result = std::move(arriving_.front());
    arriving_.pop_front();
    if (!result_ || !comparable(*result_, *result)) timings_ = {};
    if (result->upload_us > 0) timings_.upload.add(result->upload_us);
    timings_.filter.add(result->filter_us);
    timings_.total.add(result->total_us);
    if (!result->notice.empty() && (!result_ || result_->notice != result->notice))
        say(Message::Kind::warning, result->notice);
    result_ = std::move(result);
    if (reading_)
        read_pixel(); // the old value stays until the new one is read, so that the number does not blink
    if (runs_left_ > 0 && settled_serial_ == serial_) {
        --runs_left_;
        if (runs_left_ > 0) post();
    }
}

void Document::take(Opened opened) {
    --opening_;
    picture_ = std::move(opened.picture); // what is shown stays until this one's result is there
    saved_path_.clear();
    reading_.reset();
    derived_.choices.reset(); // they depend on size and format
    runs_left_ = 0;
    for (const auto& note : picture_->notes) say(Message::Kind::info, title() + ": " + note);
    post();
}

void Document::take(const Saved& saved) {
    --saving_;
    saved_path_ = saved.path;
    say(Message::Kind::info,
        "Saved " + saved.path.string() + (saved.note.empty() ? "" : " (" + saved.note + ")"));
}

void Document::take(const Probed& probed) {
    if (reading_ && probed.result == result_ && reading_->x == probed.x && reading_->y == probed.y)
        reading_->after = probed.values;
}

void Document::take(const Failed& failed) {
    switch (failed.what) {
    case Failed::What::filtering:
        settled_serial_ = std::max(settled_serial_, failed.serial);
        fail(failed.sentence);
        return;
    case Failed::What::opening: --opening_; break;
    case Failed::What::saving: --saving_; break;
    case Failed::What::probing: break;
    }
    say(Message::Kind::error, failed.sentence);
}

void Document::fail(const std::string& sentence) {
    if (failure_ != sentence) say(Message::Kind::error, sentence);
    failure_ = sentence;
    runs_left_ = 0;
    if (result_ && result_->job.picture != picture_)
        result_.reset(); // of the same picture, what is shown stays
}

// --- way of computing

const std::shared_ptr<Engine>& Document::engine() const {
    for (const auto& engine : engines_)
        if (engine->device().id == way_.engine) return engine;
    return engines_.front();
}

ImageRequest Document::request() const {
    return request_for(state_.recipe, picture_->image.size(), picture_->image.format());
}

void Document::post() {
    if (!picture_) return;
    Job job;
    job.serial = ++serial_;
    try {
        job.request = request();
    } catch (const Error& error) {
        settled_serial_ = serial_;
        return fail(error.what());
    }
    job.engine = engine();
    job.picture = picture_;
    job.algorithm = way_.algorithm;
    worker_.post(std::move(job));
}

void Document::choose(const Way& way) {
    if (way == way_) return;
    way_ = way; // the list of ways stays as it is: a click in it leads here
    runs_left_ = 0;
    post();
}

const std::vector<Choice>& Document::choices() const {
    if (derived_.choices) return *derived_.choices;
    auto& list = derived_.choices.emplace();
    if (!picture_) return list;
    try {
        const auto wanted = request();
        for (const auto& engine : engines_)
            for (const auto& candidate : candidates(*engine, wanted))
                list.push_back({{engine->device().id, std::string(candidate.algorithm->id)},
                                std::string(candidate.algorithm->title),
                                candidate.why_not,
                                candidate.microseconds});
    } catch (const Error&) { // a recipe that does not fit has no ways; post() has said why
    }
    return list;
}

void Document::run_again(int times) {
    runs_left_ = times;
    post();
}

// --- files

void Document::open(const fs::path& path) {
    ++opening_;
    worker_.then(Failed::What::opening,
                 [path]() -> Event { return Opened{std::make_shared<const Picture>(read_picture(path))}; });
}

void Document::open_sample() {
    ++opening_;
    worker_.then(Failed::What::opening, []() -> Event {
        return Opened{std::make_shared<const Picture>(Picture{sample_picture(), {}, {}})};
    });
}

fs::path Document::proposed_path() const {
    if (!picture_ || is_sample()) return fs::absolute("sample-" + short_name(state_.recipe) + ".png");
    const auto& path = picture_->path;
    return fs::absolute(path).parent_path() /
           (path.stem().string() + "-" + short_name(state_.recipe) + path.extension().string());
}

void Document::save(const fs::path& path) {
    if (!picture_) return;
    try {
        worker_.then(
            Failed::What::saving,
            [engine = engine(), picture = picture_, wanted = request(), algorithm = algorithm_in_use(),
             path]() -> Event { return filter_and_write(*engine, *picture, wanted, algorithm, path); });
        ++saving_;
    } catch (const Error& error) {
        say(Message::Kind::error, error.what());
    }
}

std::string Document::copy_as_command() {
    if (!picture_) throw Error("There is no picture to filter; open one first.");
    const auto command = command_text({picture_->path, saved_path_.empty() ? proposed_path() : saved_path_,
                                       state_.recipe, way_.engine.empty() ? "auto" : way_.engine,
                                       algorithm_in_use(), kernel_folder_});
    for (const auto& file : command.kernel_files) {
        fs::create_directories(file.path.parent_path());
        write_file(file.path, file.content);
    }
    return command.text;
}

std::string Document::algorithm_in_use() const {
    return result_ && !result_->notice.empty() ? std::string() : way_.algorithm;
}

// --- pixel and words

void Document::point_at(std::int64_t x, std::int64_t y) {
    if (!result_ || (reading_ && reading_->x == x && reading_->y == y)) return;
    const auto size = result_->job.request.size;
    if (x < 0 || y < 0 || x >= size.width || y >= size.height) return reading_.reset();
    reading_ = PixelReading{x, y, {}, {}};
    read_pixel();
}

void Document::read_pixel() {
    const auto pixels = result_->job.picture->image.view();
    reading_->before.clear();
    for (int c = 0; c < pixels.format.channels; ++c)
        reading_->before.push_back(sample(pixels, reading_->x, reading_->y, c));
    worker_.probe(result_, reading_->x, reading_->y);
}

void Document::say(Message::Kind kind, const std::string& text) { messages_.push_back({kind, text}); }

} // namespace kg
