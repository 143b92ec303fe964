#include "app/editor/preview/previews.hpp"

#include "app/process/image/thumbnail.hpp"
#include "app/process/job.hpp"

#include <utility>

namespace kg {

namespace {

constexpr std::int64_t kSide = 160;

} // namespace

std::vector<std::function<Event()>> preview_tasks(const EngineChoice& choice,
                                                  const std::shared_ptr<const LoadedImage>& image,
                                                  const PresetList& list) {
    std::vector<std::function<Event()>> tasks;
    const auto small = std::make_shared<Image>(); // made by the first task
    for (std::size_t i = 0; i < list.size(); ++i)
        tasks.push_back([choice, held = std::weak_ptr(image), small, i, version = list.version(),
                         recipe = list[i].recipe]() -> Event {
            const auto original = held.lock();
            if (!original) return Previewed{nullptr, i, nullptr, version};
            try {
                if (small->empty()) *small = shrunken(original->pixels.view(), kSide);
                const auto request = request_for(recipe, small->size(), small->format());
                auto outcome = run_job(choice, request, small->view());
                return Previewed{
                    original, i,
                    std::make_shared<const Image>(displayable(std::move(outcome.image), *original)), version};
            } catch (const std::exception&) { // shown without a preview; the result reports the reason
                return Previewed{original, i, nullptr, version};
            }
        });
    return tasks;
}

} // namespace kg
