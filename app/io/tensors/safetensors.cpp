#include "app/io/tensors/safetensors.hpp"

#include "core/image/half.hpp"
#include "core/support/error.hpp"
#include "core/support/float_range.hpp"
#include "core/support/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace kg::io {

namespace {

using Json = nlohmann::json;
constexpr std::size_t kLengthBytes = 8;

static_assert(std::endian::native == std::endian::little, "numbers lie in memory as in the file");

std::uint64_t header_length(std::string_view bytes) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), kLengthBytes);
    return length;
}

template <typename T>
T number_at(std::string_view data, std::size_t index) {
    T number;
    std::memcpy(&number, data.data() + index * sizeof number, sizeof number);
    return number;
}

struct ElementType {
    std::string_view name;
    std::size_t bytes;
    float (*read)(std::string_view, std::size_t);
};
constexpr ElementType kTypes[] = {
    {"F32", 4, [](std::string_view data, std::size_t i) { return number_at<float>(data, i); }},
    {"F16", 2,
     [](std::string_view data, std::size_t i) { return half_to_float(number_at<std::uint16_t>(data, i)); }},
    {"BF16", 2,
     [](std::string_view data, std::size_t i) { // the upper half of an f32
         return std::bit_cast<float>(static_cast<std::uint32_t>(number_at<std::uint16_t>(data, i)) << 16);
     }},
    {"F64", 8,
     [](std::string_view data, std::size_t i) { return static_cast<float>(number_at<double>(data, i)); }}};

Error damaged(const std::string& what, std::string_view why) {
    return {"damaged-file", "{}: this file of safetensors is damaged: {}", what, why};
}

constexpr const char* kMetadata = "__metadata__";

/// The end of a tensor's numbers.
std::uint64_t end_of(const Json& entry, const std::string& what) try {
    return entry.at("data_offsets").at(1).get<std::uint64_t>();
} catch (const Json::exception&) {
    throw damaged(what, "an entry has no place");
}

Json header_of(std::string_view bytes, const std::string& what) {
    const auto length = header_length(bytes);
    if (length > bytes.size() - kLengthBytes) throw damaged(what, "it ends before its header does");
    auto header = Json::parse(bytes.substr(kLengthBytes, length), nullptr, false);
    if (!header.is_object()) throw damaged(what, "its header is not JSON");
    const auto room = bytes.size() - kLengthBytes - length;
    for (const auto& [key, entry] : header.items())
        if (key != kMetadata && end_of(entry, what) > room)
            throw damaged(what, "it ends before its tensors do");
    return header;
}

/// The entry of the named tensor, or of the only one.
const Json& entry_of(const Json& header, const std::string& what, std::string_view name) {
    std::vector<std::string_view> names;
    const Json* found = nullptr;
    for (const auto& [key, entry] : header.items()) {
        if (key == kMetadata) continue;
        names.push_back(key);
        if (key == name || name.empty()) found = &entry;
    }
    if (found && (!name.empty() || names.size() == 1)) return *found;
    if (names.empty()) throw Error("no-tensors", "{}: there is no tensor in it", what);
    if (name.empty())
        throw Error("many-tensors", "{}: there are {} tensors in it; name one of {}", what, names.size(),
                    listed(names));
    throw Error("unknown-tensor", "{}: there is no tensor {} in it{} Tensors: {}", what, in_quotes(name),
                suggestion(name, names), listed(names));
}

} // namespace

bool is_safetensors(std::string_view bytes) {
    constexpr std::uint64_t kMostHeader = 100'000'000; // a larger one is refused by the reference, too
    return bytes.size() > kLengthBytes && bytes[kLengthBytes] == '{' && header_length(bytes) <= kMostHeader;
}

std::vector<TensorName> safetensors_names(std::string_view bytes, const std::string& what) {
    std::vector<TensorName> names;
    const auto header = header_of(bytes, what);
    for (const auto& [key, entry] : header.items()) {
        if (key == kMetadata) continue;
        try {
            names.push_back({key, entry.at("shape").get<std::vector<std::int64_t>>()});
        } catch (const Json::exception&) {
            throw damaged(what, "an entry has no shape");
        }
    }
    return names;
}

TensorData read_safetensors(std::string_view bytes, const std::string& what, std::string_view name) {
    const auto length = header_length(bytes);
    const auto header = header_of(bytes, what);
    const auto& entry = entry_of(header, what, name);
    std::string type;
    std::uint64_t begin = 0, end = 0;
    TensorData tensor;
    try {
        type = entry.at("dtype").get<std::string>();
        for (const auto& extent : entry.at("shape")) tensor.shape.push_back(extent.get<std::int64_t>());
        begin = entry.at("data_offsets").at(0).get<std::uint64_t>();
        end = entry.at("data_offsets").at(1).get<std::uint64_t>();
    } catch (const Json::exception&) {
        throw damaged(what, "an entry has no type, shape or place");
    }
    const auto data = bytes.substr(kLengthBytes + length);
    if (begin > end || end > data.size()) throw damaged(what, "a tensor lies outside the file");
    const auto element = std::ranges::find(kTypes, type, &ElementType::name);
    if (element == std::end(kTypes))
        throw Error("unsupported-type", "{}: its type {} is not read; F16, BF16, F32 and F64 are", what,
                    in_quotes(type));
    std::uint64_t count = 1;
    for (const auto extent : tensor.shape)
        if (extent < 1 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count))
            throw damaged(what, "a tensor has no numbers, or too many");
    if ((end - begin) % element->bytes != 0 || (end - begin) / element->bytes != count)
        throw damaged(what, "a shape does not fit its numbers");
    const auto numbers = data.substr(begin, end - begin);
    tensor.numbers.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (element->bytes == sizeof(double)) expect_float(number_at<double>(numbers, i), i, what);
        tensor.numbers.push_back(element->read(numbers, i));
    }
    return tensor;
}

std::string write_safetensors(std::string_view name, std::span<const std::int64_t> shape,
                              std::span<const float> numbers) {
    const auto size = numbers.size() * sizeof(float);
    nlohmann::ordered_json header;
    auto& tensor = header[std::string(name)];
    tensor["dtype"] = "F32";
    tensor["shape"] = std::vector<std::int64_t>(shape.begin(), shape.end());
    tensor["data_offsets"] = std::vector<std::size_t>{0, size};
    auto text = header.dump();
    text.resize((text.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' '); // numbers are aligned
    const std::uint64_t length = text.size();
    std::string bytes(kLengthBytes, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    bytes += text;
    return bytes.append(reinterpret_cast<const char*>(numbers.data()), size);
}

} // namespace kg::io
