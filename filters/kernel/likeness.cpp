#include "filters/kernel/likeness.hpp"

#include "core/image/weights.hpp"
#include "core/support/text.hpp"
#include "filters/recipe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace kg {

namespace {

/// The rectangle of the weights that are not 0, as a correlation.
struct Weights {
    int width = 0, height = 0;
    int dx = 0, dy = 0; ///< from the anchor to the top left weight
    std::vector<double> values;

    double largest() const {
        double most = 0;
        for (const double v : values) most = std::max(most, std::fabs(v));
        return most;
    }
};

Weights trimmed(const Kernel& kernel) {
    const auto t = taps(kernel);
    double largest = 0;
    for (const float w : t.weights) largest = std::max(largest, std::fabs(static_cast<double>(w)));
    int left = t.width, right = -1, top = t.height, bottom = -1;
    for (int i = 0; i < t.height; ++i)
        for (int j = 0; j < t.width; ++j) {
            if (std::fabs(static_cast<double>(t.at(i, j))) <= 1e-9 * largest) continue;
            left = std::min(left, j), right = std::max(right, j);
            top = std::min(top, i), bottom = std::max(bottom, i);
        }
    Weights w{std::max(right - left + 1, 0),
              std::max(bottom - top + 1, 0),
              left - t.anchor_x,
              top - t.anchor_y,
              {}};
    for (int i = top; i <= bottom; ++i)
        for (int j = left; j <= right; ++j)
            w.values.push_back(static_cast<double>(t.at(i, j)) / static_cast<double>(t.divisor));
    return w;
}

/// Factors by which one or two lists of weights fit best (least squares), and what remains.
struct Fit {
    double factor = 0, second = 0, difference = INFINITY;
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

Fit fit(const Weights& kernel, const std::vector<double>& first, const std::vector<double>& second = {}) {
    if (first.size() != kernel.values.size()) return {};
    Fit f;
    const double aa = product(first, first), ka = product(kernel.values, first);
    if (second.empty()) {
        f.factor = aa > 0 ? ka / aa : 0;
    } else {
        const double bb = product(second, second), ab = product(first, second),
                     kb = product(kernel.values, second), determinant = aa * bb - ab * ab;
        if (std::fabs(determinant) < 1e-12 * aa * bb) return {};
        f.factor = (ka * bb - kb * ab) / determinant;
        f.second = (kb * aa - ka * ab) / determinant;
    }
    f.difference = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const double model = f.factor * first[i] + (second.empty() ? 0 : f.second * second[i]);
        f.difference = std::max(f.difference, std::fabs(kernel.values[i] - model));
    }
    return f;
}

constexpr std::string_view kOpposite = ", with the opposite sign";

std::string number_text(double value) { return short_number(value, 3); }
std::string size_text(const Weights& w) { return std::to_string(w.width) + " x " + std::to_string(w.height); }

/// Keeps the best of the filters that it compares with; of equally good ones the first.
class Search {
public:
    explicit Search(const Weights& kernel) : kernel_(kernel), largest_(kernel.largest()) {}

