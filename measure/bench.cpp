#include "measure/bench.hpp"

#include "core/plan/filter_step.hpp"
#include "core/plan/planner.hpp"
#include "core/request/separate.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "measure/devices.hpp"
#include "measure/limits.hpp"
#include "measure/noise.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <new>
#include <optional>

namespace kg::measure {

namespace {

/// Products of the reference per second of a short benchmark's time limit: verification then takes about a
/// tenth of it.
constexpr double kProductsPerSecond = 1e7;

/// The rectangle of the image that one result depends on.
Extent kernel_size(const ImageRequest& request) {
    Extent size{1, 1};
    for (const auto& stage : request.stages) {
        const auto r = reach(stage);
        size.width += r.left + r.right;
        size.height += r.up + r.down;
    }
    return size;
}

bool separable(const ImageRequest& request) {
    for (const auto& stage : request.stages)
        for (std::size_t k = 0; k < stage.kernels.size(); ++k)
            if (!separate(stage, k)) return false;
    return true;
}

/// True if the planner's choice is what one algorithm computes alone, so that a row of its own shows it.
bool is_one_algorithm(Engine& engine, const ImageRequest& request, const std::string& taken) {
    if (request.stages.size() < 2) return true;
    const auto is_it = [&](const Algorithm* algorithm) {
        try {
            return taken.find(algorithm->id) != std::string::npos &&
                   plan(engine, request, algorithm->id)->algorithm == taken;
        } catch (const Error&) { // its own row has the reason
            return false;
        }
    };
    return std::ranges::any_of(engine.algorithms(), is_it);
}

/// `taken`: the algorithm of the planner's choice, empty if there is none. It is a candidate of its own if it
/// is named, or if nothing is and no other candidate shows it.
std::vector<Candidate> chosen(const std::shared_ptr<Engine>& engine, const BenchRules& rules,
                              const ImageRequest& request, const std::string& taken) {
    const auto is_named = [&](std::string_view id) {
        return std::ranges::find(rules.only, id) != rules.only.end();
    };
    auto all = candidates(engine, true);
    std::erase_if(all, [&](const Candidate& who) {
        if (!who.peer.empty() && std::ranges::find(rules.peers, who.peer) == rules.peers.end()) return true;
        return !rules.only.empty() && !is_named(id_of(who));
    });
    if (rules.only.empty() ? !taken.empty() && !is_one_algorithm(*engine, request, taken) : is_named(kAuto))
        all.push_back({engine, nullptr, {}});
    return all;
}

/// The border, with the pixel outside the image under `constant`.
std::string border_name(const ImageRequest& r) {
    std::string text(name(r.border));
    if (r.border != Border::constant) return text;
    for (int c = 0; c < r.in.channels; ++c)
        text += (c == 0 ? "=" : ",") + to_text(r.outside[static_cast<std::size_t>(c)]);
    return text;
}

/// "/warm" where the buffers did not rotate, "/partly-warm" where they rotate through fewer than planned.
std::string temperature(bool cold, bool partly_warm) {
    return !cold ? "/warm" : partly_warm ? kPartlyWarm : "";
}

std::string row_name(const BenchCase& c, const Candidate& who, const std::string& temperature) {
    const auto& r = c.request;
    const auto k = kernel_size(r);
    const auto times = [](auto a, auto b) { return std::to_string(a) + "x" + std::to_string(b); };
    return "image/" + std::string(id_of(who)) + "/" + std::string(name(r.in.depth)) + "x" +
           std::to_string(r.in.channels) + (is_alpha_weighted(r) ? "a/" : "/") +
           times(r.size.width, r.size.height) + "/k" + times(k.width, k.height) + "/" + border_name(r) + "/" +
           c.filter + "/" + who.engine->device().id + temperature;
}

/// What an engine expects of a request.
struct Expectation {
    std::string taken;                        ///< the algorithm that auto chooses, to be marked in its row
    std::map<std::string, double> formula_us; ///< by algorithm (AlgorithmAnswer)
};

Expectation expectation(Engine& engine, const ImageRequest& request) {
    Expectation all;
    try {
        all.taken = plan(engine, request)->algorithm;
        for (const auto& candidate : algorithm_answers(engine, request))
            if (candidate.why_not.empty())
                all.formula_us[std::string(candidate.algorithm->id)] = candidate.formula_us;
    } catch (const Error&) { // nothing is chosen; the rows have the reasons
    }
    return all;
}

bool peer_converts(const std::string& id) {
    return std::ranges::any_of(peers::all(),
                               [&](const peers::Peer* peer) { return peer->id == id && peer->converts; });
}

ReportRow report_row(const BenchCase& c, const Candidate& who, const std::string& temperature, const Row& row,
                     const Expectation& expected) {
    const auto& r = c.request;
    const auto k = kernel_size(r);
    ReportRow out;
    out.name = row_name(c, who, temperature);
    out.engine = row.engine;
    out.algorithm = row.algorithm;
    out.peer = row.peer;
    out.filter = c.recipe;
    out.width = r.size.width;
    out.height = r.size.height;
    out.kernel_width = static_cast<int>(k.width);
    out.kernel_height = static_cast<int>(k.height);
    out.depth = name(r.in.depth);
    out.border = name(r.border);
    out.channels = r.in.channels;
    out.alpha_weighted = is_alpha_weighted(r);
    out.separable = separable(r);
    out.cold = temperature.empty();
    const bool converts = row.algorithm.find(kConvert) != std::string::npos || peer_converts(who.peer);
    out.includes = converts ? "filter, conversion" : "filter";
    out.verdict = row.verdict;
    out.reason = row.reason;
    if (row.times && row.partly_warm) out.reason += kPartlyWarmNote;
    out.code = row.code;
    out.chosen = row.times && row.algorithm == expected.taken;
    if (const auto found = expected.formula_us.find(row.algorithm);
        who.algorithm && found != expected.formula_us.end())
        out.formula_us = found->second;
    out.checked = row.verification.samples;
    out.differing = row.verification.differing;
    out.max_error = row.verification.max_error;
    out.error_bound = row.verification.bound;
    out.tolerance = r.tolerance;
    out.times = row.times;
    out.processor_us = row.processor_us;
    if (row.alone) {
        out.alone_us = row.alone->median;
        out.alone_ci_low_us = row.alone->ci_low;
        out.alone_ci_high_us = row.alone->ci_high;
    }
    out.copy_us = row.copy_us;
    out.clock_mhz = row.clock_mhz;
    out.throttled = row.throttled;
    return out;
}

/// Requested libraries that are not available.
std::vector<std::string> absent_ones(std::span<const std::shared_ptr<Engine>> engines,
                                     const std::vector<std::string>& asked) {
    std::vector<std::string> absent;
    for (const auto* peer : peers::all()) {
        const bool wanted = !peer->algorithms.empty() && std::ranges::find(asked, peer->id) != asked.end() &&
                            std::ranges::any_of(engines,
                                                [&](const auto& engine) { return peer->is_on(*engine); });
        if (!wanted) continue;
        if (const auto why = peer->absent(); !why.empty())
            absent.push_back(std::string(peer->id) + ": " + why);
    }
    return absent;
}

class Bench {
public:
    Bench(std::span<const std::shared_ptr<Engine>> engines, const BenchRules& rules, double all,
          const BenchProgress& progress, const std::stop_token& stop)
        : engines_(engines), rules_(rules), all_(all), progress_(progress), stop_(stop) {}

