#include "app/bench/slider/proof.hpp"

#include "app/process/hash.hpp"
#include "core/support/error.hpp"
#include "core/plan/planner.hpp"
#include "cpu/kernels/sampled_products.hpp"
#include "display/read_back.hpp"
#include "measure/verify.hpp"

#include <algorithm>

namespace kg {

namespace {

constexpr double kProofProducts =
    2e7; // of the reference, some parts of the picture in a fraction of a second

std::uint64_t digest_of(const ConstImageView& texels) {
    std::uint64_t digest = 0;
    const auto bytes = static_cast<std::size_t>(texels.size.width) * bytes_per_pixel(texels.format);
    for (std::int64_t y = 0; y < texels.size.height; ++y)
        digest = digest * 0x9E3779B97F4A7C15u +
                 batch::short_hash_of({reinterpret_cast<const char*>(texels.row<std::byte>(y)), bytes});
    return digest;
}

/// Pixels of 8 bits as texels: what has no coverage is opaque.
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

/// What of the texture a result has filled.
Rect texels_of(const Result& result) {
    if (!result.preview) return whole(result.job.request.size);
    return result.preview->every > 1 ? result.preview->changed.front() : result.preview->part;
}

/// Runs a plan over `part`, and brings the result here.
Image computed(const std::shared_ptr<Engine>& engine, Queue& queue, const std::shared_ptr<const Plan>& plan,
               const BufferView& source, const PixelFormat& format, const Rect& part,
               const Patience& patience) {
    Image pixels({part.width, part.height}, format);
    const Item item{source, allocate_view(*engine, format, part)};
    queue.run(plan, {&item, 1});
    queue.download(item.dst, pixels.view());
    patience.until_done("a result for the proof", queue.fence());
    return pixels;
}

} // namespace

void SliderProof::read(const display::DisplayImage& image, const Result& result) {
    const auto& format = result.pixels.format;
    if (format.depth != Depth::u8 || format.channels != 4 || format.alpha >= 0)
        throw Error("pixels other than plain RGBA of 8 bits are not proved");
    if (image.shown().reduction != image.shown().every)
        throw Error("the texture is smaller than the picture");
    const auto texels = display::read_texture(image.texture(), texels_of(result), format.depth);
    all_.push_back({result.job, result.home, result.preview, digest_of(texels.view())});
}

std::string SliderProof::wrong(const Patience& patience) const {
    for (const auto& read : all_) {
        if (patience.stop().stop_requested()) throw Cancelled();
        if (const auto why = wrong(read, &read == &all_.back(), patience); !why.empty())
            return "wrong pixels: picture " + std::to_string(&read - all_.data() + 1) + " of " +
                   std::to_string(all_.size()) + " in the texture" + (read.preview ? ", a preview, " : " ") +
                   why;
    }
    return {};
}

std::string SliderProof::wrong(const Read& read, bool is_last, const Patience& patience) const {
    const auto& request = read.job.request;
    const auto picture = read.job.picture->image.view();
    const auto queue = read.home->queue();
    const auto source = allocate_view(*read.home, request.in, whole(request.size));
    queue->upload(picture, source);
    const auto every = read.preview ? read.preview->every : 1;
    const auto part = read.preview ? read.preview->part : whole(request.size);
    // A sample has the bytes of the way whose arithmetic it has.
    const bool separates = every > 1 && cpu::sampled_products(request.stages.front()).separates();
    const auto plain = plan(*read.home, request, every == 1 ? "" : separates ? "separable" : "direct");
    const auto of_plain = [&](const Rect& rect) {
        return computed(read.home, *queue, plain, source, request.out, rect, patience);
    };
    Image expected;
    if (every == 1) {
        expected = of_plain(part);
    } else {
        expected = Image({(part.width + every - 1) / every, (part.height + every - 1) / every}, request.out);
        const auto pixel = bytes_per_pixel(request.out);
        for (std::int64_t v = 0; v < expected.size().height; ++v) {
            const auto row = of_plain({part.x, part.y + v * every, part.width, 1});
            for (std::int64_t u = 0; u < expected.size().width; ++u)
                std::copy_n(row.view().row<std::byte>(0) + static_cast<std::size_t>(u * every) * pixel, pixel,
                            expected.view().row<std::byte>(v) + static_cast<std::size_t>(u) * pixel);
        }
    }
    if (digest_of(texels_of(expected.view()).view()) != read.digest) return "is not what its edit asked for";
    if (!is_last || read.preview) return {};
    const auto proof = measure::verify(request, picture, expected.view(), inexact_way(*read.home, *plain),
                                       kProofProducts, patience.stop());
    return proof.right() ? "" : proof.first_wrong;
}

} // namespace kg
