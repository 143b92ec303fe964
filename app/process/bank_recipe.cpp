#include "app/process/bank_recipe.hpp"

#include "app/io/files/files.hpp"
#include "app/io/image_file.hpp"
#include "app/process/engine/job_engine.hpp"
#include "core/image/copy_tensor.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kg {

namespace {

std::string pair_text(const RowsAndColumns& pair) {
    return std::to_string(pair.rows) + (pair.rows == pair.columns ? "" : "," + std::to_string(pair.columns));
}

bool is_opaque(const Batch& batch) {
    for (std::int64_t n = 0; n < batch.shape.items; ++n) {
        const auto item = batch.item(n);
        for (std::int64_t y = 0; y < item.size.height; ++y)
            for (std::int64_t x = 0; x < item.size.width; ++x) {
                float alpha = 0;
                std::memcpy(&alpha, item.at(x, y, batch.shape.channels - 1), sizeof alpha);
                if (alpha != 1) return false;
            }
    }
    return true;
}

} // namespace

BankWeights weights_of(const TensorData& tensor, bool channels_last, const std::string& what) {
    auto shape = tensor.shape;
    if (shape.size() < 2 || shape.size() > 4)
        throw Error("wrong-dimensions",
                    "{}: this array has {} dimensions; weights have 4 (k c r s), 3 (k r s) or 2 (r s)", what,
                    shape.size());
    const bool has_channels = shape.size() == 4;
    if (shape.size() == 2) shape.insert(shape.begin(), 1);
    if (!has_channels) shape.insert(shape.begin() + 1, 1);
    else if (channels_last) std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
    BankWeights weights{shape[0], shape[1], {shape[3], shape[2]}, tensor.numbers};
    if (!has_channels || !channels_last) return weights;
    // K R S C to K C R S.
    const auto taps = shape[2] * shape[3];
    for (std::int64_t k = 0; k < weights.filters; ++k)
        for (std::int64_t c = 0; c < weights.channels; ++c)
            for (std::int64_t tap = 0; tap < taps; ++tap)
                weights.numbers[static_cast<std::size_t>((k * weights.channels + c) * taps + tap)] =
                    tensor.numbers[static_cast<std::size_t>((k * taps + tap) * weights.channels + c)];
    return weights;
}

std::optional<Batch> without_alpha(const Batch& batch, const BankRecipe& recipe) {
    const auto colours = batch.shape.channels - 1;
    if (!batch.has_alpha || colours < 1) return {};
    const bool by_channel = recipe.weights.channels == 1 && !recipe.groups;
    if (by_channel ? !is_opaque(batch) : recipe.weights.channels * recipe.groups.value_or(1) != colours)
        return {};
    Batch colour{{batch.shape.items, colours, batch.shape.size}, batch.layout, {}};
    colour.numbers.resize(static_cast<std::size_t>(colour.shape.count()));
    for (std::int64_t n = 0; n < batch.shape.items; ++n) {
        auto from = batch.item(n);
        from.format.channels = colours;
        copy_tensor(from, colour.item(n));
    }
    return colour;
}

BankOutcome run_banks(const EngineOptions& engines, const BankRequest& request, const Batch& batch,
                      bool verify, const std::stop_token& stop, std::string& notice) {
    const auto choice = choose_engine_for(engines, request);
    auto done = with_fallback(choice, notice, [&](const std::shared_ptr<Engine>& engine) {
        auto outcome = run_bank_job(*engine, request, batch, engines.algorithm, verify, stop);
        outcome.reason = choice.with_reason(outcome.reason, *engine);
        return outcome;
    });
    if (notice.empty()) notice = choice.notice;
    return done;
}

bool is_array_name(const std::filesystem::path& out) {
    const auto extension = lower_case(out.extension().string());
    return extension == ".npy" || extension == ".safetensors";
}

std::string bank_file_bytes(const std::filesystem::path& out, const BankRequest& request, const Batch& batch,
                            const Batch& result, const SheetLook& look) {
    if (lower_case(out.extension().string()) == ".safetensors") return write_safetensors(result);
    if (is_array_name(out)) return write_batch(result);
    const auto sheet = contact_sheet(result, look, map_roundings(request, batch));
    return encode_image(sheet.view(), out.extension().string(), quoted(out)).bytes;
}

CommandText command_text(const BankCommand& command) {
    CommandLine line(command.folder);
    const auto out = std::filesystem::absolute(command.out);
    std::vector<std::filesystem::path> in = command.in;
    if (in.empty()) {
        in.push_back(out.parent_path() / "sample.png");
        line.word("kernelglass"), line.word("sample"), line.word(in.front().string());
        line.then();
    }
    line.word("kernelglass"), line.word("bank");
    for (const auto& file : in) line.word(std::filesystem::absolute(file).string());
    if (command.drawn) {
        const auto& bank = *command.drawn;
        const BatchShape shape{bank.filters, bank.channels, bank.kernel}; // k c r s
        line.file_flag("--weights", "weights.npy", write_batch({shape, Layout::nchw, bank.numbers}));
    } else if (!command.filter.empty()) {
        line.flag("-f", command.filter);
    } else {
        line.flag("--weights", std::filesystem::absolute(command.weights).string());
        if (!command.tensor.empty()) line.flag("--tensor", command.tensor);
        if (command.channels_last) line.flag("--weights-layout", "krsc");
        if (!command.bias.empty()) {
            line.flag("--bias", std::filesystem::absolute(command.weights).string());
            line.flag("--bias-tensor", command.bias);
        }
    }
    if (command.stride != RowsAndColumns{}) line.flag("--stride", pair_text(command.stride));
    if (command.dilation != RowsAndColumns{}) line.flag("--dilation", pair_text(command.dilation));
    line.flag("--pad", command.padding ? pair_text(*command.padding) : "same");
    if (command.groups) line.flag("--groups", std::to_string(*command.groups));
    const bool padded = command.padding != RowsAndColumns{0, 0}; // without it the border has no effect
    if (padded && command.border != Border::zero) line.flag("--border", name(command.border));
    if (command.layout != Layout::nchw) line.flag("--layout", name(command.layout));
    if (!is_array_name(out)) {
        if (command.look.colours != SheetLook{}.colours) line.flag("--colours", name(command.look.colours));
        if (command.look.scale != SheetLook{}.scale) line.flag("--scale", name(command.look.scale));
    }
    line.computed_by(command.engine.engine, {});
    if (command.engine.device) line.flag("--device", std::to_string(*command.engine.device));
    line.flag("-o", out.string());
    return std::move(line).take();
}

} // namespace kg
