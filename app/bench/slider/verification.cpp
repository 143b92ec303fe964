#include "app/bench/slider/verification.hpp"

#include "app/process/file/hash.hpp"
#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "cpu/kernels/sampled_products.hpp"
#include "display/read_back.hpp"
#include "measure/verify.hpp"

#include <algorithm>

namespace kg {

namespace {

// Products of the reference: some rectangles of the image in a fraction of a second.
constexpr double kVerificationProducts = 2e7;

std::uint64_t digest_of(const ConstImageView& texels) {
    std::uint64_t digest = 0;
    const auto bytes = static_cast<std::size_t>(texels.size.width) * bytes_per_pixel(texels.format);
    for (std::int64_t y = 0; y < texels.size.height; ++y)
        digest = digest * 0x9E3779B97F4A7C15u +
                 short_hash_of({reinterpret_cast<const char*>(texels.row<std::byte>(y)), bytes});
    return digest;
}

/// 8-bit pixels as texels: alpha is 255 where the image has none.
Image texels_of(const ConstImageView& pixels) {
    Image texels(pixels.size, {Depth::u8, 4, 3});
    for (std::int64_t y = 0; y < pixels.size.height; ++y) {
        const auto* from = pixels.row<std::uint8_t>(y);
        auto* to = texels.view().row<std::uint8_t>(y);
        for (std::int64_t x = 0; x < pixels.size.width; ++x, from += 4, to += 4) {
            std::copy_n(from, 3, to);
            to[3] = 255;
        }
    }
    return texels;
}

/// The region of the texture that a result has filled.
Rect texels_of(const Result& result) {
    if (!result.preview) return whole(result.job.request.size);
    return result.preview->every > 1 ? result.preview->changed.front() : result.preview->region;
}

/// Runs a plan over `region`, and downloads the result.
Image computed(const std::shared_ptr<Engine>& engine, Queue& queue, const std::shared_ptr<const Plan>& plan,
               const BufferView& source, const PixelFormat& format, const Rect& region,
               const Timeout& timeout) {
    Image pixels({region.width, region.height}, format);
    const Item item{source, allocate_view(*engine, format, region)};
    queue.run(plan, {&item, 1});
    queue.download(item.dst, pixels.view());
    timeout.until_done("a result for the verification", queue.fence());
    return pixels;
}

} // namespace

void SliderVerification::read(const display::DisplayImage& image, const Result& result) {
    const auto& format = result.pixels.format;
    if (format.depth != Depth::u8 || format.channels != 4 || format.alpha >= 0)
        throw Error("unsupported-pixels", "pixels other than plain RGBA of 8 bits are not verified");
    if (image.shown().reduction != image.shown().every)
        throw Error("texture-too-small", "the texture is smaller than the image");
    const auto texels = display::read_texture(image.texture(), texels_of(result), format.depth);
    all_.push_back({result.job, result.home, result.preview, digest_of(texels.view())});
}

std::string SliderVerification::wrong(const Timeout& timeout) const {
    for (const auto& read : all_) {
        if (timeout.stop().stop_requested()) throw Cancelled();
        if (const auto why = wrong(read, &read == &all_.back(), timeout); !why.empty())
            return "wrong pixels: image " + std::to_string(&read - all_.data() + 1) + " of " +
                   std::to_string(all_.size()) + " in the texture" + (read.preview ? ", a preview, " : " ") +
                   why;
    }
    return {};
}

std::string SliderVerification::wrong(const Read& read, bool is_last, const Timeout& timeout) const {
    const auto& request = read.job.request;
    const auto image = read.job.image->pixels.view();
    const auto queue = read.home->queue();
    const auto source = allocate_view(*read.home, request.in, whole(request.size));
    queue->upload(image, source);
    const auto every = read.preview ? read.preview->every : 1;
    const auto region = read.preview ? read.preview->region : whole(request.size);
    // A sample has the bytes of the algorithm with the same arithmetic.
    const bool separates = every > 1 && cpu::sampled_products(request.stages.front()).separates();
    const auto plain = plan(*read.home, request, every == 1 ? "" : separates ? "separable" : "direct");
    const auto of_plain = [&](const Rect& rect) {
        return computed(read.home, *queue, plain, source, request.out, rect, timeout);
    };
    Image expected;
    if (every == 1) {
        expected = of_plain(region);
    } else {
        expected = Image({(region.width + every - 1) / every, (region.height + every - 1) / every},
                         request.out);
        const auto pixel = bytes_per_pixel(request.out);
        for (std::int64_t v = 0; v < expected.size().height; ++v) {
            const auto row = of_plain({region.x, region.y + v * every, region.width, 1});
            for (std::int64_t u = 0; u < expected.size().width; ++u)
                std::copy_n(row.view().row<std::byte>(0) + static_cast<std::size_t>(u * every) * pixel, pixel,
                            expected.view().row<std::byte>(v) + static_cast<std::size_t>(u) * pixel);
        }
    }
    if (digest_of(texels_of(expected.view()).view()) != read.digest) return "does not match its edit";
    if (!is_last || read.preview) return {};
    const auto verification = measure::verify(request, image, expected.view(),
                                              inexact_algorithm(*read.home, *plain), kVerificationProducts,
                                              timeout.stop());
    return verification.right() ? "" : verification.first_wrong;
}

} // namespace kg
