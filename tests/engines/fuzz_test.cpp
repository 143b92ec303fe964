// Random requests through every engine: 300 by default, KERNELGLASS_FUZZ=N for more. A failed case is
// repeated alone with KERNELGLASS_FUZZ_SEED and KERNELGLASS_FUZZ_ONLY, as its message states.

#include "core/plan/verification.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/engines/support/random_case.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/sanitizers.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace kg::testing {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<std::uint64_t> setting(const char* name) {
    const char* text = std::getenv(name);
    return text && *text ? std::optional(std::strtoull(text, nullptr, 10)) : std::nullopt;
}

struct Rules {
    std::uint64_t seed = setting("KERNELGLASS_FUZZ_SEED").value_or(1);
    std::uint64_t count = setting("KERNELGLASS_FUZZ").value_or(kSanitized ? 60 : 300);
    std::optional<std::uint64_t> only = setting("KERNELGLASS_FUZZ_ONLY");
    std::chrono::seconds time{setting("KERNELGLASS_FUZZ_SECONDS").value_or(290)};
};

Rect grown(const Rect& r, int margin) {
    return {r.x - margin, r.y - margin, r.width + 2 * margin, r.height + 2 * margin};
}

/// A view of `rect` in a larger buffer filled with 0xA5, which detects accesses beside the view.
struct Framed {
    Framed(Engine& engine, Queue& queue, const PixelFormat& format, const Rect& rect, int margin)
        : all(allocate_view(engine, format, grown(rect, margin))), view(all.crop(rect)),
          bytes({all.covers.width, all.covers.height}, format) {
        std::memset(bytes.view().data, 0xA5, bytes.size_in_bytes());
        queue.upload(bytes.view(), all);
    }
    BufferView all, view;
    Image bytes; ///< contents of the whole buffer
};

/// True if the bytes beside `rect` are unchanged.
bool is_untouched(const Framed& framed) {
    const auto& outer = framed.all.covers;
    const auto& inner = framed.view.covers;
    const auto pixel = bytes_per_pixel(framed.all.format);
    const auto before = static_cast<std::size_t>(inner.x - outer.x) * pixel,
               behind = static_cast<std::size_t>(inner.right() - outer.x) * pixel;
    for (std::int64_t y = 0; y < outer.height; ++y) {
        const bool has_results = outer.y + y >= inner.y && outer.y + y < inner.bottom();
        const auto* row = framed.bytes.view().row<unsigned char>(y);
        for (std::size_t i = 0; i < static_cast<std::size_t>(outer.width) * pixel; ++i)
            if (row[i] != 0xA5 && !(has_results && i >= before && i < behind)) return false;
    }
    return true;
}

struct Computed {
    std::vector<Image> results; ///< contents of the area, an image for each item
    bool untouched = true;
};

Computed compute(Engine& engine, Queue& queue, const RandomCase& one,
                 const std::shared_ptr<const Plan>& prepared, const std::vector<Image>& images) {
    const auto& r = one.request;
    const auto source = one.whole_source ? whole(r.size) : prepared->needs(one.area).source;
    std::vector<Item> items;
    std::vector<Framed> from, to;
    for (const auto& image : images) {
        from.emplace_back(engine, queue, r.in, source, one.source_margin);
        to.emplace_back(engine, queue, r.out, one.area, one.result_margin);
        queue.upload(image.view().crop(source), from.back().view);
        items.push_back({from.back().view, to.back().view});
    }
    queue.run(prepared, items);
    queue.fence().wait(); // the frames' bytes are being read until then
    for (auto& framed : to) queue.download(framed.all, framed.bytes.view());
    queue.fence().wait();
    Computed computed;
    for (auto& framed : to) {
        computed.untouched &= is_untouched(framed);
        Image result({one.area.width, one.area.height}, r.out);
        const auto inner = framed.bytes.view().crop(
            {one.result_margin, one.result_margin, one.area.width, one.area.height});
        for (std::int64_t y = 0; y < one.area.height; ++y)
            std::memcpy(result.view().row<std::byte>(y), inner.row<std::byte>(y),
                        static_cast<std::size_t>(one.area.width) * bytes_per_pixel(r.out));
        computed.results.push_back(std::move(result));
    }
    return computed;
}

/// The algorithms of an engine that support the request, without the reference.
std::vector<const Algorithm*> algorithms(const Engine& engine, const ImageRequest& request) {
    std::vector<const Algorithm*> all;
    for (const auto& candidate : algorithm_answers(engine, request))
        if (candidate.why_not.empty() && !candidate.algorithm->whole_requests)
            all.push_back(candidate.algorithm);
    return all;
}

struct Judgement {
    std::string wrong; ///< empty = correct
    std::string by;    ///< the algorithm
    bool refused = false;
};

