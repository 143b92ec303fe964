// OpenCV on the CPU, at its best setting for each function: the whole image at once, as many threads as the
// engine has, kernels, factors and sigmas computed before timing begins.
//
// The only file beside app/io that uses OpenCV. `opencv:filter2D` above 11 x 11 (or so) is OpenCV's own FFT,
// which it chooses by itself (OpenCV 4 documentation, filter2D).

#include "peers/peers.hpp"

#include "core/request/step.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "cpu/runtime/thread_limit.hpp"

#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>

namespace kg::peers {

namespace {

/// The work of an OpenCV function on two whole images.
using Body = std::function<void(const cv::Mat& from, cv::Mat& to)>;
/// Makes the body of a step, or returns the reason why the function does not support it.
using Prepare = std::string (*)(const ImageStep& step, Body* body);

int mat_type(const PixelFormat& format) {
    switch (format.depth) {
    case Depth::u8: return CV_8UC(format.channels);
    case Depth::u16: return CV_16UC(format.channels);
    case Depth::f16: return CV_16FC(format.channels);
    case Depth::f32: return CV_32FC(format.channels);
    case Depth::f64: break; // only between steps
    }
    return -1;
}

cv::Mat as_mat(const ImageView& view) {
    return {static_cast<int>(view.size.height), static_cast<int>(view.size.width), mat_type(view.format),
            view.data, view.pitch};
}

int border_type(Border border) {
    switch (border) {
    case Border::zero:
    case Border::constant: return cv::BORDER_CONSTANT; // steps have no `constant` (core/plan/frame.hpp)
    case Border::replicate: return cv::BORDER_REPLICATE;
    case Border::reflect: return cv::BORDER_REFLECT;
    case Border::reflect101: return cv::BORDER_REFLECT_101;
    case Border::wrap: return cv::BORDER_WRAP;
    }
    return -1;
}

/// What holds for all of its functions.
std::string why_not_at_all(const ImageStep& step) {
    if (auto why = why_not_one_stage(step); !why.empty()) return why;
    if (step.in.depth == Depth::f16) return "OpenCV does not filter half floats";
    if (step.in.depth != step.out.depth || step.in.scale != step.out.scale)
        return "OpenCV's result has the depth of its input, and here the result of the filter has another";
    if (step.border == Border::wrap) return "OpenCV's filters know no border wrap";
    if (computed_channels(step) != all_channels(step.in.channels)) return "OpenCV filters all channels";
    if (step.stages.front().combine != Combine::single) return "OpenCV has no such combination in one call";
    if (std::max(step.size.width, step.size.height) > 32767) return "OpenCV counts in shorter numbers";
    return {};
}

/// The kernel as a correlation, with the divisor applied.
struct Weights {
    Taps taps;
    cv::Mat mat;
    double delta;
    cv::Point anchor() const { return {taps.anchor_x, taps.anchor_y}; }
};
Weights weights_of(const ImageStep& step) {
    const auto& stage = step.stages.front();
    Weights w{taps(stage.kernels.front()), {}, static_cast<double>(offset(stage)) * full_scale(step.in)};
    w.mat.create(w.taps.height, w.taps.width, CV_32F);
    for (int i = 0; i < w.taps.height; ++i)
        for (int j = 0; j < w.taps.width; ++j) w.mat.at<float>(i, j) = w.taps.at(i, j) / w.taps.divisor;
    return w;
}

std::string filter2d(const ImageStep& step, Body* body) {
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (body)
        *body = [w = weights_of(step), border = border_type(step.border)](const cv::Mat& from, cv::Mat& to) {
            cv::filter2D(from, to, -1, w.mat, w.anchor(), w.delta, border);
        };
    return {};
}

/// Row and column whose product is the kernel to within float rounding, if they exist.
std::optional<std::pair<cv::Mat, cv::Mat>> factors_of(const Weights& w) {
    double largest = 0;
    int pivot_row = 0, pivot_column = 0;
    for (int i = 0; i < w.mat.rows; ++i)
        for (int j = 0; j < w.mat.cols; ++j)
            if (const double v = std::fabs(static_cast<double>(w.mat.at<float>(i, j))); v > largest)
                largest = v, pivot_row = i, pivot_column = j;
    if (largest == 0) return std::nullopt;
    const cv::Mat row = w.mat.row(pivot_row).clone();
    const cv::Mat column = w.mat.col(pivot_column) / w.mat.at<float>(pivot_row, pivot_column);
    const cv::Mat error = cv::abs(column * row - w.mat);
    double most = 0;
    cv::minMaxLoc(error, nullptr, &most);
    if (most > 4e-7 * largest) return std::nullopt;
    return std::pair{row, column};
}

std::string sep_filter2d(const ImageStep& step, Body* body) {
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    const auto w = weights_of(step);
    const auto factors = factors_of(w);
    if (!factors) return "the kernel is not a column times a row";
    if (body)
        *body = [w, f = *factors, border = border_type(step.border)](const cv::Mat& from, cv::Mat& to) {
            cv::sepFilter2D(from, to, -1, f.first, f.second, w.anchor(), w.delta, border);
        };
    return {};
}

bool centred(const Kernel& k) {
    return k.anchor_x == k.width / 2 && k.anchor_y == k.height / 2 &&
           (!k.flip || (k.width % 2 && k.height % 2));
}

std::string gaussian_blur(const ImageStep& step, Body* body) {
    const auto& stage = step.stages.front();
    const auto& kernel = stage.kernels.front();
    const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator);
    if (!gaussian || offset(stage) != 0) return "the kernel is no Gaussian";
    if (kernel.width % 2 == 0 || kernel.height % 2 == 0 || !centred(kernel))
        return "GaussianBlur takes odd sizes around their middle";
    if (body)
        *body = [g = *gaussian, border = border_type(step.border)](const cv::Mat& from, cv::Mat& to) {
            cv::GaussianBlur(from, to, {g.width, g.height}, g.sigma, g.sigma, border);
        };
    return {};
}

std::string blur(const ImageStep& step, Body* body) {
    const auto& stage = step.stages.front();
    const auto& kernel = stage.kernels.front();
    const auto* box = std::get_if<BoxGenerator>(&stage.generator);
    if (!box || offset(stage) != 0) return "the kernel is no box";
    if (kernel.divisor != static_cast<float>(box->width) * static_cast<float>(box->height) || kernel.flip)
        return "blur divides by the area of its box";
    if (body)
        *body = [b = *box, at = cv::Point{kernel.anchor_x, kernel.anchor_y},
                 border = border_type(step.border)](const cv::Mat& from, cv::Mat& to) {
            cv::blur(from, to, {b.width, b.height}, at, border);
        };
    return {};
}

/// The x or y derivative whose kernel is `w` with divisor 1, or nothing. Sizes as cv::getDerivKernels makes
/// them.
std::string sobel(const ImageStep& step, Body* body) {
    const auto& stage = step.stages.front();
    const auto& kernel = stage.kernels.front();
    if (!has_weights(stage) || kernel.width != kernel.height || kernel.width % 2 == 0 || kernel.width < 3 ||
        kernel.width > 7 || !centred(kernel))
        return "Sobel takes odd square kernels from 3 x 3 to 7 x 7";
    const auto w = weights_of(step);
    for (const int dx : {1, 0}) {
        cv::Mat row, column;
        cv::getDerivKernels(row, column, dx, 1 - dx, kernel.width, false, CV_32F);
        const cv::Mat derivative = column * row.t();
        const double scale = cv::norm(w.mat, cv::NORM_INF) / cv::norm(derivative, cv::NORM_INF);
        for (const double signed_scale : {scale, -scale}) {
            if (cv::norm(derivative * signed_scale, w.mat, cv::NORM_INF) >
                1e-6 * cv::norm(w.mat, cv::NORM_INF))
                continue;
            if (body)
                *body = [dx, size = kernel.width, signed_scale, delta = w.delta,
                         border = border_type(step.border)](const cv::Mat& from, cv::Mat& to) {
                    cv::Sobel(from, to, -1, dx, 1 - dx, size, signed_scale, delta, border);
                };
            return {};
        }
    }
    return "the kernel is no Sobel derivative";
}

/// OpenCV's exceptions quote its source; the error text itself is enough.
template <typename Body>
void with_plain_errors(Body body) {
    try {
        body();
    } catch (const cv::Exception& e) {
        throw Error("opencv-failed", "OpenCV cannot do this: {}", e.err);
    }
}

class OpenCvPlan final : public Plan {
public:
    OpenCvPlan(Extent size, Body body, int threads)
        : size_(size), body_(std::move(body)), threads_(threads) {}

