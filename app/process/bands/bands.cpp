#include "app/process/bands/bands.hpp"

#include "app/process/bands/band_clips.hpp"
#include "app/process/bands/band_plan.hpp"
#include "app/process/bands/band_request.hpp"
#include "app/process/bands/row_window.hpp"
#include "app/process/file/file_request.hpp"
#include "core/image/copy_pixels.hpp"
#include "core/plan/parts.hpp"
#include "core/request/opaque.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/thread.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <future>
#include <numeric>
#include <optional>
#include <utility>

namespace kg {

namespace {

/// One image on one engine.
class BandsRun {
public:
    BandsRun(const std::filesystem::path& in, const BandsOptions& options,
             const std::shared_ptr<Engine>& engine, BandRequest asked, const std::stop_token& stop)
        : options_(options), stop_(stop), rows_(in, options.read, options.input_name),
          chunk_rows_(rows_per_chunk(rows_, options.memory)), request_(std::move(asked.file.request)) {
        done_.engine = engine;
        done_.source = std::move(asked.image);
        changes_colours_ = request_.in.premultiplied != rows_.pixels().premultiplied ||
                           done_.source.metadata != rows_.metadata();
        done_.size = request_.size;
        done_.pixels = stored_pixels(request_.out, done_.source);
        done_.notes = std::move(asked.file.notes);
        plan_ = peers::plan_with_peers(*engine, request_, options.algorithm, {stop_});
        done_.algorithm = plan_->algorithm;
        done_.opaque = asked.file.opaque;
        done_.reason = reason_with_alpha(plan_->reason, done_.opaque);
        if (options.counter) clips_.emplace(options.counter, request_);
    }

    BandsOutcome run(ByteSink& out) {
        ImageRowsWriter writer(out, request_.size, request_.out, options_.format, options_.name,
                               result_options(done_.source, options_.recipe, options_.write),
                               options_.memory);
        const auto [bands, overlap] = choose_bands(writer);
        if (overlap) run_overlapped(bands, writer);
        else run_in_turn(bands, writer);
        done_.damage = rows_.damage_note();
        if (clips_) done_.clipping = clips_->sum();
        const Timed timed(done_.seconds.encode);
        for (auto& note : writer.finish()) done_.notes.push_back(std::move(note));
        done_.bands = static_cast<std::int64_t>(bands.bands.size());
        done_.source.pixels = {};
        return std::move(done_);
    }

private:
    std::size_t memory_of(const BandPlan& bands, std::int64_t rows, bool overlap,
                          const ImageRowsWriter& writer) const {
        const auto width = request_.size.width;
        const auto in = [&](std::int64_t count) {
            return aligned_pitch(width, request_.in) * static_cast<std::size_t>(count);
        };
        const auto out = aligned_pitch(width, request_.out) * static_cast<std::size_t>(rows);
        const auto held = overlap ? in(bands.rows_with_next) + 2 * out : in(bands.source_rows) + out;
        const auto copied = computes_in_place(done_.engine->device()) ? 0 : in(bands.source_rows) + out;
        constexpr std::size_t kConverted = 2; // copies of a chunk whose colours change
        const auto chunk = aligned_pitch(width, rows_.pixels()) + kConverted * in(1) + writer.memory_of_row();
        return held + copied + bands.scratch_bytes + rows_.memory() + writer.memory() +
               (clips_ ? clips_->memory() : 0) + chunk * static_cast<std::size_t>(chunk_rows_);
    }

    std::int64_t row_quantum() const {
        return std::lcm(kg::row_quantum(*plan_, request_.size), clips_ ? clips_->row_quantum() : 1);
    }

    /// Height of a band for overlapped execution: low, so that all stages are busy soon, but not so low that
    /// computing its edges dominates.
    std::int64_t rows_to_overlap() const {
        constexpr std::int64_t kBands = 16, kHalos = 4;
        constexpr std::size_t kBytes = std::size_t{8} << 20;
        const auto [width, height] = request_.size;
        const auto rows = (height + kBands - 1) / kBands;
        const auto least = static_cast<std::int64_t>(kBytes / aligned_pitch(width, request_.in));
        return std::max({rows, least, kHalos * rows_around()});
    }

