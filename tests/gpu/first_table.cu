// kg_first_table FILE.json: the first measurements of the CUDA engine. Every algorithm is verified against
// the reference before it is timed; times are gaps between events in a stream that never runs dry, over
// buffers larger than the L2.

#include "core/reference/reference.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/quantile.hpp"
#include "gpu/engine.hpp"
#include "gpu/runtime/access.hpp"
#include "gpu/runtime/device.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <random>

namespace kg::testing {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr Extent kLarge{4096, 4096}, kSmall{257, 193};
constexpr int kPairs = 3, kWarmUps = 10, kSamples = 60;

/// Three decimals: more would be noise.
double rounded(double value) { return std::round(value * 1e3) / 1e3; }

json statistics(const std::vector<double>& samples) {
    const auto at = [&](double p) { return quantile(samples, p); };
    return {{"median_us", rounded(at(0.5))},
            {"p5_us", rounded(at(0.05))},
            {"p95_us", rounded(at(0.95))},
            {"samples", samples.size()}};
}

/// Integer weights with point symmetry, so that correlation and convolution agree.
Kernel symmetric(int size) {
    std::mt19937 random(static_cast<unsigned>(size));
    const auto n = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    std::vector<float> weights(n);
    for (std::size_t i = 0; i <= n / 2; ++i)
        weights[i] = weights[n - 1 - i] = static_cast<float>(1 + random() % 7);
    float sum = 0;
    for (const float w : weights) sum += w;
    return make_kernel(size, size, std::move(weights), sum);
}

ImageRequest request_for(Extent size, const PixelFormat& format, int width) {
    ImageRequest request{size, format, format, {}};
    request.border = Border::replicate; // the only border of NPP here
    request.stages = {Stage{{symmetric(width)}}};
    return request;
}

Item item_of(Engine& engine, const ImageRequest& r) {
    return {allocate_view(engine, r.in, whole(r.size)), allocate_view(engine, r.out, whole(r.size))};
}

__global__ void copy_words(const uint4* from, uint4* to, std::size_t count) {
    const auto i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) to[i] = from[i];
}

// NPP, loaded at run time.

struct NppSize {
    int width, height;
};
struct NppPoint {
    int x, y;
};
struct NppContext {
    cudaStream_t stream;
    int device, multiprocessors, threads_per_multiprocessor, threads_per_block;
    std::size_t shared_per_block;
    int major, minor;
    unsigned stream_flags, reserved;
};
constexpr int kNppReplicate = 2;

using Filter32f = int (*)(const float*, int, float*, int, NppSize, const float*, NppSize, NppPoint,
                          NppContext);
using FilterBorder32f = int (*)(const float*, int, NppSize, NppPoint, float*, int, NppSize, const float*,
                                NppSize, NppPoint, int, NppContext);
using FilterBorder8u = int (*)(const std::uint8_t*, int, NppSize, NppPoint, std::uint8_t*, int, NppSize,
                               const float*, NppSize, NppPoint, int, NppContext);

struct Npp {
    void* library = dlopen("libnppif.so.13", RTLD_NOW);
    template <typename Function>
    Function find(const char* name) const {
        return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
    }
};

NppContext npp_context(Engine& engine, Queue& queue) {
    cudaDeviceProp p{};
    const int device = gpu::device_of(engine);
    gpu::check(cudaGetDeviceProperties(&p, device));
    return {gpu::stream_of(queue),
            device,
            p.multiProcessorCount,
            p.maxThreadsPerMultiProcessor,
            p.maxThreadsPerBlock,
            p.sharedMemPerBlock,
            p.major,
            p.minor,
            cudaStreamNonBlocking,
            0};
}

// One algorithm: enqueue(item).

struct Candidate {
    std::string name;
    std::function<void(Queue&, const ImageRequest&, const Item&)> enqueue;
    bool ours = false, is_copy = false;
    int untouched_border = 0; ///< pixels at the edge that it does not compute
};