    void take(std::string_view kind, const std::string& name, double difference) {
        const double relative = difference / largest_;
        if (relative > Likeness::kNear || relative > best_.relative - Likeness::kExact) return;
        best_ = {kind, name, difference, relative};
    }
    /// Compares with a named filter, times any factor.
    void compare(std::string_view kind, const std::string& name, const std::string& step) {
        const auto other = trimmed(stage_of(parse_step(step)).kernels.front());
        if (other.width != kernel_.width || other.height != kernel_.height) return;
        const auto f = fit(kernel_, other.values);
        take(kind, f.factor < 0 ? name + std::string(kOpposite) : name, f.difference);
    }
    /// Compares with `factor` times some weights plus `second` times the pixel itself. `name` makes the name.
    void compare_over_image(std::string_view kind, const std::vector<double>& weights,
                            const std::function<std::string(const Fit&)>& name) {
        std::vector<double> middle(kernel_.values.size());
        middle[middle.size() / 2] = 1;
        const auto f = fit(kernel_, weights, middle);
        if (auto text = name(f); !text.empty()) take(kind, text, f.difference);
    }
    bool found() const { return best_.kind != "none"; }
    Likeness best() const { return best_; }

private:
    const Weights& kernel_;
    double largest_;
    Likeness best_{"none", {}, 0, INFINITY};
};

void compare_blurs(Search& search, const Weights& w, const Analysis& analysis) {
    const bool is_line = std::min(w.width, w.height) == 1 && std::max(w.width, w.height) > 2;
    const auto flat = fit(w, std::vector<double>(w.values.size(), 1.0));
    if (is_line)
        search.take("motion",
                    "a motion blur of " + std::to_string(std::max(w.width, w.height)) + " pixels along the " +
                        (w.height == 1 ? "row" : "column") + " (a box of " + size_text(w) + ")",
                    flat.difference);
    else search.take("box", "a box of " + size_text(w), flat.difference);
    if (w.width == w.height && w.width >= 2 && w.width <= 31)
        search.compare("binomial", "a binomial of " + size_text(w),
                       "binomial:size=" + std::to_string(w.width));
    if (analysis.gaussian)
        search.take("gaussian", "a Gaussian of sigma " + number_text(analysis.gaussian->sigma),
                    analysis.gaussian->error * w.largest());
    if (w.width == w.height && w.width % 2 == 1 && w.width <= 63)
        search.compare("disk", "a disk of radius " + std::to_string(w.width / 2),
                       "disk:radius=" + std::to_string(w.width / 2));
}

/// Lines at multiples of 15 degrees, and at the angle of the diagonal.
void compare_slanted_lines(Search& search, const Weights& w) {
    constexpr int kLongest = 63;
    if (std::min(w.width, w.height) < 2 || std::max(w.width, w.height) > kLongest) return;
    const double diagonal = std::atan2(w.height - 1, w.width - 1) * 180 / std::numbers::pi;
    std::vector<double> angles{diagonal, 180 - diagonal};
    for (int angle = 15; angle < 180; angle += 15)
        if (angle != 90) angles.push_back(angle);
    for (const double angle : angles)
        for (int length = 2; length <= w.width + w.height; ++length) {
            const double half = (length - 1) / 2.0, radians = angle * std::numbers::pi / 180;
            const auto extent = [&](double along) {
                return 2 * static_cast<int>(std::ceil(half * std::fabs(along))) + 1;
            };
            if (extent(std::cos(radians)) < w.width || extent(std::sin(radians)) < w.height) continue;
            if (extent(std::cos(radians)) > w.width + 2 || extent(std::sin(radians)) > w.height + 2) break;
            search.compare("motion",
                           "a motion blur of " + std::to_string(length) + " pixels at " + number_text(angle) +
                               " degrees",
                           "motion:length=" + std::to_string(length) + ":angle=" + to_text(angle));
        }
}

void compare_3x3(Search& search) {
    for (const std::string id : {"sobel", "scharr", "prewitt"})
        for (const std::string direction : {"x", "y"})
            search.compare(find_filter(id).id, std::string(find_filter(id).title) + " along " + direction,
                           id + ":direction=" + direction);
    for (const std::string neighbours : {"4", "8"}) {
        const auto step = "laplacian:neighbours=" + neighbours;
        search.compare("laplacian", "a Laplacian of " + neighbours + " neighbours", step);
        const auto laplacian = trimmed(stage_of(parse_step(step)).kernels.front());
        search.compare_over_image("sharpen", laplacian.values, [&](const Fit& f) {
            return f.factor < 0 && f.second > 0
                       ? "sharpening of amount " + number_text(-f.factor / f.second) + " by " + neighbours +
                             " neighbours"
                       : std::string();
        });
    }
    for (const std::string light : {"nw", "n", "ne", "e", "se", "s", "sw", "w"}) {
        const auto relief = trimmed(
            stage_of(parse_step("emboss:over=nothing:light=" + light)).kernels.front());
        search.compare_over_image("emboss", relief.values, [&](const Fit& f) {
            return f.factor > 0 ? "an emboss, lit from " + light : std::string();
        });
    }
}

/// The pixel plus some of its difference to a Gaussian: the sigma that fits best, by golden-section search.
void compare_unsharp(Search& search, const Weights& w) {
    constexpr int kLargest = 63;
    if (w.width != w.height || w.width < 5 || w.width % 2 == 0 || w.width > kLargest) return;
    const auto samples = [&](double sigma) {
        const auto p = gaussian_profile(sigma, w.width);
        std::vector<double> all;
        for (const double column : p)
            for (const double row : p) all.push_back(column * row);
        return all;
    };
    std::vector<double> middle(w.values.size());
    middle[middle.size() / 2] = 1;
    const auto error = [&](double sigma) { return fit(w, samples(sigma), middle).difference; };
    double low = 0.4, high = w.width / 2.0;
    constexpr double kGolden = 0.6180339887498949;
    while (high - low > 1e-5 * high) {
        const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
        (error(left) < error(right) ? high : low) = error(left) < error(right) ? right : left;
    }
    const double sigma = (low + high) / 2;
    search.compare_over_image("unsharp", samples(sigma), [&](const Fit& f) {
        constexpr double kMostAmount = 20; // near a sum of 0 it is a filter of differences
        const double gain = f.factor + f.second;
        return f.factor < 0 && -f.factor < kMostAmount * gain
                   ? "unsharp masking of sigma " + number_text(sigma) + " and amount " +
                         number_text(-f.factor / gain)
                   : std::string();
    });
}

constexpr double kMean = 1e-3; ///< by so much the weights of a mean may miss 1

/// What holds for the weights that are like no known filter.
Likeness by_sign(const Weights& w, const Analysis& analysis) {
    const auto negative = std::ranges::count_if(w.values, [](double v) { return v < 0; });
    const double magnitude = [&] {
        double sum = 0;
        for (const double v : w.values) sum += std::fabs(v);
        return sum;
    }();
    if (std::fabs(analysis.gain) <= 1e-6 * magnitude)
        return {"differences", "a filter of differences: its weights cancel", 0, 0};
    if (negative == 0)
        return {"smoothing",
                std::string(std::fabs(analysis.gain - 1) < kMean ? "a weighted mean" : "a weighted sum") +
                    ": no weight is negative",
                0, 0};
    if (analysis.gain > 0)
        return {"sharpening", "a filter that raises differences: some weights are negative", 0, 0};
    return {"none", "like no filter that is known here", 0, 0};
}

/// A blur whose weights do not sum to 1 also changes the brightness.
Likeness with_gain(Likeness found, double gain) {
    constexpr std::array<std::string_view, 5> kBlurs{"box", "motion", "binomial", "gaussian", "disk"};
    if (found.name.ends_with(kOpposite)) gain = -gain;
    if (std::ranges::find(kBlurs, found.kind) != kBlurs.end() && std::fabs(gain - 1) > kMean)
        found.name += ", times " + number_text(gain);
    return found;
}

Likeness of_generator(const Stage& stage) {
    const auto& kernel = stage.kernels.front();
    if (const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator))
        return {"gaussian", "a Gaussian of sigma " + number_text(gaussian->sigma), 0, 0};
    return {"box", "a box of " + std::to_string(kernel.width) + " x " + std::to_string(kernel.height), 0, 0};
}

} // namespace