    /// Rows of the source for a row of the result.
    std::int64_t rows_around() const {
        const auto [width, height] = request_.size;
        return plan_->needs({0, height / 2, width, 1}).source.height;
    }

    struct ChosenBands {
        BandPlan bands;
        bool overlap;
    };

    /// Overlapping takes twice the memory. It costs more than it saves if the bands become so low that most
    /// of the work is in their halos.
    bool is_worth_it(const BandPlan& overlapping, const std::optional<BandPlan>& in_turn) const {
        const auto rows = [](const BandPlan& bands) { return bands.bands.front().outputs.height; };
        return !in_turn || rows(overlapping) >= std::min(rows(*in_turn), rows_around() / 2);
    }

    /// Chooses the highest bands that fit in memory. If none fit, overlapping is dropped first, then the
    /// count.
    ChosenBands choose_bands(const ImageRowsWriter& writer) {
        auto overlapping = bands_that_fit(true, writer), in_turn = bands_that_fit(false, writer);
        if (overlapping && is_worth_it(*overlapping, in_turn)) return {std::move(*overlapping), true};
        if (in_turn) return {std::move(*in_turn), false};
        clips_.reset();
        if (auto bands = bands_that_fit(false, writer)) return {std::move(*bands), false};
        const auto rows = row_quantum();
        const auto lowest = plan_bands(*plan_, request_.size, rows);
        refuse(lowest, memory_of(lowest, std::min(rows, request_.size.height), false, writer));
    }

    std::optional<BandPlan> bands_that_fit(bool overlap, const ImageRowsWriter& writer) const {
        const auto height = request_.size.height, quantum = row_quantum();
        const auto whole_quanta = [&](std::int64_t rows) { return (rows + quantum - 1) / quantum * quantum; };
        std::function<Rect(const Rect&)> counted_rows;
        if (clips_) counted_rows = [this](const Rect& outputs) { return clips_->needs(outputs); };
        const auto most = std::min(overlap ? rows_to_overlap() : height, options_.most_rows);
        for (auto rows = whole_quanta(std::min(height, most));; rows = whole_quanta(rows / 2)) {
            auto bands = plan_bands(*plan_, request_.size, rows, counted_rows);
            if (memory_of(bands, std::min(rows, height), overlap, writer) <= options_.memory) return bands;
            if (rows == quantum) return {};
        }
    }

    [[noreturn]] void refuse(const BandPlan& bands, std::size_t memory) const {
        const auto height = request_.size.height;
        const bool all = bands.source_rows == height && height > 1;
        const auto needed = memory_text(memory);
        if (!all) throw NotByRows("band-too-large", "the smallest band takes {}", needed);
        if (request_.border == Border::wrap)
            throw NotByRows("wrap-needs-all-rows",
                            "the smallest band takes {}, because under border wrap its first rows need its "
                            "last ones; another border takes less",
                            needed);
        throw NotByRows("algorithm-needs-all-rows",
                        "the smallest band takes {}, because {} needs all rows at once", needed,
                        done_.algorithm);
    }

    /// Runs one stage at a time, which takes the least memory.
    void run_in_turn(const BandPlan& bands, ImageRowsWriter& writer) {
        RowWindow window({request_.size.width, bands.source_rows}, request_.in);
        Image result({request_.size.width, bands.bands.front().outputs.height}, request_.out);
        for (const auto& band : bands.bands) {
            if (stop_.stop_requested()) throw Cancelled();
            window.begin_at(band.source.y);
            const auto rows = band.source.bottom() - window.covers().bottom();
            read(window.room(rows));
            window.append(rows);
            const auto outputs = rows_of(result, band);
            compute(window, band.outputs, outputs);
            write(outputs, writer);
            report_progress(band);
        }
    }

