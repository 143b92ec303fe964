#include "measure/tensor_bench.hpp"

#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "measure/devices.hpp"
#include "measure/limits.hpp"
#include "measure/tensor_runs.hpp"
#include "measure/tensor_schedule.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace kg::measure {

namespace {

/// The largest share of what is left of preparation for one algorithm while others wait.
constexpr double kOneOfThem = 0.5;

bool takes_part(const peers::Peer& peer, const TensorWork& work, const Engine& engine,
                const BenchRules& rules) {
    return !work.algorithms(peer).empty() && peer.is_on(engine) &&
           std::ranges::find(rules.peers, peer.id) != rules.peers.end();
}

std::vector<Candidate> chosen(const std::shared_ptr<Engine>& engine, const TensorWork& work,
                              const BenchRules& rules) {
    std::vector<Candidate> all;
    const auto add = [&](const Algorithm* algorithm, std::string_view peer) {
        if (rules.only.empty() || std::ranges::find(rules.only, algorithm->id) != rules.only.end())
            all.push_back({engine, algorithm, std::string(peer)});
    };
    for (const auto* algorithm : work.algorithms(*engine))
        if (!algorithm->whole_requests) add(algorithm, {}); // the reference only verifies
    for (const auto* peer : peers::all())
        if (takes_part(*peer, work, *engine, rules) && peer->absent().empty())
            for (const auto* algorithm : work.algorithms(*peer)) add(algorithm, peer->id);
    return all;
}

bool converts(const std::string& peer) {
    return std::ranges::any_of(peers::all(),
                               [&](const auto* one) { return one->id == peer && one->converts; });
}

ReportRow report_row(const TensorWork& work, const Row& row, const std::string& taken, double formula_us,
                     bool partly_warm) {
    auto out = work.row();
    out.name = std::string(work.kind()) + "/" + row.algorithm + "/" + out.name + "/" + row.engine +
               (partly_warm ? kPartlyWarm : "");
    out.cold = !partly_warm;
    out.engine = row.engine;
    out.algorithm = row.algorithm;
    out.peer = row.peer;
    out.includes = converts(row.peer) ? "filter, conversion" : "filter";
    out.verdict = row.verdict;
    out.reason = row.reason + (row.times && partly_warm ? kPartlyWarmNote : "");
    out.code = row.code;
    out.chosen = row.times && row.algorithm == taken;
    if (formula_us < Cost::kOnlyWhenForced) out.formula_us = formula_us;
    out.checked = row.verification.samples;
    out.differing = row.verification.differing;
    out.max_error = row.verification.max_error;
    out.error_bound = row.verification.bound;
    out.times = row.times;
    out.processor_us = row.processor_us;
    out.clock_mhz = row.clock_mhz;
    out.throttled = row.throttled;
    return out;
}

void add_limits(ReportRow& row, const TensorWork& work, const ReportLimits& limits) {
    const auto bytes = static_cast<double>(work.source_bytes() + work.result_bytes());
    if (limits.copy_gb_per_s > 0) row.copy_us = bytes / (limits.copy_gb_per_s * 1e3);
    if (limits.multiply_adds_g_per_s > 0)
        row.arithmetic_us = work.products() / (limits.multiply_adds_g_per_s * 1e3);
    relate_to_limits(row);
}

class TensorBench {
public:
    TensorBench(std::span<const std::shared_ptr<const TensorWork>> works,
                std::span<const std::shared_ptr<Engine>> engines, const BenchRules& rules,
                const BenchProgress& progress, const std::stop_token& stop)
        : works_(works), engines_(engines), rules_(rules), progress_(progress), stop_(stop) {}

    BenchReport run() {
        for (const auto* peer : peers::all()) {
            const bool wanted = std::ranges::any_of(engines_, [&](const auto& engine) {
                return !works_.empty() && takes_part(*peer, *works_.front(), *engine, rules_);
            });
            if (!wanted) continue;
            if (const auto why = peer->absent(); !why.empty())
                report_.absent.push_back(std::string(peer->id) + ": " + why);
        }
        for (const auto& work : works_)
            for (std::size_t e = 0; e < engines_.size(); ++e)
                if (auto who = chosen(engines_[e], *work, rules_); !who.empty()) {
                    auto need = need_of(*work, who, rules_.comparison);
                    requests_.push_back({work.get(), e, std::move(who), need});
                }
        try {
            measure_requests();
        } catch (const Cancelled&) { // measured rows are kept
        }
        add_limits();
        for (auto& request : requests_) std::ranges::move(request.rows, std::back_inserter(report_.rows));
        report_.complete = !stop_.stop_requested() && std::ranges::none_of(report_.rows, time_was_over);
        report_.seconds = (now_us() - began_us_) / 1e6;
        return std::move(report_);
    }

private:
    /// One request on one engine, and its rows once it was measured.
    struct Request {
        const TensorWork* work;
        std::size_t engine;
        std::vector<Candidate> who;
        TensorNeed need;
        std::vector<ReportRow> rows{};
    };