    BenchReport run(std::span<const BenchCase> cases) {
        report_.absent = absent_ones(engines_, rules_.peers);
        try {
            for (const auto& c : cases) run(c);
            repeat_incomplete();
        } catch (const Cancelled&) {
            // Measured rows are kept.
        }
        add_limits();
        report_.complete = !stop_.stop_requested() && unmeasured(report_.rows) == 0;
        report_.seconds = spent_us() / 1e6;
        return std::move(report_);
    }

private:
    /// One request on one engine, and its rows in the report.
    struct Measurement {
        const BenchCase* of;
        std::size_t engine;
        std::vector<Candidate> who;
        Expectation expected;
        bool cold;
        std::size_t first_row;
    };

    void run(const BenchCase& c) {
        for (std::size_t e = 0; e < engines_.size(); ++e) {
            const auto expected = expectation(*engines_[e], c.request);
            const auto who = chosen(engines_[e], rules_, c.request, expected.taken);
            for (const bool cold : {true, false}) {
                if (!cold && !rules_.warm) continue;
                if (stop_.stop_requested()) throw Cancelled();
                if (!who.empty()) {
                    const Measurement one{&c, e, who, expected, cold, report_.rows.size()};
                    std::ranges::move(measured(one), std::back_inserter(report_.rows));
                    measurements_.push_back(one);
                }
                ++done_;
            }
        }
    }

    /// The first requests need more time than others, because libraries load with them, and those that need
    /// less leave some. All algorithms of a request are measured again, so that they remain comparable.
    void repeat_incomplete() {
        for (bool helps = true; helps;) {
            helps = false;
            const auto is_incomplete = [&](const auto& one) { return unmeasured(rows_of(one)) > 0; };
            all_ += static_cast<double>(std::ranges::count_if(measurements_, is_incomplete));
            for (const auto& one : measurements_) {
                if (!is_incomplete(one)) continue;
                if (stop_.stop_requested()) throw Cancelled();
                auto rows = measured(one);
                ++done_;
                if (unmeasured(rows) >= unmeasured(rows_of(one))) continue;
                std::ranges::move(rows, rows_of(one).begin());
                helps = true;
            }
        }
    }

