#include "measure/verify.hpp"

#include "core/image/border.hpp"
#include "core/reference/reference.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace kg::measure {

namespace {

constexpr std::int64_t kLeastExtent = 8, kMostExtent = 128;
constexpr int kByChance = 7;

/// Horizontal and vertical reach of a pixel's result in the image, through all stages.
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

/// The region of the image that determines `place`. Where it is cut at the image's own edge, the border rule
/// resolves only to pixels inside it; pixels resolved from another edge are too far away to affect `place`.
Rect surroundings_of(const Rect& place, const Margin& m, Extent size) {
    const auto left = std::max<std::int64_t>(place.x - m.x, 0),
               top = std::max<std::int64_t>(place.y - m.y, 0);
    return {left, top, std::min(place.right() + m.x, size.width) - left,
            std::min(place.bottom() + m.y, size.height) - top};
}

/// Corners, middles of the edges, the centre, and random places, all squares of `extent`.
std::vector<Rect> places(Extent size, std::int64_t extent) {
    const auto width = std::min(extent, size.width), height = std::min(extent, size.height);
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

/// The rectangle `area` of the infinite plane that the border makes of the image.
Image extended(const ConstImageView& pixels, const ImageRequest& request, const Rect& area) {
    Image image({area.width, area.height}, pixels.format), outside({1, 1}, pixels.format);
    const auto border = request.border;
    for (int c = 0; c < pixels.format.channels; ++c)
        store(outside.view(), 0, 0, c, outside_pixel(request)[static_cast<std::size_t>(c)]);
    const auto pixel = bytes_per_pixel(pixels.format);
    for (std::int64_t y = 0; y < area.height; ++y) {
        auto* to = image.view().row<std::byte>(y);
        const auto from_y = border_index(border, area.y + y, pixels.size.height);
        for (std::int64_t x = 0; x < area.width; ++x) {
            const auto from_x = border_index(border, area.x + x, pixels.size.width);
            const auto* from = from_x < 0 || from_y < 0
                                   ? outside.view().data
                                   : pixels.row<std::byte>(from_y) + static_cast<std::size_t>(from_x) * pixel;
            std::memcpy(to + static_cast<std::size_t>(x) * pixel, from, pixel);
        }
    }
    return image;
}

void add(Verification& sum, const Verification& one, const std::string& where) {
    sum.samples += one.samples;
    sum.differing += one.differing;
    sum.max_error = std::max(sum.max_error, one.max_error);
    sum.bound = std::max(sum.bound, one.bound);
    if (sum.wrong == 0 && one.wrong > 0) sum.first_wrong = where + one.first_wrong;
    sum.wrong += one.wrong;
}

/// The reference of `place`, computed in `area`, which contains everything that determines it, as in an image
/// of its own.
ReferenceResult reference_in(const Rect& area, const Rect& place, const ImageRequest& request,
                             const ConstImageView& image, const std::stop_token& stop) {
    const auto cut_out = extended(image, request, area);
    auto cut = request;
    cut.size = {area.width, area.height};
    return {cut, cut_out.view(), {place.x - area.x, place.y - area.y, place.width, place.height}, stop};
}

double count_of_places(Extent size) { return static_cast<double>(places(size, 1).size()); }

} // namespace

Verifier::Verifier(const ImageRequest& request, const ConstImageView& image, double most_products,
                   const std::stop_token& stop)
    : size_(request.size) {
    const double each = reference_products(request);
    const double pixels = static_cast<double>(request.size.width) * static_cast<double>(request.size.height);
    if (request.stages.empty() || pixels * each <= most_products) add_whole(request, image, stop);
    else if (request.stages.size() > 1) add_regions_of_chain(request, image, most_products / each, stop);
    else add_regions(request, image, most_products / each, stop);
}

void Verifier::add_whole(const ImageRequest& request, const ConstImageView& image,
                         const std::stop_token& stop) {
    regions_.push_back({whole(size_), ReferenceResult(request, image, whole(size_), stop)});
}

void Verifier::add_regions(const ImageRequest& request, const ConstImageView& image, double most_pixels,
                           const std::stop_token& stop) {
    const auto r = reach(request.stages.front());
    // The surroundings of a rectangle would be larger than the image: it is verified in the image itself.
    const bool reaches_beyond = r.left + r.right > size_.width || r.up + r.down > size_.height;
    const double extent = std::sqrt(most_pixels / count_of_places(size_));
    for (const auto& place :
         places(size_, std::clamp(static_cast<std::int64_t>(extent), kLeastExtent, kMostExtent))) {
        const Rect area{place.x - r.left, place.y - r.up, place.width + r.left + r.right,
                        place.height + r.up + r.down};
        regions_.push_back({place, reaches_beyond ? ReferenceResult(request, image, place, stop)
                                                  : reference_in(area, place, request, image, stop)});
    }
}

/// Several stages, whose intermediate results meet the border too: rectangles are verified in cut-outs of the
/// image. Under wrap a periodic plane stays periodic, so there the surroundings are resolved by the border.
/// `most_pixels` limits all cut-outs together.
void Verifier::add_regions_of_chain(const ImageRequest& request, const ConstImageView& image,
                                    double most_pixels, const std::stop_token& stop) {
    const auto m = margin(request);
    const auto count = count_of_places(size_);
    const auto around = static_cast<double>(m.x + m.y);
    const auto extent = std::clamp(static_cast<std::int64_t>(std::sqrt(most_pixels / count) - around),
                                   kLeastExtent, kMostExtent);
    const auto all = static_cast<double>(size_.width) * static_cast<double>(size_.height);
    if (count * static_cast<double>((extent + 2 * m.x) * (extent + 2 * m.y)) >= all)
        return add_whole(request, image, stop);
    for (const auto& place : places(size_, extent)) {
        const bool wraps = request.border == Border::wrap;
        const auto area = wraps ? Rect{place.x - m.x, place.y - m.y, place.width + 2 * m.x,
                                       place.height + 2 * m.y}
                                : surroundings_of(place, m, size_);
        regions_.push_back({place, reference_in(area, place, request, image, stop)});
    }
}

Verification Verifier::verify(const ConstImageView& result, const Algorithm* algorithm,
                              const std::stop_token& stop) const {
    if (result.size != size_) throw Error("wrong-size", "The result has not the size that was asked for.");
    Verification verification;
    for (const auto& [place, reference] : regions_)
        add(verification, reference.verify(result.crop(place), algorithm, stop),
            place == whole(size_) ? ""
                                  : "in the rectangle at x " + std::to_string(place.x) + " y " +
                                        std::to_string(place.y) + ", ");
    return verification;
}

Verifier verifier_of(const ImageRequest& request, const ConstImageView& image, double most_products,
                     const std::stop_token& stop) {
    return {request, image, most_products, stop};
}

Verification verify(const ImageRequest& request, const ConstImageView& image, const ConstImageView& result,
                    const Algorithm* algorithm, double most_products, const std::stop_token& stop) {
    return Verifier(request, image, most_products, stop).verify(result, algorithm, stop);
}

} // namespace kg::measure