/// Largest difference from the reference in levels or relative to full scale, where the algorithm computes.
double difference(const ImageRequest& r, const ConstImageView& image, const ConstImageView& result,
                  int margin) {
    const auto expected = reference_image(r, image);
    double largest = 0;
    for (std::int64_t y = margin; y < r.size.height - margin; ++y)
        for (std::int64_t x = margin; x < r.size.width - margin; ++x)
            for (int c = 0; c < r.out.channels; ++c)
                largest = std::max(largest,
                                   std::fabs(sample(result, x, y, c) - sample(expected.view(), x, y, c)));
    return largest;
}

std::string verify(Engine& engine, const Candidate& algorithm, const PixelFormat& format, int size,
                   json& row) {
    const auto request = request_for(kSmall, format, size);
    const auto image = random_image(request.size, request.in, 7);
    const auto item = item_of(engine, request);
    Image result(request.size, request.out);
    const auto queue = engine.queue();
    queue->upload(image.view(), item.src);
    algorithm.enqueue(*queue, request, item);
    queue->download(item.dst, result.view());
    queue->fence().wait();
    if (algorithm.is_copy) return same_pixels(image.view(), result.view()) ? "" : "the copy differs";
    const double largest = difference(request, image.view(), result.view(), algorithm.untouched_border);
    row["largest_difference"] = largest;
    if (algorithm.ours) {
        const auto right = is_right(request, image.view(), result.view());
        return right ? "" : right.message();
    }
    return largest <= (format.depth == Depth::u8 ? 1.0 : 1e-5)
               ? ""
               : "differs from the reference by " + std::to_string(largest);
}

json measure(Engine& engine, const Candidate& algorithm, const PixelFormat& format, int size) {
    json row{{"algorithm", algorithm.name},
             {"format", std::string(name(format.depth)) + "x" + std::to_string(format.channels)},
             {"kernel", size}};
    try {
        if (const auto wrong = verify(engine, algorithm, format, size, row); !wrong.empty()) {
            row["refused"] = wrong; // wrong results are not timed
            return row;
        }
        const auto request = request_for(kLarge, format, size);
        const auto image = random_image(request.size, request.in, 9);
        std::vector<Item> items;
        const auto queue = engine.queue();
        for (int i = 0; i < kPairs; ++i) {
            items.push_back(item_of(engine, request));
            queue->upload(image.view(), items.back().src);
        }
        const auto enqueue = [&](int i) {
            algorithm.enqueue(*queue, request, items[static_cast<std::size_t>(i % kPairs)]);
        };
        for (int i = 0; i < kWarmUps; ++i) enqueue(i);
        queue->fence().wait();
        // keeps the stream busy while the samples are enqueued
        for (int i = 0; i < kWarmUps; ++i) enqueue(i);
        for (int i = 0; i < kSamples; ++i) {
            queue->mark("sample");
            enqueue(i);
        }
        const auto fence = queue->fence();
        fence.wait();
        std::vector<double> samples;
        for (const auto& span : fence.report().spans) samples.push_back(span.microseconds);
        row.update(statistics(samples));
        const double pixels = static_cast<double>(kLarge.width * kLarge.height), median = row["median_us"];
        row["gb_per_s"] = rounded(pixels * static_cast<double>(2 * bytes_per_pixel(format)) / median / 1e3);
        if (!algorithm.is_copy)
            row["giga_taps_per_s"] = rounded(pixels * format.channels * size * size / median / 1e3);
        if (algorithm.ours)
            for (const auto& candidate : algorithm_answers(engine, request))
                if (candidate.algorithm->id == algorithm.name)
                    row["predicted_us"] = rounded(candidate.microseconds);
    } catch (const std::exception& error) {
        row["refused"] = error.what();
    }
    return row;
}

