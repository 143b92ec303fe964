// The CPU engine beside OpenCV, in one process, in turns, with the same number of threads.

#include "cpu/engine.hpp"
#include "tests/bench/opencv.hpp"
#include "tests/bench/rows.hpp"
#include "tests/support/check.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

namespace kg::testing {
namespace {

constexpr int kSides[] = {3, 5, 7, 9, 11, 15, 21, 31};

Stage dense(int side) {
    std::mt19937 random(static_cast<unsigned>(side));
    std::vector<float> weights(static_cast<std::size_t>(side * side));
    for (auto& w : weights)
        w = (static_cast<float>(random() % 2001) - 600.0f) / (400.0f * static_cast<float>(weights.size()));
    return {{make_kernel(side, side, std::move(weights))}};
}

Stage sized(const char* filter, int side) { return named(filter, "size", std::to_string(side)); }

struct Work {
    const char* name;
    std::function<Stage(int)> stage;
    std::function<void(const cv::Mat&, cv::Mat&, const Stage&, int)> opencv;
};

void filter2d(const cv::Mat& from, cv::Mat& to, const Stage& stage, int side) {
    const cv::Mat weights(side, side, CV_32F, const_cast<float*>(stage.kernels.front().weights.data()));
    cv::filter2D(from, to, -1, weights);
}
void gaussian_blur(const cv::Mat& from, cv::Mat& to, const Stage& stage, int side) {
    cv::GaussianBlur(from, to, {side, side}, std::get<GaussianGenerator>(stage.generator).sigma);
}
void box_blur(const cv::Mat& from, cv::Mat& to, const Stage&, int side) { cv::blur(from, to, {side, side}); }

const Work kWorks[] = {{"dense", dense, filter2d},
                       {"gaussian", [](int side) { return sized("gaussian", side); }, gaussian_blur},
                       {"box", [](int side) { return sized("box", side); }, box_blur}};

/// The largest difference from the reference on a small picture, in levels of the depth (floats: of full scale).
double largest_error(const ImageRequest& request, const ConstImageView& picture,
                     const ConstImageView& result) {
    const auto exact = reference_values(request, picture);
    double largest = 0;
    std::size_t i = 0;
    for (std::int64_t y = 0; y < result.size.height; ++y)
        for (std::int64_t x = 0; x < result.size.width; ++x)
            for (int c = 0; c < result.format.channels; ++c, ++i) {
                const double want = is_integer(result.format.depth)
                                        ? std::clamp(exact[i], 0.0, full_scale(result.format.depth))
                                        : exact[i];
                largest = std::max(largest, std::fabs(sample(result, x, y, c) - want));
            }
    return largest;
}

class Bench {
public:
    Bench(int threads, int samples)
        : engine_(cpu::make_engine(threads)), queue_(engine_->queue()), samples_(samples) {
        cv::setNumThreads(threads);
    }

    Json measure(const Work& work, const Format& format, int side, std::string_view force) {
        const auto stage = work.stage(side);
        ImageRequest request{kSmall, format.pixels, format.pixels, {stage}};
        const auto small = random_picture(kSmall, format.pixels, 1);
        const auto result = run(*engine_, request, small.view(), force);
        Json row{{"work", work.name}, {"format", format.name}, {"side", side}};
        if (auto right = is_right(request, small.view(), result.view()); !right) {
            row["wrong"] = right.message();
            return row;
        }
        Image theirs_small(kSmall, format.pixels), small_copy = small.clone();
        auto theirs = as_mat(theirs_small.view());
        work.opencv(as_mat(small_copy.view()), theirs, stage, side);
        row["error"] = rounded(largest_error(request, small.view(), result.view()));
        row["opencv_error"] = rounded(largest_error(request, small.view(), theirs_small.view()));

        request.size = kSize;
        const auto prepared = plan(*engine_, request, force);
        auto picture = random_picture(kSize, format.pixels, 2);
        const Item item{allocate_view(*engine_, request.in, whole(kSize)),
                        allocate_view(*engine_, request.out, whole(kSize))};
        queue_->upload(picture.view(), item.src);
        queue_->fence().wait();
        Image other(kSize, format.pixels);
        auto to = as_mat(other.view());
        const auto from = as_mat(picture.view());
        const auto ours = [&] {
            queue_->run(prepared, {&item, 1});
            queue_->fence().wait();
        };
        const auto opencv = [&] { work.opencv(from, to, stage, side); };
        ours();
        opencv();
        Times us, them;
        std::vector<double> ratios, cpu_ratios;
        for (int i = 0; i < samples_; ++i) {
            us.add(timed(ours));
            them.add(timed(opencv));
            ratios.push_back(them.wall_ms.back() / us.wall_ms.back());
            cpu_ratios.push_back(them.cpu_ms.back() / us.cpu_ms.back());
        }
        row["algorithm"] = prepared->algorithm;
        row["ms"] = summary(us.wall_ms);
        row["opencv_ms"] = summary(them.wall_ms);
        row["times_faster"] = summary(ratios);
        row["cpu_ms"] = summary(us.cpu_ms);
        row["opencv_cpu_ms"] = summary(them.cpu_ms);
        row["times_less_cpu"] = summary(cpu_ratios);
        std::printf(
            "%-9s %-8s %2d  %-14s %7.2f ms (%7.2f cpu)  opencv %7.2f ms (%7.2f cpu)  x %5.2f (%5.2f cpu)"
            "  error %.2g (opencv %.2g)\n",
            work.name, format.name, side, prepared->algorithm.c_str(), quantile(us.wall_ms, 0.5),
            quantile(us.cpu_ms, 0.5), quantile(them.wall_ms, 0.5), quantile(them.cpu_ms, 0.5),
            quantile(ratios, 0.5), quantile(cpu_ratios, 0.5), row["error"].get<double>(),
            row["opencv_error"].get<double>());
        std::fflush(stdout);
        return row;
    }

    /// The least that filtering could take: reading and writing the bytes, with as many threads.
    Json copy(const Format& format, int threads) {
        auto picture = random_picture(kSize, format.pixels, 2);
        Image other = picture.clone();
        Times all;
        for (int i = 0; i < samples_; ++i)
            all.add(timed([&] {
                std::vector<std::jthread> workers;
                const auto part = picture.size_in_bytes() / static_cast<std::size_t>(threads);
                for (int t = 0; t < threads; ++t)
                    workers.emplace_back([&, at = part * static_cast<std::size_t>(t)] {
                        std::memcpy(other.view().data + at, picture.view().data + at, part);
                    });
            }));
        std::printf("copy      %-8s %8.2f ms (%.2f cpu)\n", format.name, quantile(all.wall_ms, 0.5),
                    quantile(all.cpu_ms, 0.5));
        return {{"work", "copy"},
                {"format", format.name},
                {"ms", summary(all.wall_ms)},
                {"cpu_ms", summary(all.cpu_ms)}};
    }

private:
    std::shared_ptr<Engine> engine_;
    std::unique_ptr<Queue> queue_;
    int samples_;
};

} // namespace

void rows_against_opencv(const BenchOptions& options, Json& rows) {
    Bench bench(options.threads, options.samples);
    for (const auto& format : kFormats) {
        if (options.only.empty()) rows.push_back(bench.copy(format, options.threads));
        for (const auto& work : kWorks)
            for (const int side : kSides)
                if (options.wants(std::string(work.name) + " " + format.name + " " + std::to_string(side)))
                    rows.push_back(bench.measure(work, format, side, options.algorithm));
    }
}

} // namespace kg::testing
