#include "app/editor/document/background_work.hpp"

#include "core/support/capital.hpp"
#include "core/support/thread.hpp"

#include <exception>
#include <utility>

namespace kg {

void BackgroundWork::push(std::function<Arrival()> work) {
    ++in_flight_;
    thread_.push([this, work = std::move(work)] {
        Arrival arrival;
        try {
            arrival = work();
        } catch (const std::exception& caught) {
            arrival = [this, error = as_error(caught)] {
                report({Message::Kind::error, capitalised(error.what()), error});
            };
        }
        {
            const std::lock_guard lock(mutex_);
            arrivals_.push_back(std::move(arrival));
        }
        if (wake_) wake_();
    });
}

void BackgroundWork::update() {
    std::vector<Arrival> arrivals;
    {
        const std::lock_guard lock(mutex_);
        arrivals.swap(arrivals_);
    }
    for (const auto& arrival : arrivals) {
        --in_flight_;
        arrival();
    }
}

} // namespace kg