Likeness likeness(const Stage& stage, std::size_t index, const Analysis& analysis) {
    if (!has_weights(stage)) return of_generator(stage);
    const auto w = trimmed(stage.kernels[index]);
    if (w.values.empty()) return {"none", "nothing: all weights are 0", 0, 0};
    if (w.values.size() == 1) {
        const bool is_shift = w.dx != 0 || w.dy != 0;
        const auto factor = std::fabs(w.values[0] - 1) < Likeness::kExact
                                ? std::string()
                                : " times " + number_text(w.values[0]);
        if (is_shift)
            return {"shift",
                    "a shift by " + std::to_string(-w.dx) + ", " + std::to_string(-w.dy) + " pixels" + factor,
                    0, 0};
        return {factor.empty() ? "identity" : "scaling", "the identity" + factor, 0, 0};
    }
    Search search(w);
    compare_blurs(search, w, analysis);
    if (w.width == 3 && w.height == 3) compare_3x3(search);
    compare_slanted_lines(search, w);
    compare_unsharp(search, w);
    return search.found() ? with_gain(search.best(), analysis.gain) : by_sign(w, analysis);
}

std::string likeness_text(const Likeness& likeness) {
    if (likeness.relative <= Likeness::kExact) return "This is " + likeness.name + ".";
    return "Nearly " + likeness.name + " (largest difference " + number_text(likeness.largest_difference) +
           ").";
}

} // namespace kg
