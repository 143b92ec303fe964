#pragma once
// A document that shows previews, and records what it presents.

#include "app/process/job.hpp"
#include "tests/support/app/document_fixture.hpp"

#include <functional>

namespace kg::testing {

inline constexpr Extent kSize{400, 300};
inline constexpr PreviewPace kAlways{0, 300}; ///< every result has a preview, in small steps

/// A document with a focus.
class PreviewFixture : public DocumentFixture {
protected:
    std::unique_ptr<Document> document_with(const PreviewPace& pace, bool shows = true) {
        Document::Setup setup;
        setup.engines = {engine()};
        setup.kernel_folder = folder_ / "kernels";
        setup.pace = pace;
        setup.present = [this, shows](std::shared_ptr<const Result> result) {
            presented_.push_back(result);
            if (shows) shown_->shown(result->stamp);
            if (on_present) on_present(*result);
        };
        auto d = std::make_unique<Document>(std::move(setup));
        shown_ = d.get();
        d->focus_on({kSize, {800, 600}, whole(kSize), 90, 200, 2.0});
        return d;
    }
    /// Filters by this recipe, starting from an empty one on the screen.
    void filter(Document& d, const Recipe& recipe) {
        d.open(image_file(kSize));
        settle(d);
        presented_.clear();
        d.set_recipe(recipe);
    }
    void wait_for_results(Document& d, std::size_t count) {
        ASSERT_TRUE(eventually([&] {
            d.update();
            return presented_.size() >= count;
        }));
    }
    static Image whole_result(const Document& d) {
        const auto& job = d.result()->job;
        return run_job(job.choice.engine, job.request, job.image->pixels.view(), job.algorithm).image;
    }
    static Recipe chain() { return recipe_of({gaussian(3), {"sharpen", {}, {}, true}, gaussian(2)}); }

    std::vector<std::shared_ptr<const Result>> presented_;
    std::function<void(const Result&)> on_present;
    Document* shown_ = nullptr;
};

} // namespace kg::testing