std::vector<Candidate> algorithms(Engine& engine, const PixelFormat& format, const Npp& npp) {
    std::vector<Candidate> all;
    all.push_back(
        {"copy kernel",
         [](Queue& queue, const ImageRequest&, const Item& item) {
             const auto count = item.src.size_in_bytes() / sizeof(uint4);
             copy_words<<<static_cast<unsigned>((count + 255) / 256), 256, 0, gpu::stream_of(queue)>>>(
                 static_cast<const uint4*>(gpu::device_pointer(item.src)),
                 static_cast<uint4*>(gpu::device_pointer(item.dst)), count);
             gpu::check(cudaGetLastError());
         },
         false, true});
    for (const auto* id : {"naive", "tiled"})
        all.push_back({id,
                       [&engine, id, last = ImageRequest{}, prepared = std::shared_ptr<const Plan>()](
                           Queue& queue, const ImageRequest& r, const Item& item) mutable {
                           if (!prepared || last != r) prepared = plan(engine, r, id), last = r;
                           queue.run(prepared, {&item, 1});
                       },
                       true});
    const auto npp_failed = [](int status) {
        if (status != 0) throw Error("npp-failed", "NPP answered {}", status);
    };
    // NPP reads the weights from device memory.
    const auto weights_on_device = [&engine](const ImageRequest& r, bool divided) {
        const auto& k = r.stages.front().kernels.front();
        auto weights = std::make_shared<std::vector<float>>(k.weights);
        if (divided)
            for (auto& w : *weights) w /= k.divisor;
        auto buffer = engine.allocate(weights->size() * sizeof(float));
        BufferView view{buffer,
                        0,
                        weights->size() * sizeof(float),
                        {Depth::f32, 1},
                        {0, 0, static_cast<std::int64_t>(weights->size()), 1}};
        const auto queue = engine.queue();
        queue->upload(ConstImageView{reinterpret_cast<const std::byte*>(weights->data()),
                                     view.pitch,
                                     {view.covers.width, 1},
                                     view.format},
                      view);
        queue->fence().wait();
        return view;
    };
    const auto with_npp = [&](const std::string& name, auto function, auto call, int untouched) {
        if (!function) return;
        all.push_back(
            {name,
             [&engine, weights_on_device, function, call, npp_failed, last = ImageRequest{},
              weights = BufferView{}](Queue& queue, const ImageRequest& r, const Item& item) mutable {
                 if (!weights.memory || last != r) weights = weights_on_device(r, true), last = r;
                 npp_failed(call(function, npp_context(engine, queue), r, item,
                                 static_cast<const float*>(gpu::device_pointer(weights))));
             },
             false, false, untouched});
    };
    const auto size_of = [](const ImageRequest& r) {
        return NppSize{static_cast<int>(r.size.width), static_cast<int>(r.size.height)};
    };
    const auto kernel_size_of = [](const ImageRequest& r) { return r.stages.front().kernels.front().width; };
    if (format.depth == Depth::f32) {
        with_npp(
            "NPP FilterBorder_32f_C1R", npp.find<FilterBorder32f>("nppiFilterBorder_32f_C1R_Ctx"),
            [=](FilterBorder32f f, const NppContext& context, const ImageRequest& r, const Item& item,
                const float* weights) {
                const int n = kernel_size_of(r);
                return f(static_cast<const float*>(gpu::device_pointer(item.src)),
                         static_cast<int>(item.src.pitch), size_of(r), {0, 0},
                         static_cast<float*>(gpu::device_pointer(item.dst)), static_cast<int>(item.dst.pitch),
                         size_of(r), weights, {n, n}, {n / 2, n / 2}, kNppReplicate, context);
            },
            0);
        with_npp(
            "NPP Filter_32f_C1R",
            npp.find<Filter32f>("nppiFilter_32f_C1R_Ctx"), // no border: computes only the inside
            [=](Filter32f f, const NppContext& context, const ImageRequest& r, const Item& item,
                const float* weights) {
                const int n = kernel_size_of(r), half = n / 2;
                const auto at = [&](const BufferView& v) {
                    return static_cast<float*>(gpu::device_pointer(v)) +
                           half * static_cast<std::int64_t>(v.pitch / 4) + half;
                };
                return f(at(item.src), static_cast<int>(item.src.pitch), at(item.dst),
                         static_cast<int>(item.dst.pitch),
                         {size_of(r).width - n + 1, size_of(r).height - n + 1}, weights, {n, n}, {half, half},
                         context);
            },
            7);
    } else {
        with_npp(
            "NPP FilterBorder32f_8u_C4R", npp.find<FilterBorder8u>("nppiFilterBorder32f_8u_C4R_Ctx"),
            [=](FilterBorder8u f, const NppContext& context, const ImageRequest& r, const Item& item,
                const float* weights) {
                const int n = kernel_size_of(r);
                return f(static_cast<const std::uint8_t*>(gpu::device_pointer(item.src)),
                         static_cast<int>(item.src.pitch), size_of(r), {0, 0},
                         static_cast<std::uint8_t*>(gpu::device_pointer(item.dst)),
                         static_cast<int>(item.dst.pitch), size_of(r), weights, {n, n}, {n / 2, n / 2},
                         kNppReplicate, context);
            },
            0);
    }
    return all;
}

