// Not a test: times the CPU engine beside OpenCV, in one process, in turns, with the same number of threads.
//
//     kg_cpu_bench RESULT.json [--samples N] [--threads N] [--only TEXT]
//
// Every way is first run on a small picture and compared with the float64 reference; what is not right is not timed.

#include "cpu/engine.hpp"
#include "filters/recipe.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include <time.h>

namespace kg::testing {
namespace {

using Json = nlohmann::json;

constexpr Extent kSize{3840, 2160};
constexpr Extent kSmall{257, 193};
constexpr int kSides[] = {3, 5, 7, 9, 11, 15, 21, 31};

struct Format {
    const char* name;
    PixelFormat pixels;
};
constexpr Format kFormats[] = {{"rgba8", {Depth::u8, 4}},
                               {"rgb8", {Depth::u8, 3}},
                               {"grey8", {Depth::u8, 1}},
                               {"greyf32", {Depth::f32, 1}},
                               {"rgb16", {Depth::u16, 3}}};

Stage dense(int side) {
    std::mt19937 random(static_cast<unsigned>(side));
    std::vector<float> weights(static_cast<std::size_t>(side * side));
    for (auto& w : weights)
        w = (static_cast<float>(random() % 2001) - 600.0f) / (400.0f * static_cast<float>(weights.size()));
    return {{make_kernel(side, side, std::move(weights))}};
}

Stage named(const char* filter, int side) { return stage_of({filter, {{"size", std::to_string(side)}}, {}}); }

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
                       {"gaussian", [](int side) { return named("gaussian", side); }, gaussian_blur},
                       {"box", [](int side) { return named("box", side); }, box_blur}};

cv::Mat as_mat(const ImageView& view) {
    const int type = view.format.depth == Depth::u8    ? CV_8U
                     : view.format.depth == Depth::u16 ? CV_16U
                                                       : CV_32F;
    return {static_cast<int>(view.size.height), static_cast<int>(view.size.width),
            CV_MAKETYPE(type, view.format.channels), view.data, view.pitch};
}

/// What a call takes: on the clock, and on all cores together, which other programs' work disturbs less.
struct Taken {
    double wall_ms, cpu_ms;
};

double processor_ms() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

Taken timed(const std::function<void()>& body) {
    const double cpu = processor_ms();
    const auto began = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - began;
    return {wall.count(), processor_ms() - cpu};
}

/// The same for many calls.
struct Times {
    std::vector<double> wall_ms, cpu_ms;
    void add(const Taken& one) {
        wall_ms.push_back(one.wall_ms);
        cpu_ms.push_back(one.cpu_ms);
    }
};

double quantile(std::vector<double> values, double q) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

Json summary(const std::vector<double>& values) {
    return {
        {"median", quantile(values, 0.5)}, {"p5", quantile(values, 0.05)}, {"p95", quantile(values, 0.95)}};
}

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
        row["error"] = largest_error(request, small.view(), result.view());
        row["opencv_error"] = largest_error(request, small.view(), theirs_small.view());

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

    const Engine& engine() const { return *engine_; }

private:
    std::shared_ptr<Engine> engine_;
    std::unique_ptr<Queue> queue_;
    int samples_;
};

} // namespace
} // namespace kg::testing

int main(int argc, char** argv) {
    using namespace kg::testing;
    const std::vector<std::string> words(argv + 1, argv + argc);
    int samples = 15, threads = 2;
    std::string only, force, path;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--samples") samples = std::stoi(words.at(++i));
        else if (words[i] == "--threads") threads = std::stoi(words.at(++i));
        else if (words[i] == "--only") only = words.at(++i);
        else if (words[i] == "--algorithm") force = words.at(++i);
        else path = words[i];
    }
    if (path.empty()) {
        std::puts(
            "Usage: kg_cpu_bench RESULT.json [--samples N] [--threads N] [--only TEXT] [--algorithm ID]\n"
            "TEXT chooses rows by a part of their name, as in \"gaussian rgba8\" or \"grey8 31\".");
        return 2;
    }
    Bench bench(threads, samples);
    const auto& device = bench.engine().device();
    Json report{{"device", device.name}, {"description", device.description},
                {"opencv", CV_VERSION},  {"size", {kSize.width, kSize.height}},
                {"samples", samples},    {"threads", threads},
                {"border", "reflect101"}};
    auto& rows = report["rows"] = Json::array();
    for (const auto& format : kFormats) {
        if (only.empty()) rows.push_back(bench.copy(format, threads));
        for (const auto& work : kWorks)
            for (const int side : kSides) {
                const auto name = std::string(work.name) + " " + format.name + " " + std::to_string(side) +
                                  " ";
                if (name.find(only) != std::string::npos)
                    rows.push_back(bench.measure(work, format, side, force));
            }
    }
    std::ofstream(path) << report.dump(1) << "\n";
    return 0;
}