    void add_limits() {
        for (auto left = static_cast<double>(engines_.size()); const auto& engine : engines_) {
            if (progress_ && rules_.limits)
                progress_({done_, all_, 0, 0, "measuring the limits of " + engine->device().name});
            const double most = std::max(most_us() - spent_us(), 0.0) / left--;
            report_.devices.push_back(report_device(*engine, limits_for(engine, rules_, most, stop_)));
        }
        for (const auto& one : measurements_)
            for (auto& row : rows_of(one)) {
                const auto& limits = report_.devices[one.engine].limits;
                row.arithmetic_us = arithmetic_us(one.of->request, limits.multiply_adds_g_per_s);
                relate_to_limits(row);
            }
    }

    std::span<ReportRow> rows_of(const Measurement& one) {
        return std::span(report_.rows).subspan(one.first_row, one.who.size());
    }

    static std::ptrdiff_t unmeasured(std::span<const ReportRow> rows) {
        return std::ranges::count(rows, Verdict::stopped, &ReportRow::verdict);
    }

    /// Empty if memory is exhausted: the other requests are measured all the same.
    std::optional<ConstImageView> image_of(const BenchCase& c) {
        if (c.image) return c.image->view();
        if (noise_.empty() || noise_.size() != c.request.size || noise_.format() != c.request.in) try {
                noise_ = {};
                noise_ = noise_image(c.request.size, c.request.in);
            } catch (const std::bad_alloc&) {
                return std::nullopt;
            }
        return noise_.view();
    }

    std::vector<ReportRow> measured(const Measurement& one) {
        const auto& [of, engine, who, expected, cold, first_row] = one;
        const auto& c = *of;
        const auto image = image_of(c);
        auto rules = rules_.comparison;
        rules.cold = cold;
        if (cold) rules.rotations = &rotations_;
        if (rules_.seconds > 0) {
            rules.most_us = std::max(most_us_of_rows() - spent_us(), 0.0) / (all_ - done_);
            rules.most_products = std::min(rules.most_products, rules.most_us / 1e6 * kProductsPerSecond);
        }
        const auto rows = rules.most_us <= 0
                              ? untimed_rows(who, Verdict::stopped, kTimeWasOver, kTimeWasOverCode)
                          : !image ? untimed_rows(who, Verdict::failed,
                                                  "there is not enough memory for the image", "out-of-memory")
                                   : comparison(
                                         c.request, *image, who, rules,
                                         [&](std::size_t step, std::size_t steps, const std::string& what) {
                                             report_progress(step, steps, c.filter + ", " + what);
                                         },
                                         stop_);
        // All rows of a request have one name, so that they stay together.
        const auto warmth = temperature(cold, std::ranges::any_of(rows, &Row::partly_warm));
        std::vector<ReportRow> all;
        for (std::size_t i = 0; i < rows.size(); ++i)
            all.push_back(report_row(c, who[i], warmth, rows[i], expected));
        mark_ties(all);
        return all;
    }

    void report_progress(std::size_t step, std::size_t steps, const std::string& what) const {
        const auto fraction = static_cast<double>(step) / static_cast<double>(steps);
        if (progress_) progress_({done_ + fraction, all_, step, steps, what});
    }

    TimeSource& time() const { return *rules_.comparison.timing.time; }
    double spent_us() const { return time().now_us() - began_us_; }
    double most_us_of_rows() const { return (1 - share_for_limits(engines_, rules_)) * most_us(); }
    double most_us() const {
        return rules_.seconds > 0 ? rules_.seconds * 1e6 : std::numeric_limits<double>::infinity();
    }

    std::span<const std::shared_ptr<Engine>> engines_;
    const BenchRules& rules_;
    double all_, done_ = 0;
    const BenchProgress& progress_;
    const std::stop_token& stop_;
    double began_us_ = time().now_us();
    BenchReport report_;
    std::vector<Measurement> measurements_;
    Image noise_;         ///< shared by requests of one size and format
    Rotations rotations_; ///< cold buffers only: warm ones are few
};

} // namespace

BenchReport bench(std::span<const BenchCase> cases, std::span<const std::shared_ptr<Engine>> engines,
                  const BenchRules& rules, const BenchProgress& progress, const std::stop_token& stop) {
    const double all = static_cast<double>(cases.size() * engines.size() * (rules.warm ? 2 : 1));
    return Bench(engines, rules, all, progress, stop).run(cases);
}

} // namespace kg::measure