// Overhead of the contract.

__global__ void empty_kernel() {}

/// What `record` enqueues on a stream, launched again without recording it.
class Graph {
public:
    Graph(cudaStream_t stream, const std::function<void()>& record) {
        gpu::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
        record();
        gpu::check(cudaStreamEndCapture(stream, &graph_));
        gpu::check(cudaGraphInstantiate(&instance_, graph_, 0));
    }
    Graph(const Graph&) = delete;
    ~Graph() {
        cudaGraphExecDestroy(instance_);
        cudaGraphDestroy(graph_);
    }
    void launch(cudaStream_t stream) const { gpu::check(cudaGraphLaunch(instance_, stream)); }

private:
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t instance_ = nullptr;
};

json overhead(Engine& engine) {
    const auto repeat = [](int times, auto body) {
        std::vector<double> samples;
        for (int i = 0; i < times; ++i) {
            const auto begin = Clock::now();
            body();
            samples.push_back(microseconds_since(begin));
        }
        return statistics(samples);
    };
    json all;
    auto begin = Clock::now();
    auto queue = engine.queue();
    all["first queue (starts CUDA)"] = rounded(microseconds_since(begin));
    const auto stream = gpu::stream_of(*queue);
    const gpu::Event done(gpu::EventKind::plain);
    const auto wait = [&] { queue->fence().wait(); };
    auto straight = request_for({512, 512}, {Depth::u8, 4}, 3),
         chain = request_for({512, 512}, {Depth::u8, 4, 3}, 3);
    begin = Clock::now();
    auto one = plan(engine, straight);
    all["plan, first (loads the kernel)"] = rounded(microseconds_since(begin));
    const auto many = plan(engine, chain);
    all["one step is"] = one->algorithm, all["chain is"] = many->algorithm;
    all["plan, repeated, one step"] = repeat(200, [&] { one = plan(engine, straight); });
    all["plan, repeated, chain of three"] = repeat(200, [&] { plan(engine, chain); });
    const auto item = item_of(engine, straight), rgba = item_of(engine, chain);
    begin = Clock::now();
    queue->run(one, {&item, 1});
    wait();
    all["first run to done"] = rounded(microseconds_since(begin));
    queue->run(many, {&rgba, 1});
    wait();
    const auto recording = [&](const std::shared_ptr<const Plan>& prepared, const Item& on,
                               std::stop_token stop) {
        std::vector<double> samples;
        for (int i = 0; i < 200; ++i) {
            const auto start = Clock::now();
            queue->run(prepared, {&on, 1}, stop);
            samples.push_back(microseconds_since(start));
            wait();
        }
        return statistics(samples);
    };
    all["run, one step"] = recording(one, item, {});
    all["run, one step, with a stop token"] = recording(one, item, std::stop_source().get_token());
    all["run, chain of three"] = recording(many, rgba, {});
    all["fence, enqueue only"] = repeat(200, [&] { queue->fence(); });
    all["fence and wait, nothing to do"] = repeat(200, wait);
    all["call to done, one step"] = repeat(200, [&] { queue->run(one, {&item, 1}), wait(); });
    all["call to done, chain of three"] = repeat(200, [&] { queue->run(many, {&rgba, 1}), wait(); });
    all["call to done, an empty kernel"] = repeat(200, [&] { empty_kernel<<<1, 32, 0, stream>>>(), wait(); });
    all["call to done, an empty kernel, without the contract"] = repeat(200, [&] {
        empty_kernel<<<1, 32, 0, stream>>>();
        gpu::check(cudaEventRecord(done.get(), stream));
        while (cudaEventQuery(done.get()) == cudaErrorNotReady) {
        }
    });
    const auto replayed = [&](const std::shared_ptr<const Plan>& prepared, const Item& on) {
        const Graph graph(stream, [&] { queue->run(prepared, {&on, 1}); });
        return repeat(200, [&] { graph.launch(stream), wait(); });
    };
    all["call to done, one step, CUDA graph"] = replayed(one, item);
    all["call to done, chain of three, CUDA graph"] = replayed(many, rgba);
    const auto big = plan(engine, request_for({512, 512}, {Depth::u8, 4}, 17));
    queue->run(big, {&item, 1}), wait();
    all["run, one step, weights that need the large parameters (17 x 17)"] = recording(big, item, {});

    const auto image = random_image(straight.size, straight.in, 1);
    Image result(straight.size, straight.out);
    const auto there_and_back = [&](const ConstImageView& from, const ImageView& to) {
        queue->upload(from, item.src), queue->run(one, {&item, 1}), queue->download(item.dst, to), wait();
    };
    there_and_back(image.view(), result.view());
    all["upload, one step, download, ordinary memory"] = repeat(
        100, [&] { there_and_back(image.view(), result.view()); });
    const auto staged = allocate_view(engine, straight.in, whole(straight.size), BufferKind::staging);
    const ImageView pinned{staged.memory->host(), staged.pitch, straight.size, straight.in};
    all["upload, one step, download, staging memory"] = repeat(100, [&] { there_and_back(pinned, pinned); });
    all["run to wake"] = repeat(100, [&] {
        std::atomic<bool> woken = false;
        queue->run(one, {&item, 1});
        queue->fence([&] { woken = true, woken.notify_one(); });
        woken.wait(false);
    });
    const auto spans_of = [&](const std::shared_ptr<const Plan>& prepared, const Item& on) {
        for (int i = 0; i < 20; ++i) queue->run(prepared, {&on, 1});
        for (int i = 0; i < 50; ++i) queue->mark("run"), queue->run(prepared, {&on, 1});
        const auto fence = queue->fence();
        fence.wait();
        std::vector<double> samples;
        for (const auto& span : fence.report().spans) samples.push_back(span.microseconds);
        return statistics(samples);
    };
    all["on the GPU, one step"] = spans_of(one, item);
    all["on the GPU, chain of three"] = spans_of(many, rgba);
    return all;
}