Judgement outcome_of(Engine& engine, Queue& queue, const RandomCase& one) {
    const auto& r = one.request;
    const auto all = algorithms(engine, r);
    const auto* forced = one.automatic || all.empty() ? nullptr : all[one.algorithm % all.size()];
    Judgement outcome;
    std::shared_ptr<const Plan> prepared;
    try {
        prepared = plan(engine, r, forced ? forced->id : "");
    } catch (const Error& e) {
        outcome.refused = all.empty();
        if (!outcome.refused) outcome.wrong = e.what();
        return outcome;
    }
    outcome.by = prepared->algorithm;
    std::vector<Image> images;
    for (int i = 0; i < one.items; ++i) images.push_back(image_of(one, i));
    const auto computed = compute(engine, queue, one, prepared, images);
    const auto& last = computed.results.back();
    if (!computed.untouched) outcome.wrong = "it wrote beside its result";
    const Rect in_area{one.judged.x - one.area.x, one.judged.y - one.area.y, one.judged.width,
                       one.judged.height};
    const auto verification = compare_with_reference(r, images.back().view(), one.judged,
                                                     last.view().crop(in_area),
                                                     forced ? forced : inexact_algorithm(engine, *prepared));
    if (!verification.right()) outcome.wrong = verification.first_wrong;
    if (one.items > 1) { // the first item alone, from the whole image: the same bytes
        auto alone = one;
        alone.items = 1, alone.source_margin = alone.result_margin = 0, alone.whole_source = true;
        images.resize(1);
        const auto again = compute(engine, queue, alone, prepared, images);
        if (const auto same = same_pixels(computed.results.front().view(), again.results.front().view());
            !same)
            outcome.wrong = std::string("a batch gives other bytes than a single image: ") + same.message();
    }
    return outcome;
}

/// The findings of all threads.
struct Findings {
    std::mutex mutex;
    std::vector<std::string> wrong;
    std::map<std::string, int> done, refused; ///< by engine
    std::map<std::string, int> algorithms;
    std::atomic<std::uint64_t> next = 0;
};

void work(const Rules& rules, const std::vector<std::shared_ptr<Engine>>& engines, Clock::time_point end,
          Findings& findings) {
    constexpr std::size_t kMostShown = 20;
    std::vector<std::unique_ptr<Queue>> queues;
    for (const auto& engine : engines) queues.push_back(engine->queue());
    for (auto i = findings.next++; i < rules.count && Clock::now() < end; i = findings.next++) {
        const auto index = rules.only.value_or(i);
        const auto one = random_case(rules.seed, index);
        for (std::size_t e = 0; e < engines.size(); ++e) {
            auto& engine = *engines[e];
            const auto& id = engine.device().id;
            if (id == "detached" && index % 8 != 0) continue; // the CPU's algorithms again, slowly
            Judgement outcome;
            try {
                outcome = outcome_of(engine, *queues[e], one);
            } catch (const std::exception& failure) {
                outcome.wrong = failure.what();
                queues[e] = engine.queue();
            }
            const std::lock_guard lock(findings.mutex);
            ++(outcome.refused ? findings.refused : findings.done)[id];
            if (one.request.stages.size() == 1) ++findings.algorithms[id + " " + outcome.by];
            if (outcome.wrong.empty()) continue;
            findings.wrong.push_back(
                "KERNELGLASS_FUZZ=1 KERNELGLASS_FUZZ_SEED=" + std::to_string(rules.seed) +
                " KERNELGLASS_FUZZ_ONLY=" + std::to_string(index) + " by " + outcome.by + " on " + id + ": " +
                outcome.wrong + "; " + describe(one));
            if (findings.wrong.size() >= kMostShown) findings.next = rules.count;
        }
    }
}

TEST(Fuzz, AnyRequestIsRight) {
    const Rules rules;
    // Limits far above the memory in use: memory still held at the end is missing from them.
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(2, std::size_t{2} << 30),
                                             make_detached_engine()};
    if (const auto gpu = gpu::make_engine(); gpu->usable().empty())
        all.push_back(gpu::make_engine(0, gpu->device().memory_bytes / 4));
    Findings findings;
    const auto end = Clock::now() + rules.time;
    std::vector<std::thread> threads;
    const auto count = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned t = 0; t < count; ++t)
        threads.emplace_back([&] {
            try {
                work(rules, all, end, findings);
            } catch (const std::exception& failure) { // no queue could be created, independent of the request
                const std::lock_guard lock(findings.mutex);
                findings.wrong.push_back(std::string("a thread failed: ") + failure.what());
            }
        });
    for (auto& thread : threads) thread.join();
    for (const auto& wrong : findings.wrong) ADD_FAILURE() << wrong;
    for (const auto& engine : all) {
        const auto limit = engine->device().memory_limit;
        if (limit == 0) continue;
        EXPECT_NO_THROW(engine->allocate(limit)) << "memory was not released on " << label(*engine);
    }
    for (const auto& [engine, done] : findings.done) {
        std::printf("seed %llu: %d requests on %s, %d refused\n", static_cast<unsigned long long>(rules.seed),
                    done, engine.c_str(), findings.refused[engine]);
        RecordProperty("random_requests_on_" + engine, done);
        EXPECT_LE(findings.refused[engine], 1 + done / 20) << engine;
    }
    if (setting("KERNELGLASS_FUZZ") && !setting("KERNELGLASS_FUZZ_SECONDS")) {
        const auto tried = findings.done["cpu"] + findings.refused["cpu"];
        EXPECT_GE(tried, static_cast<int>(rules.count))
            << "the time limit expired; raise it with KERNELGLASS_FUZZ_SECONDS";
    }
    for (const auto& [algorithm, times] : findings.algorithms)
        if (algorithm.find('>') == std::string::npos) std::printf("  %s %d\n", algorithm.c_str(), times);
}

TEST(Fuzz, TheSameSeedIsTheSameCase) {
    for (std::uint64_t i = 0; i < 50; ++i) {
        const auto one = random_case(3, i), again = random_case(3, i);
        EXPECT_EQ(one.request, again.request);
        EXPECT_EQ(describe(one), describe(again));
        EXPECT_TRUE(same_pixels(image_of(one, 0).view(), image_of(again, 0).view()));
    }
    EXPECT_NE(describe(random_case(3, 1)), describe(random_case(4, 1)));
}

} // namespace
} // namespace kg::testing
