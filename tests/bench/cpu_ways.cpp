// The CPU engine's ways beside each other, in one process, in turns.

#include "cpu/engine.hpp"
#include "tests/bench/opencv.hpp"
#include "tests/bench/rows.hpp"
#include "tests/support/check.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kg::testing {
namespace {

/// One row of the table: a stage, and the ways that compete for it.
struct Contest {
    std::string work, parameter; ///< the filter; "side" or "sigma", or empty
    double value = 0;            ///< of the parameter
    double tolerance = 0;
    std::vector<std::string> ways;
    std::vector<std::string> formats;
    bool opencv = false;

    std::string number() const {
        char text[32];
        std::snprintf(text, sizeof text, "%g", value);
        return text;
    }
    /// Without listed weights where none of the ways reads them: the reference is quick then too.
    Stage stage() const {
        if (parameter.empty()) return named(work, "", "");
        if (work == "gaussian") {
            const int side = 2 * static_cast<int>(std::ceil(4 * value)) + 1;
            return generated_stage(GaussianGenerator{value, side, side});
        }
        const int side = static_cast<int>(value);
        return std::ranges::find(ways, "direct") == ways.end() ? generated_stage(BoxGenerator{side, side})
                                                               : named(work, "size", number());
    }
};

std::vector<Contest> contests() {
    std::vector<Contest> all;
    for (const int side : {3, 9, 31, 101, 501}) {
        std::vector<std::string> ways{"box"};
        if (side <= 101) ways.push_back("separable"); // sides whose time does not hold up the rest
        if (side <= 9) ways.push_back("direct");
        all.push_back({"box",
                       "side",
                       static_cast<double>(side),
                       0,
                       ways,
                       {"rgba8", "grey8", "greyf32", "rgb16"},
                       true});
    }
    for (const auto* filter : {"sobel", "scharr", "prewitt"})
        all.push_back({filter,
                       "",
                       0,
                       0,
                       {"gradient", "separable", "direct"},
                       {"rgba8", "rgb8", "grey8", "greyf32", "rgb16"}});
    for (const double sigma : {3.0, 10.0, 50.0, 200.0}) {
        std::vector<std::string> ways{"recursive"};
        if (sigma <= 50) ways.push_back("separable");
        all.push_back({"gaussian", "sigma", sigma, 1e-3, ways, {"rgba8", "greyf32"}, sigma <= 50});
    }
    return all;
}

struct Way {
    std::string name;
    std::function<void()> run;
    Times times{};
};

class Bench {
public:
    explicit Bench(const BenchOptions& options)
        : engine_(cpu::make_engine(options.threads)), queue_(engine_->queue()), samples_(options.samples) {
        cv::setNumThreads(options.threads);
    }

    Json measure(const Contest& contest, const Format& format) {
        const auto stage = contest.stage();
        Json row{{"work", contest.work}, {"format", format.name}};
        if (!contest.parameter.empty()) row[contest.parameter] = Json::parse(contest.number());
        if (contest.tolerance > 0) row["tolerance"] = contest.tolerance;
        ImageRequest request{kSmall, format.pixels, format.pixels, {stage}};
        request.tolerance = contest.tolerance;
        const auto small = random_picture(kSmall, format.pixels, 1);
        for (const auto& way : contest.ways)
            if (auto right = is_right(request, small.view(), run(*engine_, request, small.view(), way).view(),
                                      *std::ranges::find(engine_->algorithms(), way, &Algorithm::id));
                !right) {
                row["wrong"] = way + ": " + right.message();
                return row;
            }

        request.size = kSize;
        auto picture = random_picture(kSize, format.pixels, 2);
        const Item item{allocate_view(*engine_, request.in, whole(kSize)),
                        allocate_view(*engine_, request.out, whole(kSize))};
        queue_->upload(picture.view(), item.src);
        queue_->fence().wait();
        Image other(kSize, format.pixels);
        std::vector<Way> ways;
        for (const auto& name : contest.ways)
            ways.push_back({name, [this, &item, prepared = plan(*engine_, request, name)] {
                                queue_->run(prepared, {&item, 1});
                                queue_->fence().wait();
                            }});
        if (contest.opencv) ways.push_back({"opencv", [&] { opencv(contest, stage, picture, other); }});
        for (auto& way : ways) way.run();
        for (int i = 0; i < samples_; ++i)
            for (auto& way : ways) way.times.add(timed(way.run));

        row["chosen"] = plan(*engine_, request)->algorithm;
        std::printf("%-9s %-8s %5s", contest.work.c_str(), format.name,
                    contest.parameter.empty() ? "" : contest.number().c_str());
        for (const auto& way : ways) {
            row[way.name] = {{"ms", rounded(quantile(way.times.wall_ms, 0.5))},
                             {"cpu_ms", rounded(quantile(way.times.cpu_ms, 0.5))}};
            std::printf("  %s %.2f ms (%.2f cpu)", way.name.c_str(), quantile(way.times.wall_ms, 0.5),
                        quantile(way.times.cpu_ms, 0.5));
        }
        std::printf("\n");
        std::fflush(stdout);
        return row;
    }

private:
    static void opencv(const Contest& contest, const Stage& stage, Image& from, Image& to) {
        const auto source = as_mat(from.view());
        auto target = as_mat(to.view());
        const auto& kernel = stage.kernels.front();
        if (contest.work == "box") cv::blur(source, target, {kernel.width, kernel.height});
        else cv::GaussianBlur(source, target, {kernel.width, kernel.height}, contest.value);
    }

    std::shared_ptr<Engine> engine_;
    std::unique_ptr<Queue> queue_;
    int samples_;
};

} // namespace

void rows_of_ways(const BenchOptions& options, Json& rows) {
    Bench bench(options);
    for (const auto& contest : contests())
        for (const auto& format : kFormats)
            if (std::ranges::find(contest.formats, format.name) != contest.formats.end() &&
                options.wants(contest.work + " " + format.name +
                              (contest.parameter.empty() ? "" : " " + contest.number())))
                rows.push_back(bench.measure(contest, format));
}

} // namespace kg::testing
