#pragma once
// Several GPUs of one machine in turn: a pool for each, and whoever has least to do gets the next picture.

#include "app/process/pool/filter_pool.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace kg::batch {

/// Thread-safe.
class DevicePools {
public:
    /// `further` do what `choice.engine` does, with the same fallback.
    DevicePools(const EngineChoice& choice, std::span<const std::shared_ptr<Engine>> further,
                const std::string& algorithm);

    /// As FilterPool::run(), on one of the engines that can be used. A device that fails for good gets no further picture.
    Outcome run(const ImageRequest& request, const ConstImageView& picture);

    /// Of all of them together (FilterPool::busy_seconds()).
    double busy_seconds() const;
    /// How many are none of the CPU.
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

} // namespace kg::batch