/// Many images of one size in one call, beside a copy of as many bytes. The buffers are larger than the L2.
json many_images(Engine& engine, std::string_view algorithm) {
    constexpr int kImages = 1024;
    constexpr Extent kSize{256, 256};
    const auto request = request_for(kSize, {Depth::u8, 4}, 3);
    const auto filter = plan(engine, request, algorithm);
    const auto queue = engine.queue();
    std::vector<Item> items;
    Image image;
    for (int i = 0; i < kImages; ++i) {
        items.push_back(item_of(engine, request));
        if (i % 64 == 0) image = random_image(kSize, request.in, static_cast<unsigned>(i));
        queue->upload(image.view(), items.back().src);
        queue->fence().wait();
    }
    queue->run(filter, items);
    Image result(kSize, request.out);
    queue->download(items.back().dst, result.view());
    queue->fence().wait();
    json row{{"algorithm", filter->algorithm}, {"images", kImages}, {"size", {kSize.width, kSize.height}}};
    if (!is_right(request, image.view(), result.view())) {
        row["refused"] = "the last result is wrong";
        return row;
    }
    const auto time = [&](auto body) {
        std::vector<double> samples;
        for (int i = 0; i < kSamples; ++i) {
            queue->mark("one"), body(), queue->mark("pause");
            const auto fence = queue->fence();
            fence.wait();
            samples.push_back(fence.report().spans.front().microseconds);
        }
        return statistics(samples);
    };
    row["one call"] = time([&] { queue->run(filter, items); });
    row["a call for each image"] = time([&] {
        for (const auto& item : items) queue->run(filter, {&item, 1});
    });
    const Extent all{kSize.width, kSize.height * kImages};
    const Item copied = item_of(engine, request_for(all, request.in, 1));
    const auto words = std::size_t{16384} * kImages; // words of 16 bytes
    row["copy of the same bytes"] = time([&] {
        copy_words<<<static_cast<unsigned>(words / 256), 256, 0, gpu::stream_of(*queue)>>>(
            static_cast<const uint4*>(gpu::device_pointer(copied.src)),
            static_cast<uint4*>(gpu::device_pointer(copied.dst)), words);
    });
    return row;
}

