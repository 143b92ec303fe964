#include "measure/verify.hpp"

#include "core/image/border.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace kg::measure {

namespace {

constexpr std::int64_t kLeastSide = 8, kMostSide = 128;
constexpr int kByChance = 7;

/// Multiplications of the reference for one pixel.
double products(const ImageRequest& request) {
    double sum = 0;
    for (const auto& stage : request.stages)
        for (const auto& kernel : stage.kernels)
            sum += static_cast<double>(kernel.width) * static_cast<double>(kernel.height);
    return std::max(1.0, sum) * request.in.channels;
}

/// How far to any side what stands at a pixel depends on the picture, through all stages.
struct Margin {
    std::int64_t x = 0, y = 0;
};
Margin margin(const ImageRequest& request) {
    Margin sum;
    for (const auto& stage : request.stages) {
        const auto r = reach(stage);
        sum.x += std::max<std::int64_t>(r.left, r.right);
        sum.y += std::max<std::int64_t>(r.up, r.down);
    }
    return sum;
}

/// What of the picture decides `place`. Beyond a side that is the picture's own the border's rule finds only pixels that lie
/// in it; what the rule finds beyond another side is too far off to be seen in `place`.
Rect surroundings_of(const Rect& place, const Margin& m, Extent size) {
    const auto left = std::max<std::int64_t>(place.x - m.x, 0),
               top = std::max<std::int64_t>(place.y - m.y, 0);
    return {left, top, std::min(place.right() + m.x, size.width) - left,
            std::min(place.bottom() + m.y, size.height) - top};
}

/// Corners, middles of the edges, the centre, and places by chance, all squares of `side`.
std::vector<Rect> places(Extent size, std::int64_t side) {
    const auto width = std::min(side, size.width), height = std::min(side, size.height);
    std::vector<Rect> all;
    for (const auto y : {std::int64_t{0}, (size.height - height) / 2, size.height - height})
        for (const auto x : {std::int64_t{0}, (size.width - width) / 2, size.width - width})
            all.push_back({x, y, width, height});
    std::mt19937_64 random(1);
    for (int i = 0; i < kByChance; ++i)
        all.push_back(
            {static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size.width - width + 1)),
             static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size.height - height + 1)),
             width, height});
    return all;
}

/// `area` of the endless plane that the border makes of the picture.
Image extended(const ConstImageView& picture, Border border, const Rect& area) {
    Image image({area.width, area.height}, picture.format);
    const auto pixel = bytes_per_pixel(picture.format);
    for (std::int64_t y = 0; y < area.height; ++y) {
        auto* to = image.view().row<std::byte>(y);
        std::memset(to, 0, static_cast<std::size_t>(area.width) * pixel);
        const auto from_y = border_index(border, area.y + y, picture.size.height);
        for (std::int64_t x = 0; x < area.width && from_y >= 0; ++x)
            if (const auto from_x = border_index(border, area.x + x, picture.size.width); from_x >= 0)
                std::memcpy(to + static_cast<std::size_t>(x) * pixel,
                            picture.row<std::byte>(from_y) + static_cast<std::size_t>(from_x) * pixel, pixel);
    }
    return image;
}

void add(Proof& sum, const Proof& part, const std::string& where) {
    sum.samples += part.samples;
    sum.differing += part.differing;
    sum.max_error = std::max(sum.max_error, part.max_error);
    sum.bound = std::max(sum.bound, part.bound);
    if (sum.wrong == 0 && part.wrong > 0) sum.first_wrong = where + part.first_wrong;
    sum.wrong += part.wrong;
}

/// Of a part of the picture, computed in `area`, which holds what decides it, as in a picture of its own.
ReferenceResult reference_in(const Rect& area, const Rect& place, const ImageRequest& request,
                             const ConstImageView& picture, const std::stop_token& stop) {
    const auto cut_out = extended(picture, request.border, area);
    auto part = request;
    part.size = {area.width, area.height};
    return {part, cut_out.view(), {place.x - area.x, place.y - area.y, place.width, place.height}, stop};
}

