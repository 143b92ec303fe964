// Sums by Fourier transforms (core/request/bank_spectra.hpp). A frame's rows lie one after another in a
// one-dimensional transform, whose weights have the same pitch, as in Stockham's overlap-save: no row of
// transforms, and frames of any shape. Two frames, one below the other, are transformed at once, as real
// and imaginary part: the weights are real, so the parts stay apart. Fastest for kernels from some 7 x 7 on
// and many channels.
//
// The error is not that of semantics 16, so a tolerance must allow it. Frames with numbers that are not
// finite, or so large that a transform might overflow, are computed by the definition.

#include "core/request/bank_spectra.hpp"
#include "cpu/kernels/fourier.hpp"
#include "cpu/kernels/spectrum_sums.hpp"
#include "cpu/runtime/bank_plan.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace kg::cpu::banks {

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 28; ///< of the filters' spectra
constexpr std::int64_t kMostPairs = 16; ///< of a task, which share the reading of the spectra
constexpr std::int64_t kTaskBytes = std::int64_t{1} << 25; ///< of a task's spectra
constexpr std::int64_t kLargestFrame = std::int64_t{1} << 16;

std::int64_t parts_of(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

/// A frame has rows of `pitch` numbers, and yields `outputs`.
struct Frame {
    std::int64_t size = 0, pitch = 0; ///< of a transform; 0 = there is none
    Extent outputs{};
    std::int64_t pairs = 0;  ///< of frames, for one item
    double microseconds = 0; ///< of one thread, for one item

    std::int64_t rows() const { return size / pitch; }
};

std::int64_t spectra_bytes(const BankRequest& r, std::int64_t size) {
    return parts_of(group_filters(r), kSpectrumFilters) * kSpectrumFilters * r.groups * group_channels(r) *
           size * 2 * static_cast<std::int64_t>(sizeof(float));
}

/// Estimated time of frames of this shape: a transform of N numbers takes about 5 N log2(N) operations, and a
/// product of complex numbers eight. The spectra of the filters are read once for kMostPairs pairs of frames,
/// which takes longer than their products where there are few. Rates are those of one core.
double time_of(const BankRequest& r, const Frame& frame) {
    constexpr double kTransformPerUs = 12000, kProductsPerUs = 32000, kNumbersPerUs = 1500,
                     kBytesPerUs = 22000;
    const auto n = static_cast<double>(frame.size), channels = static_cast<double>(r.channels),
               filters = static_cast<double>(r.filters);
    const auto pairs = frame.pairs;
    const double products = 8 * n * filters * static_cast<double>(group_channels(r)) *
                            static_cast<double>(pairs) / kProductsPerUs,
                 reading = static_cast<double>(spectra_bytes(r, frame.size)) *
                           static_cast<double>(parts_of(pairs, kMostPairs)) / kBytesPerUs;
    return static_cast<double>(pairs) * (channels + filters) *
               (5 * n * std::log2(n) / kTransformPerUs + 2 * n / kNumbersPerUs) +
           std::max(products, reading);
}

/// The fastest shape; none where the kernel is larger than the largest frame, or the spectra than kMostBytes.
Frame frame_of(const BankRequest& r) {
    const auto reach = tap_span(r), size = output_size(r);
    Frame best;
    for (auto n = static_cast<std::int64_t>(FourierTransform<float>::kSmallest); n <= kLargestFrame; n *= 2) {
        if (reach.width > n / reach.height || spectra_bytes(r, n) > kMostBytes) continue;
        for (std::int64_t columns = 1; columns <= size.width; columns += 1 + columns / 16) {
            Frame frame{n, reach.width + (columns - 1) * r.stride.columns, {columns, 0}};
            if (frame.pitch > n / reach.height) break;
            frame.outputs.height = std::min((frame.rows() - reach.height) / r.stride.rows + 1, size.height);
            frame.pairs = parts_of(size.width, columns) * parts_of(size.height, 2 * frame.outputs.height);
            frame.microseconds = time_of(r, frame);
            if (best.size == 0 || frame.microseconds < best.microseconds) best = frame;
        }
    }
    return best;
}

/// Pairs of frames of a task: as many as share the spectra, and fewer where threads would have none or their
/// memory would be large.
Extent tile_of(const BankRequest& r, const Frame& frame, int threads) {
    const auto size = output_size(r);
    const auto pair_bytes = 2 * static_cast<std::int64_t>(sizeof(float)) * frame.size *
                            (group_channels(r) + group_filters(r));
    const auto most = std::clamp<std::int64_t>(kTaskBytes / pair_bytes, 1, kMostPairs);
    const auto columns = parts_of(size.width, frame.outputs.width),
               rows = parts_of(size.height, 2 * frame.outputs.height);
    const auto pairs = std::clamp<std::int64_t>(parts_of(columns * rows, threads), 1, most);
    const auto across = std::min(columns, pairs);
    return {across * frame.outputs.width, std::min(rows, pairs / across) * 2 * frame.outputs.height};
}

class FftPlan final : public BankPlan {
public:
    FftPlan(const BankRequest& request, const Frame& frame, int threads)
        : BankPlan(request, tile_of(request, frame, threads), group_filters(request),
                   {frame.outputs.width, 2 * frame.outputs.height}),
          frame_(frame), reach_(tap_span(request)), size_(output_size(request)),
          filter_blocks_(parts_of(group_filters(request), kSpectrumFilters)),
          transform_(static_cast<std::size_t>(frame.size)) {
        make_spectra();
    }

private:
    std::int64_t blocks() const { return frame_.size / kSpectrumBlock; }

    /// For each group, block of frequencies and kSpectrumFilters filters: channels x filters.
    void make_spectra() {
        const auto& r = request_;
        const auto channels = group_channels(r), of_group = group_filters(r), n = frame_.size;
        spectra_.resize(static_cast<std::size_t>(r.groups * blocks() * filter_blocks_ * channels *
                                                 kSpectrumFilters * kSpectrumNumbers));
        const FourierTransform<double> transform(static_cast<std::size_t>(n));
        std::vector<double> re(static_cast<std::size_t>(n)), im(re);
        double largest = 0;
        const float* weight = r.weights.data();
        for (std::int64_t filter = 0; filter < r.filters; ++filter) {
            double absolute = 0;
            for (std::int64_t c = 0; c < channels; ++c) {
                std::ranges::fill(re, 0.0), std::ranges::fill(im, 0.0);
                for (std::int64_t i = 0; i < r.kernel.height; ++i)
                    for (std::int64_t j = 0; j < r.kernel.width; ++j, ++weight) {
                        const auto place = i * r.dilation.rows * frame_.pitch + j * r.dilation.columns;
                        re[static_cast<std::size_t>(place)] = static_cast<double>(*weight);
                        absolute += std::fabs(static_cast<double>(*weight));
                    }
                transform.forward(re.data(), im.data());
                const auto in_group = filter % of_group;
                for (std::int64_t block = 0; block < blocks(); ++block) {
                    float* to = spectra_.data() + ((((filter / of_group * blocks() + block) * filter_blocks_ +
                                                     in_group / kSpectrumFilters) *
                                                        channels +
                                                    c) *
                                                       kSpectrumFilters +
                                                   in_group % kSpectrumFilters) *
                                                      kSpectrumNumbers;
                    // The conjugate makes a correlation of the product, and the inverse transform multiplies
                    // by n.
                    for (std::int64_t k = 0; k < kSpectrumBlock; ++k) {
                        const auto at = static_cast<std::size_t>(block * kSpectrumBlock + k);
                        to[k] = static_cast<float>(re[at] / static_cast<double>(n));
                        to[kSpectrumBlock + k] = static_cast<float>(-im[at] / static_cast<double>(n));
                    }
                }
            }
            largest = std::max(largest, absolute);
        }
        // No number of a transform is larger than the sum of those that it begins with.
        constexpr double kLargest = 0x1p126;
        largest_number_ = std::isfinite(largest)
                              ? kLargest / (2 * static_cast<double>(n) * std::max(largest, 1.0))
                              : -1;
    }

    /// The frames that contain the tile begin at multiples of their outputs, wherever the tile begins: an
    /// output has the same roundings in any tile.
    void compute(const BankSource& source, const BankTile& tile, const BankTarget& target) const override {
        const auto& o = tile.outputs;
        const auto width = frame_.outputs.width, height = 2 * frame_.outputs.height;
        const Rect pairs{o.x / width, o.y / height, parts_of(o.right(), width) - o.x / width,
                         parts_of(o.bottom(), height) - o.y / height};
        const auto count = pairs.width * pairs.height, channels = group_channels(request_),
                   group = tile.filters.begin / group_filters(request_);
        thread_local std::vector<float> numbers, sums, buffer;
        numbers.resize(static_cast<std::size_t>(blocks() * count * channels * kSpectrumNumbers));
        sums.resize(static_cast<std::size_t>(blocks() * count * filter_blocks_ * kSpectrumFilters *
                                             kSpectrumNumbers));
        buffer.resize(static_cast<std::size_t>(2 * frame_.size));
        std::vector<bool> fits(static_cast<std::size_t>(count), true);
        float *re = buffer.data(), *im = re + frame_.size;
        for (std::int64_t pair = 0; pair < count; ++pair)
            for (std::int64_t c = 0; c < channels; ++c) {
                const auto x = pairs.x + pair % pairs.width, y = 2 * (pairs.y + pair / pairs.width);
                load(source, group * channels + c, x, y, re);
                load(source, group * channels + c, x, y + 1, im);
                const auto at = static_cast<std::size_t>(pair);
                fits[at] = fits[at] && is_small(buffer);
                if (!fits[at]) std::ranges::fill(buffer, 0.0f);
                transform_.forward(re, im);
                for (std::int64_t block = 0; block < blocks(); ++block) {
                    float* to = numbers.data() + ((block * count + pair) * channels + c) * kSpectrumNumbers;
                    std::copy_n(re + block * kSpectrumBlock, kSpectrumBlock, to);
                    std::copy_n(im + block * kSpectrumBlock, kSpectrumBlock, to + kSpectrumBlock);
                }
            }
        for (std::int64_t block = 0; block < blocks(); ++block)
            for (std::int64_t f = 0; f < filter_blocks_; ++f) {
                const float* weights = spectra_.data() + ((group * blocks() + block) * filter_blocks_ + f) *
                                                             channels * kSpectrumFilters * kSpectrumNumbers;
                for (std::int64_t pair = 0; pair < count; ++pair)
                    sum_spectra(
                        weights, numbers.data() + (block * count + pair) * channels * kSpectrumNumbers,
                        channels, sums.data() + sum_place(block * count + pair, f * kSpectrumFilters));
            }
        for (std::int64_t pair = 0; pair < count; ++pair)
            for (auto filter = tile.filters.begin; filter < tile.filters.end; ++filter) {
                for (std::int64_t block = 0; block < blocks(); ++block) {
                    const float* from = sums.data() +
                                        sum_place(block * count + pair, filter % group_filters(request_));
                    std::copy_n(from, kSpectrumBlock, re + block * kSpectrumBlock);
                    std::copy_n(from + kSpectrumBlock, kSpectrumBlock, im + block * kSpectrumBlock);
                }
                transform_.inverse(re, im);
                const auto x = pairs.x + pair % pairs.width, y = 2 * (pairs.y + pair / pairs.width);
                const bool computed = fits[static_cast<std::size_t>(pair)];
                store(source, filter, x, y, o, computed ? re : nullptr, target);
                store(source, filter, x, y + 1, o, computed ? im : nullptr, target);
            }
    }

    std::int64_t sum_place(std::int64_t block_and_pair, std::int64_t filter) const {
        return (block_and_pair * filter_blocks_ * kSpectrumFilters + filter) * kSpectrumNumbers;
    }

    /// Outputs of the request that a frame yields.
    Rect outputs_of(std::int64_t x, std::int64_t y) const {
        const auto& [width, height] = frame_.outputs;
        return {x * width, y * height, std::clamp<std::int64_t>(size_.width - x * width, 0, width),
                std::clamp<std::int64_t>(size_.height - y * height, 0, height)};
    }

    /// What the frame's outputs depend on; the rest is zeros, which need not be in memory.
    void load(const BankSource& source, std::int64_t channel, std::int64_t x, std::int64_t y,
              float* to) const {
        const auto& r = request_;
        std::fill_n(to, frame_.size, 0.0f);
        const auto outputs = outputs_of(x, y);
        if (outputs.empty()) return;
        const auto rows = (outputs.height - 1) * r.stride.rows + reach_.height,
                   columns = (outputs.width - 1) * r.stride.columns + reach_.width;
        for (std::int64_t i = 0; i < rows; ++i)
            source.load(channel, outputs.y * r.stride.rows + i - r.padding.top,
                        outputs.x * r.stride.columns - r.padding.left, columns, 1, to + i * frame_.pitch);
    }

    bool is_small(const std::vector<float>& numbers) const {
        return std::ranges::all_of(numbers, [this](float x) { // not NaN
            return std::fabs(static_cast<double>(x)) <= largest_number_;
        });
    }

    /// The outputs of a frame that the tile has; by the definition without `sums`.
    void store(const BankSource& source, std::int64_t filter, std::int64_t x, std::int64_t y,
               const Rect& tile, const float* sums, const BankTarget& target) const {
        const auto frame = outputs_of(x, y), wanted = intersect(frame, tile);
        thread_local std::vector<float> row;
        row.resize(static_cast<std::size_t>(wanted.width));
        for (auto p = wanted.y; p < wanted.bottom(); ++p) {
            for (auto q = wanted.x; q < wanted.right(); ++q) {
                const auto place = (p - frame.y) * request_.stride.rows * frame_.pitch +
                                   (q - frame.x) * request_.stride.columns;
                row[static_cast<std::size_t>(q - wanted.x)] =
                    (sums ? sums[place] : bank_output(source, filter, p, q)) + bias(filter);
            }
            if (!row.empty()) target.store(filter, wanted.x, p, row.data(), wanted.width);
        }
    }

    const Frame frame_;
    const Extent reach_, size_;
    const std::int64_t filter_blocks_; ///< of a group
    const FourierTransform<float> transform_;
    std::vector<float> spectra_;
    double largest_number_ = 0;
};

double error(const PlanStep& step) {
    const auto& r = std::get<BankRequest>(step);
    const auto frame = frame_of(r);
    if (frame.size == 0) return 0;
    return spectra_error(r, static_cast<double>(frame.size));
}

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& r = std::get<BankRequest>(step);
    if (r.tolerance == 0) return std::string(kNeedsTolerance);
    const auto frame = frame_of(r);
    if (frame.size == 0) return "the spectra of its weights would exceed 256 MiB";
    return why_not_spectra(r, static_cast<double>(frame.size));
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& r = std::get<BankRequest>(step);
    const auto frame = frame_of(r);
    if (frame.size == 0) return {Cost::kOnlyWhenForced};
    const auto tasks = std::min<std::int64_t>(threads_of(engine), r.items * frame.pairs * r.groups);
    return {static_cast<double>(r.items) * frame.microseconds / static_cast<double>(tasks)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    const auto& r = std::get<BankRequest>(step);
    return std::make_shared<FftPlan>(r, frame_of(r), threads_of(engine));
}

} // namespace

extern const Algorithm kFft{"fft",
                            "Fourier transform",
                            "One product for each frequency instead of one for each tap; under a tolerance",
                            kSpectraSource,
                            why_not,
                            cost,
                            plan,
                            false,
                            error};

} // namespace kg::cpu::banks