std::string output_of(const char* command) {
    std::string text;
    if (FILE* pipe = popen(command, "r")) {
        char chunk[256];
        while (fgets(chunk, sizeof chunk, pipe)) text += chunk;
        pclose(pipe);
    }
    return text.substr(0, text.find('\n'));
}

int measure_all(const char* path) {
    const auto engine = gpu::make_engine();
    if (const auto why = engine->usable(); !why.empty()) {
        std::fprintf(stderr, "nothing measured: %s\n", why.c_str());
        return 1;
    }
    json document{{"device", engine->device().name}, {"description", engine->device().description}};
    document["overhead_512x512_rgba8_3x3_us"] = overhead(*engine);
    for (const auto* algorithm : {"registers", "patches", "tiled"})
        document["many_images_us"].push_back(many_images(*engine, algorithm));
    const Npp npp;
    if (!npp.library) document["npp"] = "not measured: libnppif.so.13 is not on this machine";
    document["size"] = {kLarge.width, kLarge.height};
    auto& rows = document["rows"] = json::array();
    int refused = 0;
    for (const auto& format : {PixelFormat{Depth::f32, 1}, PixelFormat{Depth::u8, 4}})
        for (const int size : {3, 7, 15})
            for (const auto& algorithm : algorithms(*engine, format, npp)) {
                if (algorithm.is_copy && size != 3) continue; // independent of the kernel
                rows.push_back(measure(*engine, algorithm, format, size));
                const auto& row = rows.back();
                refused += row.contains("refused") && algorithm.ours;
                std::printf("%-28s %s k %2d  %s\n", algorithm.name.c_str(),
                            row["format"].get<std::string>().c_str(), size,
                            row.contains("refused") ? row["refused"].get<std::string>().c_str()
                                                    : row["median_us"].dump().c_str());
            }
    document["clocks_after"] = output_of(
        "nvidia-smi --query-gpu=driver_version,clocks.sm,clocks.mem,power.draw,temperature.gpu "
        "--format=csv,noheader");
    std::ofstream(path) << document.dump(1) << "\n";
    return refused;
}

} // namespace
} // namespace kg::testing

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: kg_first_table FILE.json\n");
        return 2;
    }
    return kg::testing::measure_all(argv[1]);
}
