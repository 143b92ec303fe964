#include "app/process/pool/device_pools.hpp"

#include <algorithm>
#include <utility>

namespace kg {

DevicePools::DevicePools(const EngineChoice& choice, std::span<const std::shared_ptr<Engine>> further,
                         const std::string& algorithm) {
    devices_.push_back({std::make_unique<FilterPool>(choice, algorithm)});
    for (const auto& engine : further)
        devices_.push_back(
            {std::make_unique<FilterPool>(EngineChoice{engine, choice.notice, choice.fallback}, algorithm)});
}

/// Counts an image on a device, for the choice of the least busy one.
class DevicePools::Visit {
public:
    Visit(DevicePools& pools, std::int64_t pixels) : mutex_(pools.mutex_), pixels_(pixels) {
        const std::lock_guard lock(mutex_);
        device_ = &pools.least_busy();
        device_->pixels_now += pixels_;
        device_->pixels_ever += pixels_;
    }
    ~Visit() {
        const std::lock_guard lock(mutex_);
        device_->pixels_now -= pixels_;
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    FilterPool& pool() const { return *device_->pool; }

private:
    std::mutex& mutex_;
    const std::int64_t pixels_;
    Device* device_ = nullptr;
};

JobOutcome DevicePools::run(const ImageRequest& request, const ConstImageView& image,
                            ImageMemorySource* memory) {
    const Visit visit(*this, image.size.width * image.size.height);
    return visit.pool().run(request, image, memory);
}

double DevicePools::busy_seconds() const {
    double seconds = 0;
    for (const auto& device : devices_) seconds += device.pool->busy_seconds();
    return seconds;
}

int DevicePools::devices() const {
    return static_cast<int>(std::ranges::count_if(
        devices_, [](const Device& device) { return !device.pool->choice().engine->device().host_memory; }));
}

/// Among equally busy devices, the one with the least work done, so that all are used if images come one by
/// one.
DevicePools::Device& DevicePools::least_busy() {
    if (devices_.size() == 1) return devices_.front();
    const auto load = [](const Device& device) { return std::pair(device.pixels_now, device.pixels_ever); };
    Device* least = nullptr;
    for (auto& device : devices_)
        if (device.pool->choice().engine->usable().empty() && (!least || load(device) < load(*least)))
            least = &device;
    return least ? *least : devices_.front(); // it reports the failure, or goes to the fallback
}

} // namespace kg