    /// Reads the next band and writes the previous one while a band is computed.
    void run_overlapped(const BandPlan& plan, ImageRowsWriter& writer) {
        const auto& bands = plan.bands;
        RowWindow window({request_.size.width, plan.rows_with_next}, request_.in);
        Image results[2];
        for (auto& result : results)
            result = Image({request_.size.width, bands.front().outputs.height}, request_.out);
        read(window.room(bands.front().source.height));
        window.append(bands.front().source.height);
        for (std::size_t i = 0; i < bands.size(); ++i) {
            if (stop_.stop_requested()) throw Cancelled();
            window.begin_at(bands[i].source.y);
            const auto next = i + 1 < bands.size() ? bands[i + 1].source.bottom() : bands[i].source.bottom();
            const auto rows = next - window.covers().bottom();
            const auto room = window.room(rows);
            std::future<void> reading, writing; // their destructors wait if something is thrown
            if (rows > 0) reading = begin_work([&] { read(room); });
            if (i > 0)
                writing = begin_work(
                    [&, before = rows_of(results[(i - 1) % 2], bands[i - 1])] { write(before, writer); });
            compute(window, bands[i].outputs, rows_of(results[i % 2], bands[i]));
            if (writing.valid()) writing.get(), report_progress(bands[i - 1]);
            if (reading.valid()) reading.get();
            window.append(rows);
        }
        write(rows_of(results[(bands.size() - 1) % 2], bands.back()), writer);
        report_progress(bands.back());
    }

    static ImageView rows_of(Image& result, const Band& band) {
        return result.view().crop({0, 0, band.outputs.width, band.outputs.height});
    }

    void report_progress(const Band& done) const {
        if (options_.progress) options_.progress(done.outputs.bottom(), request_.size.height);
    }

    void read(const ImageView& to) {
        const Timed timed(done_.seconds.decode);
        if (!changes_colours_) return rows_.read(to);
        for (std::int64_t y = 0; y < to.size.height; y += chunk_rows_) {
            const auto place = to.crop(intersect(whole(to.size), {0, y, to.size.width, chunk_rows_}));
            auto rows = rows_.image(Image(place.size, rows_.pixels()));
            rows_.read(rows.pixels.view());
            prepare_colours(rows, options_.recipe, options_.format);
            copy_pixels(rows.pixels.view(), place);
        }
    }

    void compute(const RowWindow& window, const Rect& outputs, const ImageView& result) {
        const Timed timed(done_.seconds.filter);
        if (clips_) clips_->count_band(window.view(), window.covers(), outputs);
        run_in_parts(*done_.engine, plan_, window.view(), window.covers(), result, outputs, stop_);
    }

    void write(const ConstImageView& result, ImageRowsWriter& writer) {
        const Timed timed(done_.seconds.encode);
        for (std::int64_t y = 0; y < result.size.height; y += chunk_rows_)
            writer.write(result.crop(intersect(whole(result.size), {0, y, result.size.width, chunk_rows_})));
    }

    const BandsOptions& options_;
    const std::stop_token& stop_;
    ImageRows rows_;
    const std::int64_t chunk_rows_;
    const ImageRequest request_;
    BandsOutcome done_;
    std::shared_ptr<const Plan> plan_;
    std::optional<BandClips> clips_;
    bool changes_colours_ = false; ///< between the file and the request
};

} // namespace

BandsOutcome filter_in_bands(const std::filesystem::path& in, const BandsOptions& options, ByteSink& out,
                             const std::stop_token& stop) {
    std::string notice;
    BandRequests requests(in, options, stop);
    auto done = with_fallback(options.choice, notice, [&](const std::shared_ptr<Engine>& engine) {
        out.clear(); // another engine may have written
        try {
            return BandsRun(in, options, engine, requests.of(*engine), stop).run(out);
        } catch (const NotByRows&) {
            if (!requests.read_alpha_next()) throw; // alpha weighting takes memory, too
        }
        out.clear();
        return BandsRun(in, options, engine, requests.of(*engine), stop).run(out);
    });
    done.seconds.decode += requests.seconds();
    done.notice = std::move(notice);
    done.add_notice();
    return done;
}

std::string bands_text(std::int64_t bands, std::size_t needed, std::size_t limit) {
    return "Done in " + (bands == 1 ? "a band" : std::to_string(bands) + " bands") +
           " of rows, because it needs " + memory_text(needed) + " of memory, and the limit is " +
           memory_text(limit);
}

Error no_bands_error(std::string_view name, const NotByRows& reason, std::size_t needed, std::size_t limit,
                     std::string_view flag) {
    const Error error("image-too-large",
                      "cannot open {}: it needs {} of memory, and the limit is {}; nor can it be done in "
                      "bands of rows: {}; {} sets another limit",
                      name, memory_text(needed), memory_text(limit), reason.what(), flag);
    return error.because_of(reason);
}

} // namespace kg
