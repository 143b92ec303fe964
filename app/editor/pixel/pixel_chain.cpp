#include "app/editor/pixel/pixel_chain.hpp"

#include "core/reference/reference.hpp"
#include "core/request/conversion.hpp"
#include "core/request/rounding.hpp"
#include "core/request/sample.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

double clamp01(double v) { return v > 0 ? std::min(v, 1.0) : 0.0; }

} // namespace

PixelChain::PixelChain(const ImageRequest& request, const ConstImageView& image, unsigned wanted)
    : request_(request), image_(image), alpha_(request.in.alpha), computed_(computed_channels(request)),
      wanted_(wanted | (alpha_ >= 0 ? 1u << alpha_ : 0u)), alpha_weighting_(is_alpha_weighted(request)),
      decode_(request.light == Light::linear && !request.in.linear && !request.stages.empty()),
      linear_(request.in.linear || decode_), unit_(decode_ ? 1.0 : full_scale(request.in)),
      known_(request.stages.size()) {
    validate(request);
    if (image.size != request.size || image.format != request.in)
        throw Error("image-mismatch", "the image is not of the size and format that the request is for");
    outside_ = prepared(outside_pixel(request));
    prepare_stages();
}

void PixelChain::prepare_stages() {
    bool integers = is_integer(request_.in.depth) && !decode_ && !alpha_weighting_ &&
                    !straightens(request_) && !(has_steps_between(request_) && needs_float64(request_));
    for (const auto& stage : request_.stages) {
        StageRole role;
        for (const auto& kernel : stage.kernels) role.kernels.push_back(taps(kernel));
        role.offset = static_cast<double>(static_cast<float>(static_cast<double>(offset(stage)) * unit_));
        role.copies_alpha = alpha_weighting_ && !filters_alpha(stage);
        alpha_was_copied_ |= role.copies_alpha;
        alpha_was_filtered_ |= alpha_weighting_ && !role.copies_alpha;
        role.weighted_offset = alpha_weighting_ && !alpha_was_copied_ && role.offset != 0;
        role.exact = integers && sums_exactly(stage, full_scale(request_.in));
        role.channels = role.copies_alpha ? computed_ & ~(1u << alpha_) : computed_;
        integers = false;
        stages_.push_back(std::move(role));
    }
    if (!stages_.empty() && stages_.back().weighted_offset) last_offset_ = stages_.back().offset;
}

PixelValues PixelChain::stored(std::int64_t x, std::int64_t y) const {
    PixelValues v{};
    for (int c = 0; c < request_.in.channels; ++c)
        if (wanted_ >> c & 1u) v[static_cast<std::size_t>(c)] = sample(image_, x, y, c);
    return v;
}

/// A pixel before the first stage: light decoded, colour multiplied by alpha or divided by it.
PixelValues PixelChain::prepared(PixelValues v) const {
    const int channels = request_.in.channels;
    for (int c = 0; c < channels; ++c) {
        auto& value = v[static_cast<std::size_t>(c)];
        if (decode_) value /= full_scale(request_.in);
        if (decode_ && is_colour(c)) value = srgb_to_linear(value);
    }
    if (alpha_ < 0) return v;
    auto& alpha = v[static_cast<std::size_t>(alpha_)];
    if (alpha_weighting_ && !request_.in.premultiplied)
        for (int c = 0; c < channels; ++c)
            if (is_colour(c)) v[static_cast<std::size_t>(c)] *= alpha / unit_;
    if (straightens(request_)) {
        const double a = clamp01(alpha / unit_);
        for (int c = 0; c < channels; ++c) {
            auto& value = v[static_cast<std::size_t>(c)];
            if (is_colour(c)) value = a == 0 ? 0 : value / a;
        }
        if (computed_ >> alpha_ & 1u) alpha = a * unit_;
    }
    return v;
}

PixelValues PixelChain::entering(std::size_t stage, std::int64_t x, std::int64_t y) {
    if (stages_.size() < 2) return prepared(stored(x, y)); // read once each
    auto& known = known_[stage];
    const auto place = y * request_.size.width + x;
    if (const auto found = known.find(place); found != known.end()) return found->second;
    return known[place] = stage == 0 ? prepared(stored(x, y)) : leaving(stage - 1, x, y);
}

double PixelChain::quotient(std::size_t stage, std::size_t kernel, double sum) const {
    const auto& role = stages_[stage];
    const float divisor = role.kernels[kernel].divisor;
    return role.exact ? static_cast<double>(static_cast<float>(sum) / divisor)
                      : sum / static_cast<double>(divisor);
}

double PixelChain::quotient(std::size_t stage, std::size_t kernel, std::int64_t x, std::int64_t y,
                            int channel) {
    const auto& t = stages_[stage].kernels[kernel];
    double sum = 0;
    for (int i = 0; i < t.height; ++i) {
        const auto row = border_index<std::int64_t>(request_.border, y + i - t.anchor_y,
                                                    request_.size.height);
        double row_sum = 0;
        for (int j = 0; j < t.width; ++j) {
            const auto column = border_index<std::int64_t>(request_.border, x + j - t.anchor_x,
                                                           request_.size.width);
            if (t.at(i, j) == 0.0f) continue;
            const auto& from = row < 0 || column < 0 ? outside_ : entering(stage, column, row);
            row_sum += static_cast<double>(t.at(i, j)) * from[static_cast<std::size_t>(channel)];
        }
        sum += row_sum;
    }
    return quotient(stage, kernel, sum);
}