double count_of_places(Extent size) { return static_cast<double>(places(size, 1).size()); }

} // namespace

Verifier::Verifier(const ImageRequest& request, const ConstImageView& picture, double most_products,
                   const std::stop_token& stop)
    : size_(request.size) {
    const double each = products(request);
    const double pixels = static_cast<double>(request.size.width) * static_cast<double>(request.size.height);
    if (request.stages.empty() || pixels * each <= most_products) add_whole(request, picture, stop);
    else if (request.stages.size() > 1) add_parts_of_chain(request, picture, most_products / each, stop);
    else add_parts(request, picture, most_products / each, stop);
}

void Verifier::add_whole(const ImageRequest& request, const ConstImageView& picture,
                         const std::stop_token& stop) {
    parts_.push_back({whole(size_), ReferenceResult(request, picture, whole(size_), stop)});
}

void Verifier::add_parts(const ImageRequest& request, const ConstImageView& picture, double most_pixels,
                         const std::stop_token& stop) {
    const auto r = reach(request.stages.front());
    // A part's surroundings would be larger than the picture: it is verified in the picture itself.
    const bool reaches_beyond = r.left + r.right > size_.width || r.up + r.down > size_.height;
    const double side = std::sqrt(most_pixels / count_of_places(size_));
    for (const auto& place :
         places(size_, std::clamp(static_cast<std::int64_t>(side), kLeastSide, kMostSide))) {
        const Rect area{place.x - r.left, place.y - r.up, place.width + r.left + r.right,
                        place.height + r.up + r.down};
        parts_.push_back({place, reaches_beyond ? ReferenceResult(request, picture, place, stop)
                                                : reference_in(area, place, request, picture, stop)});
    }
}

/// Of several stages, whose results meet the border too: parts are verified in cut-outs of the picture. Under wrap a plane
/// that repeats stays one, so there the surroundings are looked up. `most_pixels` is what all cut-outs may have.
void Verifier::add_parts_of_chain(const ImageRequest& request, const ConstImageView& picture,
                                  double most_pixels, const std::stop_token& stop) {
    const auto m = margin(request);
    const auto count = count_of_places(size_);
    const auto around = static_cast<double>(m.x + m.y);
    const auto side = std::clamp(static_cast<std::int64_t>(std::sqrt(most_pixels / count) - around),
                                 kLeastSide, kMostSide);
    const auto all = static_cast<double>(size_.width) * static_cast<double>(size_.height);
    if (count * static_cast<double>((side + 2 * m.x) * (side + 2 * m.y)) >= all)
        return add_whole(request, picture, stop);
    for (const auto& place : places(size_, side)) {
        const bool wraps = request.border == Border::wrap;
        const auto area = wraps ? Rect{place.x - m.x, place.y - m.y, place.width + 2 * m.x,
                                       place.height + 2 * m.y}
                                : surroundings_of(place, m, size_);
        parts_.push_back({place, reference_in(area, place, request, picture, stop)});
    }
}

Proof Verifier::verify(const ConstImageView& result, const Algorithm* algorithm,
                       const std::stop_token& stop) const {
    if (result.size != size_) throw Error("The result has not the size that was asked for.");
    Proof proof;
    for (const auto& [place, reference] : parts_)
        add(proof, reference.verify(result.crop(place), algorithm, stop),
            place == whole(size_)
                ? ""
                : "in the part at x " + std::to_string(place.x) + " y " + std::to_string(place.y) + ", ");
    return proof;
}

Verifier verifier_of(const ImageRequest& request, const ConstImageView& picture, double most_products,
                     const std::stop_token& stop) {
    return {request, picture, most_products, stop};
}

Proof verify(const ImageRequest& request, const ConstImageView& picture, const ConstImageView& result,
             const Algorithm* way, double most_products, const std::stop_token& stop) {
    return Verifier(request, picture, most_products, stop).verify(result, way, stop);
}

} // namespace kg::measure