    /// OpenCV takes whole images only: a rectangle is cut from a whole result.
    Needs needs(const Rect&) const override { return {whole(size_), 0, size_.height}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<cpu::HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, body = body_, size = size_, threads = threads_,
                          item](const cpu::HostQueue::Context&) {
                static std::mutex one_at_a_time; // its number of threads is global to the process
                const std::lock_guard lock(one_at_a_time);
                const int there = cpu::limit_threads(threads, 0, 1);
                if (cv::getNumThreads() != there) cv::setNumThreads(there);
                const auto from = as_mat(host.image(item.src));
                auto to = as_mat(host.image(item.dst));
                const auto* bytes = to.data;
                if (item.dst.covers == whole(size)) {
                    with_plain_errors([&] { body(from, to); });
                } else {
                    cv::Mat all;
                    with_plain_errors([&] { body(from, all); });
                    const auto& rectangle = item.dst.covers;
                    all(cv::Rect(static_cast<int>(rectangle.x), static_cast<int>(rectangle.y),
                                 static_cast<int>(rectangle.width), static_cast<int>(rectangle.height)))
                        .copyTo(to);
                }
                if (to.data != bytes)
                    throw Error("result-elsewhere", "OpenCV wrote its result to memory of its own");
            });
    }

private:
    Extent size_;
    Body body_;
    int threads_;
};

