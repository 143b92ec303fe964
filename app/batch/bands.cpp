#include "app/batch/bands.hpp"

#include "app/batch/band_plan.hpp"
#include "app/document/file_request.hpp"
#include "app/document/recipe_record.hpp"
#include "core/lent_picture.hpp"
#include "core/parts.hpp"
#include "core/words.hpp"
#include "measure/peers/peers.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace kg::batch {

namespace {

using Clock = std::chrono::steady_clock;

/// Adds the time that it lives to a stage.
class Timed {
public:
    explicit Timed(double& seconds) : seconds_(seconds), began_(Clock::now()) {}
    ~Timed() { seconds_ += std::chrono::duration<double>(Clock::now() - began_).count(); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    double& seconds_;
    const Clock::time_point began_;
};

/// The picture but for its pixels, of which there is one, so that what is asked of pictures can be asked of it.
Picture pixel_of(const PictureRows& rows) {
    Image pixel({1, 1}, rows.pixels());
    std::memset(pixel.view().data, 0, bytes_per_pixel(rows.pixels()));
    return rows.picture(std::move(pixel));
}

/// Rows of the source that are in memory: some that follow one another.
class Window {
public:
    Window(Extent size, const PixelFormat& format) : image_(size, format), covers_{0, 0, size.width, 0} {}

    /// The rows before this one are no longer needed.
    void begin_at(std::int64_t row) {
        const auto gone = std::min(row - covers_.y, covers_.height);
        if (gone > 0)
            std::memmove(image_.view().data, image_.view().row<std::byte>(gone),
                         image_.view().pitch * static_cast<std::size_t>(covers_.height - gone));
        covers_ = {0, row, covers_.width, covers_.height - gone};
    }
    /// Where so many rows that come next have their place.
    ImageView append(std::int64_t rows) {
        covers_.height += rows;
        return image_.view().crop({0, covers_.height - rows, covers_.width, rows});
    }
    const Rect& covers() const { return covers_; }
    ConstImageView view() const { return image_.view().crop({0, 0, covers_.width, covers_.height}); }

private:
    Image image_;
    Rect covers_;
};

void copy(const ConstImageView& from, const ImageView& to) {
    const auto bytes = static_cast<std::size_t>(from.size.width) * bytes_per_pixel(from.format);
    for (std::int64_t y = 0; y < from.size.height; ++y)
        std::memcpy(to.row<std::byte>(y), from.row<std::byte>(y), bytes);
}

/// One picture on one engine.
class Work {
public:
    Work(const std::filesystem::path& in, const BandsWish& wish, const std::shared_ptr<Engine>& engine)
        : wish_(wish), rows_(in, wish.read), piece_rows_(rows_of_piece()) {
        done_.engine = engine;
        done_.picture = pixel_of(rows_);
        auto [request, notes] = file_request(done_.picture, wish.recipe, wish.format);
        request_ = std::move(request);
        request_.size = rows_.size();
        changes_colours_ = request_.in.premultiplied != rows_.pixels().premultiplied ||
                           done_.picture.metadata != rows_.metadata();
        done_.size = request_.size;
        done_.pixels = request_.out;
        done_.notes = std::move(notes);
        plan_ = measure::plan_with_peers(*engine, request_, wish.algorithm);
        done_.algorithm = plan_->algorithm;
    }

    BandsDone run(ByteSink& out, const std::stop_token& stop) {
        PictureRowsWriter writer(out, request_.size, request_.out, wish_.format, wish_.name,
                                 result_options(done_.picture, wish_.recipe, wish_.write), wish_.memory);
        const auto bands = choose_bands(writer);
        {
            Window window({request_.size.width, bands.source_rows}, request_.in);
            Image result({request_.size.width, bands.bands.front().outputs.height}, request_.out);
            for (const auto& band : bands.bands) {
                if (stop.stop_requested()) throw Cancelled();
                read(band.source, window);
                const auto outputs = result.view().crop({0, 0, band.outputs.width, band.outputs.height});
                compute(window, band.outputs, outputs, stop);
                write(outputs, writer);
            }
        } // a writer may want the memory
        done_.damage = rows_.damage_note();
        const Timed timed(done_.seconds.encode);
        for (auto& note : writer.finish()) done_.notes.push_back(std::move(note));
        done_.bands = static_cast<std::int64_t>(bands.bands.size());
        done_.picture.image = {};
        return std::move(done_);
    }

private:
    bool in_place() const {
        const auto& device = done_.engine->device();
        return device.id == "cpu" && device.memory_limit == 0; // as FilterPool
    }

    /// What comes from the file at once, and goes into one, in addition to the bands.
    std::int64_t rows_of_piece() const {
        constexpr std::size_t kPiece = std::size_t{1} << 20, kPart = 32;
        const auto row = static_cast<std::size_t>(rows_.size().width) * bytes_per_pixel(rows_.pixels());
        const auto rows = std::min(kPiece, wish_.memory / kPart) / row;
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(rows), 1, rows_.size().height);
    }

