#include "app/editor/preview/previews.hpp"

#include "app/process/job.hpp"
#include "app/process/thumbnail.hpp"

namespace kg {

namespace {

constexpr std::int64_t kSide = 160;

} // namespace

std::vector<std::function<Event()>> preview_errands(const EngineChoice& choice,
                                                    const std::shared_ptr<const Picture>& picture) {
    std::vector<std::function<Event()>> errands;
    const auto small = std::make_shared<Image>(); // made by the first errand
    for (std::size_t i = 0; i < presets().size(); ++i)
        errands.push_back([choice, held = std::weak_ptr(picture), small, i]() -> Event {
            const auto original = held.lock();
            if (!original) return Previewed{nullptr, i, nullptr};
            try {
                if (small->empty()) *small = shrunken(original->image.view(), kSide);
                const auto request = request_for(presets()[i].recipe, small->size(), small->format());
                const auto outcome = run_job(choice, request, small->view());
                return Previewed{original, i,
                                 std::make_shared<const Image>(displayable(outcome.image.view()))};
            } catch (const std::exception&) { // a preset that does not suit this picture
                return Previewed{original, i, nullptr};
            }
        });
    return errands;
}

} // namespace kg