template <Prepare prepare>
std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    auto why = why_not_at_all(step);
    return why.empty() ? prepare(step, nullptr) : why;
}
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
/// Sums in an order of its own, rounded to whole levels by itself.
double error(const PlanStep& request) {
    switch (std::get<ImageStep>(request).in.depth) {
    case Depth::u8: return 1.0 / 255;
    case Depth::u16: return 2.0 / 65535;
    case Depth::f16:
    case Depth::f32:
    case Depth::f64: return 4e-6;
    }
    return 0;
}
/// For bytes the weights of smooth kernels are rounded to 8 bits, which costs the more levels the more
/// weights there are: at a step edge up to 3 for 25 x 25 and 5 for 81 x 81 (seen with OpenCV 4.6).
double fixed_point_error(const PlanStep& request) {
    const auto& step = std::get<ImageStep>(request);
    const auto& kernel = step.stages.front().kernels.front();
    return step.in.depth == Depth::u8 ? (1 + std::max(kernel.width, kernel.height) / 8.0) / 255
                                      : error(request);
}
template <Prepare prepare>
std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    Body body;
    prepare(step, &body);
    return std::make_shared<OpenCvPlan>(step.size, std::move(body), cpu::threads_of(engine));
}

template <Prepare prepare>
constexpr Algorithm algorithm(std::string_view id, std::string_view title, std::string_view summary,
                              double (*stated)(const PlanStep&) = error) {
    return {id, title, summary, "OpenCV 4, imgproc", why_not<prepare>, cost, plan<prepare>, false, stated};
}

constexpr Algorithm kFilter2d = algorithm<filter2d>("opencv:filter2D", "OpenCV filter2D",
                                                    "Any kernel, dense"),
                    kSepFilter2d = algorithm<sep_filter2d>("opencv:sepFilter2D", "OpenCV sepFilter2D",
                                                           "A column times a row", fixed_point_error),
                    kGaussianBlur = algorithm<gaussian_blur>("opencv:GaussianBlur", "OpenCV GaussianBlur",
                                                             "Gaussians; u8 in fixed point",
                                                             fixed_point_error),
                    kBlur = algorithm<blur>("opencv:blur", "OpenCV blur", "Boxes by running sums"),
                    kSobel = algorithm<sobel>("opencv:Sobel", "OpenCV Sobel",
                                              "First derivatives from 3 x 3 to 7 x 7");
constexpr const Algorithm* kAlgorithms[] = {&kFilter2d, &kSepFilter2d, &kGaussianBlur, &kBlur, &kSobel};

} // namespace

extern const Peer kOpencv{
    "opencv",   "OpenCV", "cpu", [] { return std::string(); }, [] { return cv::getVersionString(); },
    kAlgorithms};

} // namespace kg::peers
