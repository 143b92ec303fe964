#pragma once
// Single pixels of a request in float64, as the reference defines them (docs/semantics.md): only the pixels
// that are asked for are computed, and those of earlier steps that they depend on.

#include "core/image/image.hpp"
#include "core/request/request.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace kg {

/// One number for each channel.
using PixelValues = std::array<double, kMaxChannels>;

/// From the last step's result to the number that is stored, for one channel (semantics 4 to 7).
struct PixelEnd {
    double filtered = 0;                   ///< result of the last step, in units of the steps
    std::optional<double> alpha{};         ///< filtered alpha, of full scale, that colour is divided by
    double straight = 0;                   ///< after the division and its offset
    bool curved = false, rescaled = false; ///< light, or the range of the numbers, changes
    double encoded = 0;                    ///< after the change, in units of the output
    double value = 0;                      ///< after SignedMode; reference_values() returns it
};

class PixelChain {
public:
    /// Refers to both, and computes the channels of the mask `wanted` and alpha only. All stages must list
    /// their weights. Throws Error for an inconsistent request or an image that it is not for.
    PixelChain(const ImageRequest& request, const ConstImageView& image, unsigned wanted);

    struct StageRole {
        std::vector<Taps> kernels;
        double offset = 0;            ///< in units of the steps
        bool copies_alpha = false;    ///< semantics 7
        bool weighted_offset = false; ///< added times alpha, or after the division by alpha
        bool exact = false;           ///< exact integer sums, then arithmetic in float32 (semantics 11)
        unsigned channels = 0;        ///< channels that its kernels compute
    };
    const StageRole& role(std::size_t stage) const { return stages_[stage]; }
    /// The number of white during the steps.
    double white() const { return unit_; }
    /// True if the steps filter linear light.
    bool is_linear() const { return linear_; }
    /// True if the steps filter colour times alpha.
    bool is_weighted() const { return alpha_weighting_; }

    /// The numbers that a stage reads at this pixel of the image.
    PixelValues entering(std::size_t stage, std::int64_t x, std::int64_t y);
    /// The numbers that every stage reads outside the image under border `constant`.
    const PixelValues& outside() const { return outside_; }
    /// The numbers after it.
    PixelValues leaving(std::size_t stage, std::int64_t x, std::int64_t y);
    /// The sum of one kernel over its divisor.
    double quotient(std::size_t stage, std::size_t kernel, std::int64_t x, std::int64_t y, int channel);
    /// The same for a sum that is known.
    double quotient(std::size_t stage, std::size_t kernel, double sum) const;
    /// The results of the stage's kernels, combined, before the offset.
    double combined(std::size_t stage, const std::vector<double>& quotients) const;
    /// `combined` with the offset that the stage itself adds to this channel.
    double with_offset(std::size_t stage, const std::vector<double>& quotients, int channel) const;
    /// What becomes of the last stage's result at this pixel.
    PixelEnd end(std::int64_t x, std::int64_t y, int channel);

private:
    PixelValues stored(std::int64_t x, std::int64_t y) const;
    PixelValues prepared(PixelValues stored) const;
    void prepare_stages();
    bool is_colour(int channel) const { return channel != alpha_ && (computed_ >> channel & 1u); }

    const ImageRequest& request_;
    const ConstImageView image_;
    const int alpha_;
    const unsigned computed_; ///< all channels that the request computes
    const unsigned wanted_;
    const bool alpha_weighting_, decode_, linear_;
    const double unit_;
    double last_offset_ = 0;
    PixelValues outside_{};
    bool alpha_was_copied_ = false, alpha_was_filtered_ = false;
    std::vector<StageRole> stages_;
    std::vector<std::unordered_map<std::int64_t, PixelValues>> known_; ///< entering(), by pixel
};

/// Number of products that one pixel of this stage's result takes, with those of the stages before it.
double products_behind(const ImageRequest& request, std::size_t stage);

} // namespace kg