    void measure_requests() {
        std::vector<Request*> waiting;
        std::vector<TensorNeed> needs;
        for (auto& request : requests_) waiting.push_back(&request), needs.push_back(request.need);
        while (const auto turn = next_turn(needs, left_for_rows_us(), rate_)) {
            if (stop_.stop_requested()) throw Cancelled();
            const auto at = static_cast<std::ptrdiff_t>(turn->request);
            measure(*waiting[turn->request], turn->most_us);
            waiting.erase(waiting.begin() + at);
            needs.erase(needs.begin() + at);
            ++done_;
        }
        for (auto* request : waiting) leave_unmeasured(*request);
        measure_again_where_time_is_left();
    }

    /// Of requests that took longer than estimated, those of little weight first.
    void measure_again_where_time_is_left() {
        std::vector<Request*> cut;
        for (auto& request : requests_)
            if (untimed(request) > 0) cut.push_back(&request);
        std::ranges::stable_sort(cut, {}, [](const Request* request) { return request->need.weight; });
        for (auto* request : cut) {
            if (request->need.least_us(rate_) > left_for_rows_us()) continue;
            const auto before = std::exchange(request->rows, {});
            const auto untimed_before = std::ranges::count_if(before, time_was_over);
            measure(*request, left_for_rows_us());
            if (untimed(*request) >= untimed_before) request->rows = before;
        }
    }
    static bool time_was_over(const ReportRow& row) { return row.code == kTimeWasOverCode; }
    static std::ptrdiff_t untimed(const Request& request) {
        return std::ranges::count_if(request.rows, time_was_over);
    }

    void measure(Request& request, double most_us) {
        const auto& work = *request.work;
        const auto& who = request.who;
        const auto& engine = engines_[request.engine];
        const TimeLimit ending(time(), now_us() + left_for_rows_us(), stop_),
            filling(time(), now_us() + kFilling * most_us, stop_);
        const double after_us = (1 - kFilling) * most_us - request.need.before_us(rate_);
        const TensorBytes bytes(work);
        const auto rotation = std::make_shared<Rotation>(
            engine, bytes.as_request(), bytes.image().view(),
            std::min(cold_bytes(*engine), rules_.comparison.most_cold_bytes), filling);
        const auto title = work.row().filter;
        report_progress(title + ", reference", 0);
        const auto verifier = timed_verifier(work, bytes.sources(), ending);
        if (!verifier) return leave_unmeasured(request);
        const double preparing_share = request.need.preparing_share(rate_);
        const TimeLimit sampling(time(), now_us() + after_us, ending.token()),
            preparing(time(), now_us() + preparing_share * after_us, sampling.token());
        std::vector<TensorRunner> runners;
        for (std::size_t i = 0; i < who.size(); ++i)
            runners.emplace_back(work, bytes, verifier, rules_.comparison);

        for (auto waiting = who.size(); const auto i : by_estimate(work, who)) { // the slow ones come last
            report_progress(title + ", verifying " + std::string(who[i].algorithm->id), 0);
            const double own_us = (waiting-- > 1 ? kOneOfThem : 1) * preparing.left_us();
            const TimeLimit own(time(), now_us() + own_us, preparing.token());
            unless_over(runners[i], [&] { runners[i].prepare(who[i], rotation, own.token()); });
        }
        const auto each_timed = [&](const std::string& step, double fraction, auto body) {
            report_progress(title + ", " + step, fraction);
            for (auto& runner : runners)
                if (runner.is_timed()) unless_over(runner, [&] { body(runner); });
        };
        const auto timed = std::ranges::count_if(runners, &TensorRunner::is_timed);
        const auto share = round_share(rules_.comparison, sampling.left_us(),
                                       static_cast<std::size_t>(timed));
        for (std::size_t round = 0; round < rules_.comparison.rounds && !sampling.is_over(); ++round)
            each_timed("timing", preparing_share,
                       [&](TensorRunner& runner) { runner.run_round(*engine, share, sampling); });
        each_timed("verifying again", 1, [&](TensorRunner& runner) {
            if (!runner.has_samples()) throw Cancelled();
            runner.verify_again(stop_);
        });
        add_rows(request, runners, !rotation->is_filled());
    }

