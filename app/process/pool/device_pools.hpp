#pragma once
// Distributes images to several GPUs of one machine: one pool per GPU, and the least busy one gets the next
// image.

#include "app/process/pool/filter_pool.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace kg {

/// Thread-safe.
class DevicePools {
public:
    /// `further` are engines equivalent to `choice.engine`, with the same fallback.
    DevicePools(const EngineChoice& choice, std::span<const std::shared_ptr<Engine>> further,
                const std::string& algorithm);

    /// As FilterPool::run(), on one of the engines that can be used. A device that fails for good gets no
    /// further image.
    JobOutcome run(const ImageRequest& request, const ConstImageView& image,
                   ImageMemorySource* memory = nullptr);

    /// Sum over all devices (FilterPool::busy_seconds()).
    double busy_seconds() const;
    /// Number of devices other than the CPU.
    int devices() const;

private:
    class Visit;
    struct Device {
        std::unique_ptr<FilterPool> pool;
        std::int64_t pixels_now = 0, pixels_ever = 0;
    };
    Device& least_busy();

    std::mutex mutex_;
    std::vector<Device> devices_;
};

} // namespace kg