double PixelChain::combined(std::size_t stage, const std::vector<double>& quotients) const {
    const auto combine = request_.stages[stage].combine;
    if (stages_[stage].exact) {
        float value = 0;
        for (const double one : quotients) value = kg::combined(combine, value, static_cast<float>(one));
        return static_cast<double>(finished(combine, value, 0.0f));
    }
    double value = 0;
    for (const double one : quotients) {
        switch (combine) {
        case Combine::single: value = one; break;
        case Combine::l1: value += std::fabs(one); break;
        case Combine::l2: value += one * one; break;
        }
    }
    return combine == Combine::l2 ? std::sqrt(value) : value;
}

double PixelChain::with_offset(std::size_t stage, const std::vector<double>& quotients, int channel) const {
    const auto& role = stages_[stage];
    const double added = channel == alpha_ || role.weighted_offset ? 0.0 : role.offset;
    const double value = combined(stage, quotients);
    return role.exact ? static_cast<double>(static_cast<float>(value) + static_cast<float>(added))
                      : value + added;
}

PixelValues PixelChain::leaving(std::size_t stage, std::int64_t x, std::int64_t y) {
    const auto& role = stages_[stage];
    auto v = entering(stage, x, y);
    for (int c = 0; c < request_.in.channels; ++c) {
        if (!((role.channels & wanted_) >> c & 1u)) continue;
        std::vector<double> quotients;
        for (std::size_t i = 0; i < role.kernels.size(); ++i)
            quotients.push_back(quotient(stage, i, x, y, c));
        v[static_cast<std::size_t>(c)] = with_offset(stage, quotients, c);
    }
    if (role.weighted_offset && stage + 1 < stages_.size())
        for (int c = 0; c < request_.in.channels; ++c)
            if (is_colour(c))
                v[static_cast<std::size_t>(c)] += role.offset * (v[static_cast<std::size_t>(alpha_)] / unit_);
    return v;
}

PixelEnd PixelChain::end(std::int64_t x, std::int64_t y, int channel) {
    const auto c = static_cast<std::size_t>(channel);
    const double in_scale = full_scale(request_.in), out_scale = full_scale(request_.out);
    PixelEnd end;
    if (!(computed_ >> channel & 1u)) { // passes through from the input
        end.filtered = end.straight = sample(image_, x, y, channel);
        end.rescaled = in_scale != out_scale;
        end.encoded = end.value = end.straight / in_scale * out_scale;
        return end;
    }
    auto v = stages_.empty() ? prepared(stored(x, y)) : leaving(stages_.size() - 1, x, y);
    end.filtered = v[c];
    const bool weighted = alpha_was_copied_
                              ? request_.out.premultiplied
                              : alpha_weighting_ || (request_.in.premultiplied && !straightens(request_));
    const bool divides = alpha_ >= 0 && weighted && !request_.out.premultiplied;
    const bool colour = is_colour(channel);
    double alpha = 1;
    if (alpha_ >= 0) {
        auto& a = v[static_cast<std::size_t>(alpha_)];
        if (divides || alpha_was_filtered_) a = clamp01(a / unit_) * unit_;
        alpha = a / unit_;
        if (colour && divides) {
            end.alpha = alpha;
            v[c] = alpha == 0 ? 0 : v[c] / alpha + last_offset_;
        } else if (colour && last_offset_ != 0) {
            v[c] += last_offset_ * alpha;
        }
        if (!(computed_ >> alpha_ & 1u)) alpha = clamp01(alpha);
    }
    end.straight = v[c];
    end.curved = linear_ != request_.out.linear && colour;
    end.rescaled = unit_ != out_scale || end.curved;
    double value = v[c];
    if (end.rescaled) value /= unit_;
    if (end.curved) value = linear_ ? linear_to_srgb(value) : srgb_to_linear(value);
    if (colour && !weighted && request_.out.premultiplied) value *= alpha;
    if (end.rescaled) value *= out_scale;
    end.encoded = value;
    if (colour && request_.sign == SignedMode::absolute) value = std::fabs(value);
    if (colour && request_.sign == SignedMode::half) value += 0.5 * out_scale;
    end.value = value;
    return end;
}

double products_behind(const ImageRequest& request, std::size_t stage) {
    double width = 1, height = 1, products = 0;
    for (auto i = stage + 1; i-- > 0;) {
        const auto& kernels = request.stages[i].kernels;
        double widest = 1, highest = 1;
        for (const auto& kernel : kernels) {
            products += width * height * kernel.width * kernel.height;
            widest = std::max<double>(widest, kernel.width);
            highest = std::max<double>(highest, kernel.height);
        }
        width = std::min(width + widest - 1, static_cast<double>(request.size.width));
        height = std::min(height + highest - 1, static_cast<double>(request.size.height));
    }
    return products;
}

} // namespace kg
