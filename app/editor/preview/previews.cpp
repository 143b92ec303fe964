#include "app/editor/preview/previews.hpp"

#include "app/process/image/thumbnail.hpp"
#include "app/process/job.hpp"

namespace kg {

namespace {

constexpr std::int64_t kSide = 160;

} // namespace

std::vector<std::function<Event()>> preview_tasks(const EngineChoice& choice,
                                                  const std::shared_ptr<const LoadedImage>& image) {
    std::vector<std::function<Event()>> tasks;
    const auto small = std::make_shared<Image>(); // made by the first task
    for (std::size_t i = 0; i < presets().size(); ++i)
        tasks.push_back([choice, held = std::weak_ptr(image), small, i]() -> Event {
            const auto original = held.lock();
            if (!original) return Previewed{nullptr, i, nullptr};
            try {
                if (small->empty()) *small = shrunken(original->pixels.view(), kSide);
                const auto request = request_for(presets()[i].recipe, small->size(), small->format());
                const auto outcome = run_job(choice, request, small->view());
                return Previewed{original, i,
                                 std::make_shared<const Image>(displayable(outcome.image.view()))};
            } catch (const std::exception&) { // a preset that does not suit this image
                return Previewed{original, i, nullptr};
            }
        });
    return tasks;
}

} // namespace kg