    std::size_t memory_of(const BandPlan& bands, std::int64_t rows, const PictureRowsWriter& writer) const {
        const auto width = request_.size.width;
        const auto band = aligned_pitch(width, request_.in) * static_cast<std::size_t>(bands.source_rows) +
                          aligned_pitch(width, request_.out) * static_cast<std::size_t>(rows);
        constexpr std::size_t kConverted = 3; // a piece, and what changes colours copies of it
        const auto piece = kConverted * aligned_pitch(width, rows_.pixels()) + writer.memory_of_row();
        return band * (in_place() ? 1 : 2) + bands.scratch_bytes + rows_.memory() + writer.memory() +
               piece * static_cast<std::size_t>(piece_rows_);
    }

    /// As high as the memory allows.
    BandPlan choose_bands(const PictureRowsWriter& writer) const {
        const auto quantum = row_quantum(*plan_, request_.size);
        const auto whole_quanta = [&](std::int64_t rows) { return (rows + quantum - 1) / quantum * quantum; };
        for (auto rows = whole_quanta(std::min(request_.size.height, wish_.most_rows));;
             rows = whole_quanta(rows / 2)) {
            auto bands = plan_bands(*plan_, request_.size, rows);
            const auto memory = memory_of(bands, std::min(rows, request_.size.height), writer);
            if (memory <= wish_.memory) return bands;
            if (rows == quantum) refuse(bands, memory);
        }
    }

    [[noreturn]] void refuse(const BandPlan& bands, std::size_t memory) const {
        const auto height = request_.size.height;
        const bool all = bands.source_rows == height && height > 1;
        throw NotByRows("the smallest band takes " + memory_text(memory) +
                        (!all ? std::string()
                         : request_.border == Border::wrap
                             ? ", because under border wrap its first rows need its last ones; another "
                               "border takes less"
                             : ", because " + done_.algorithm + " needs all rows at once"));
    }

    /// Reads on until the window holds these rows.
    void read(const Rect& source, Window& window) {
        const Timed timed(done_.seconds.decode);
        window.begin_at(source.y);
        if (!changes_colours_) return rows_.read(window.append(source.bottom() - window.covers().bottom()));
        while (window.covers().bottom() < source.bottom()) {
            const auto count = std::min(piece_rows_, source.bottom() - window.covers().bottom());
            auto part = rows_.picture(Image({source.width, count}, rows_.pixels()));
            rows_.read(part.image.view());
            prepare_colours(part, wish_.recipe, wish_.format);
            copy(part.image.view(), window.append(count));
        }
    }

    void compute(const Window& window, const Rect& outputs, const ImageView& result,
                 const std::stop_token& stop) {
        const Timed timed(done_.seconds.filter);
        if (!in_place()) {
            run_in_parts(*done_.engine, plan_, window.view(), window.covers(), result, outputs, stop);
            return;
        }
        Item item{lent_picture(window.view(), nullptr), lent_picture(result, nullptr)};
        item.src.covers = window.covers();
        item.dst.covers = outputs;
        if (!queue_) queue_ = done_.engine->queue();
        queue_->run(plan_, {&item, 1}, stop);
        queue_->fence().wait();
    }

    void write(const ConstImageView& result, PictureRowsWriter& writer) {
        const Timed timed(done_.seconds.encode);
        for (std::int64_t y = 0; y < result.size.height; y += piece_rows_)
            writer.write(result.crop(intersect(whole(result.size), {0, y, result.size.width, piece_rows_})));
    }

    const BandsWish& wish_;
    PictureRows rows_;
    const std::int64_t piece_rows_;
    BandsDone done_;
    ImageRequest request_;
    std::shared_ptr<const Plan> plan_;
    std::unique_ptr<Queue> queue_;
    bool changes_colours_ = false; ///< between the file and the request
};

} // namespace

BandsDone filter_in_bands(const std::filesystem::path& in, const BandsWish& wish, ByteSink& out,
                          const std::stop_token& stop) {
    std::string notice;
    auto done = with_fallback(wish.choice, notice, [&](const std::shared_ptr<Engine>& engine) {
        out.replace({}); // another engine may have begun
        return Work(in, wish, engine).run(out, stop);
    });
    if (!notice.empty()) done.notes.push_back(notice);
    return done;
}

std::string bands_text(std::int64_t bands, std::size_t needed, std::size_t limit) {
    return "Done in " + std::to_string(bands) + (bands == 1 ? " band" : " bands") +
           " of rows, because it needs " + memory_text(needed) + " of memory, and the limit is " +
           memory_text(limit);
}

} // namespace kg::batch