    /// Its verifications count for the estimates of later ones. Empty if the time was over before the
    /// reference was computed.
    TensorVerifier timed_verifier(const TensorWork& work, const std::byte* sources, const TimeLimit& limit) {
        const auto products = work.reference_products();
        const double began = now_us();
        TensorVerifier verifier;
        try {
            verifier = work.verifier(sources, limit.token());
        } catch (const Cancelled&) {
            if (stop_.stop_requested()) throw;
            return {};
        }
        if (products.once > 0) rate_.add(products.once, now_us() - began);
        return [this, products, verifier = std::move(verifier)](
                   const std::byte* results, const Algorithm* algorithm, const std::stop_token& stop) {
            const double began_us = now_us();
            auto verification = verifier(results, algorithm, stop);
            if (products.each > 0) rate_.add(products.each, now_us() - began_us);
            return verification;
        };
    }

    /// What the time limit ends has no time, unless it has samples.
    template <typename Body>
    void unless_over(TensorRunner& runner, Body body) const {
        try {
            body();
        } catch (const Cancelled&) {
            if (stop_.stop_requested()) throw;
            if (!runner.has_samples()) runner.leave_unmeasured();
        }
    }

    /// The fastest first; other libraries before them, whose cost is unknown.
    static std::vector<std::size_t> by_estimate(const TensorWork& work, const std::vector<Candidate>& who) {
        std::vector<std::size_t> order(who.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](std::size_t i) {
            const double us = work.estimate_us(*who[i].algorithm, *who[i].engine);
            return us == Cost::kOnlyWhenForced ? 0 : us;
        });
        return order;
    }

    void add_rows(Request& request, const std::vector<TensorRunner>& runners, bool partly_warm) {
        const auto& work = *request.work;
        std::string taken;
        try {
            taken = plan(*engines_[request.engine], work.request)->algorithm;
        } catch (const Error&) { // nothing is chosen; the rows have the reasons
        }
        for (std::size_t i = 0; i < runners.size(); ++i) {
            const auto row = runners[i].row();
            const double formula_us = row.verdict == Verdict::right
                                          ? work.estimate_us(*request.who[i].algorithm,
                                                             *request.who[i].engine)
                                          : Cost::kOnlyWhenForced;
            request.rows.push_back(report_row(work, row, taken, formula_us, partly_warm));
        }
        mark_ties(request.rows);
    }

    void leave_unmeasured(Request& request) const {
        for (const auto& row : untimed_rows(request.who, Verdict::stopped, kTimeWasOver, kTimeWasOverCode))
            request.rows.push_back(report_row(*request.work, row, {}, Cost::kOnlyWhenForced, false));
    }

    /// After the rows, as bench() does.
    void add_limits() {
        for (auto left = static_cast<double>(engines_.size()); const auto& engine : engines_) {
            if (rules_.limits) report_progress("measuring the limits of " + engine->device().name, 0);
            const double most = left_us() / left--;
            report_.devices.push_back(report_device(*engine, limits_for(engine, rules_, most, stop_)));
        }
        for (auto& request : requests_)
            for (auto& row : request.rows)
                measure::add_limits(row, *request.work, report_.devices[request.engine].limits);
    }

    double all() const { return static_cast<double>(requests_.size()); }
    void report_progress(const std::string& what, double fraction) const {
        if (progress_) progress_({done_ + fraction, all(), 0, 0, what});
    }
    TimeSource& time() const { return *rules_.comparison.timing.time; }
    double now_us() const { return time().now_us(); }
    double left_us() const {
        return rules_.seconds > 0 ? std::max(began_us_ + rules_.seconds * 1e6 - now_us(), 0.0)
                                  : std::numeric_limits<double>::infinity();
    }
    double left_for_rows_us() const {
        if (rules_.seconds <= 0) return left_us();
        return std::max(left_us() - share_for_limits(engines_, rules_) * rules_.seconds * 1e6, 0.0);
    }

    std::span<const std::shared_ptr<const TensorWork>> works_;
    std::span<const std::shared_ptr<Engine>> engines_;
    const BenchRules& rules_;
    const BenchProgress& progress_;
    const std::stop_token& stop_;
    double began_us_ = now_us(), done_ = 0;
    ReferenceRate rate_;
    std::vector<Request> requests_;
    BenchReport report_;
};

} // namespace

BenchReport bench_tensors(std::span<const std::shared_ptr<const TensorWork>> works,
                          std::span<const std::shared_ptr<Engine>> engines, const BenchRules& rules,
                          const BenchProgress& progress, const std::stop_token& stop) {
    return TensorBench(works, engines, rules, progress, stop).run();
}

} // namespace kg::measure
