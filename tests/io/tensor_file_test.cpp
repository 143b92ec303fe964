// Tensors in NumPy arrays and in safetensors: types, orders and layouts, and damaged files.

#include "app/io/tensors/tensor_file.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace kg {
namespace {

using testing::code_of;
using Numbers = std::vector<float>;

/// A file of safetensors with this header and these bytes.
std::string safetensors(const std::string& header, const std::string& data) {
    std::string bytes(8, '\0');
    const std::uint64_t length = header.size();
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes + header + data;
}
template <typename T>
std::string bytes_of(std::initializer_list<T> numbers) {
    return {reinterpret_cast<const char*>(numbers.begin()), numbers.size() * sizeof(T)};
}

TEST(TensorFile, ABatchComesBackInEveryLayout) {
    Numbers numbers;
    for (int i = 0; i < 2 * 3 * 4 * 5; ++i) numbers.push_back(static_cast<float>(i) / 3);
    for (const auto layout : {Layout::nchw, Layout::nhwc, Layout::chwn}) {
        const Batch batch{{2, 3, {5, 4}}, layout, numbers};
        const auto back = batch_of(read_tensor(write_batch(batch), "x", "batch"), layout, "x");
        EXPECT_EQ(back.shape, batch.shape) << name(layout);
        EXPECT_EQ(back.numbers, numbers) << name(layout);
    }
}

TEST(TensorFile, FewerExtentsAreOneItemOrOneChannel) {
    const auto shape_of = [](std::vector<std::int64_t> extents, Layout layout) {
        return batch_of({std::move(extents), Numbers(24)}, layout, "x").shape;
    };
    EXPECT_EQ(shape_of({2, 3, 4}, Layout::nchw), (BatchShape{1, 2, {4, 3}}));
    EXPECT_EQ(shape_of({2, 3, 4}, Layout::nhwc), (BatchShape{1, 4, {3, 2}}));
    EXPECT_EQ(shape_of({2, 3, 4}, Layout::chwn), (BatchShape{1, 2, {4, 3}}));
    for (const auto layout : {Layout::nchw, Layout::nhwc, Layout::chwn})
        EXPECT_EQ(shape_of({4, 6}, layout), (BatchShape{1, 1, {6, 4}})) << name(layout);
    EXPECT_EQ(code_of([&] { shape_of({24}, Layout::nchw); }), "wrong-dimensions");
    EXPECT_EQ(code_of([&] { shape_of({1, 1, 1, 4, 6}, Layout::nchw); }), "wrong-dimensions");
}

TEST(TensorFile, ColumnsFirstAreSorted) { // numpy.asfortranarray(numpy.arange(6).reshape(1, 2, 3))
    std::string header = "{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2, 3), }";
    header.append(118 - header.size() - 1, ' ');
    header += '\n';
    const auto bytes = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' +
                       header + bytes_of<std::int16_t>({0, 3, 1, 4, 2, 5});
    const auto tensor = read_tensor(bytes, "x", "tensor");
    EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(tensor.numbers, (Numbers{0, 1, 2, 3, 4, 5}));
}

TEST(TensorFile, SafetensorsAreReadByName) {
    const auto file = safetensors(R"({"__metadata__":{"format":"pt"},)"
                                  R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                  R"("b":{"dtype":"F16","shape":[1,2],"data_offsets":[8,12]},)"
                                  R"("c":{"dtype":"BF16","shape":[1],"data_offsets":[12,14]},)"
                                  R"("d":{"dtype":"F64","shape":[1],"data_offsets":[14,22]}})",
                                  bytes_of<float>({1.5f, -2}) +
                                      bytes_of<std::uint16_t>({0x3c00, 0xc000, 0x40a0}) +
                                      bytes_of<double>({7}));
    const auto numbers = [&](const char* tensor) { return read_tensor(file, "x", "bank", tensor).numbers; };
    EXPECT_EQ(numbers("a"), (Numbers{1.5f, -2}));
    EXPECT_EQ(numbers("b"), (Numbers{1, -2}));
    EXPECT_EQ(numbers("c"), (Numbers{5}));
    EXPECT_EQ(numbers("d"), (Numbers{7}));
    EXPECT_EQ(read_tensor(file, "x", "bank", "b").shape, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(code_of([&] { numbers("e"); }), "unknown-tensor");
    EXPECT_EQ(code_of([&] { numbers(""); }), "many-tensors");
    const auto one = safetensors(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                                 bytes_of<float>({3}));
    EXPECT_EQ(read_tensor(one, "x", "bank").numbers, (Numbers{3}));
}

TEST(TensorFile, SafetensorsAreWrittenAsTheFormatHasThem) {
    const Batch batch{{2, 1, {3, 1}}, Layout::nhwc, {1, 2, 3, 4, 5, 6}};
    const auto bytes = write_safetensors(batch);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    EXPECT_EQ(length % 8, 0u) << "the numbers are aligned";
    auto header = bytes.substr(8, length);
    header.resize(header.find_last_not_of(' ') + 1);
    EXPECT_EQ(header, R"({"output":{"dtype":"F32","shape":[2,1,3,1],"data_offsets":[0,24]}})");
    EXPECT_EQ(bytes.substr(8 + length), bytes_of<float>({1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(batch_of(read_tensor(bytes, "x", "batch"), Layout::nhwc, "x").numbers, batch.numbers);
}

TEST(TensorFile, TruncatedSafetensorsAreRefusedAlsoForTensorsBeforeTheCut) {
    const auto file = safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                  R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                                  bytes_of<float>({1, 2}));
    EXPECT_EQ(code_of([&] { read_tensor(file, "x", "bank", "a"); }), "damaged-file");
    EXPECT_EQ(code_of([&] { tensor_names(file, "x"); }), "damaged-file");
}

TEST(TensorFile, DamagedFilesGiveAMessage) {
    const auto code = [](const std::string& bytes) {
        return code_of([&] { read_tensor(bytes, "x", "bank"); });
    };
    const auto entry = [&](const std::string& text) {
        return code(safetensors("{\"w\":" + text + "}", std::string(8, '\0')));
    };
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"), "no error");
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,12]})"), "damaged-file");
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})"), "damaged-file");
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})"), "damaged-file");
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":[0],"data_offsets":[0,0]})"), "damaged-file");
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"), "damaged-file");
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]})"),
              "damaged-file");
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":"2","data_offsets":[0,8]})"), "damaged-file");
    EXPECT_EQ(entry(R"({"dtype":"F32","shape":[2]})"), "damaged-file");
    EXPECT_EQ(entry("7"), "damaged-file");
    EXPECT_EQ(entry(R"({"dtype":"I8","shape":[8],"data_offsets":[0,8]})"), "unsupported-type");
    EXPECT_EQ(code(safetensors("{\"w\":", "")), "damaged-file");
    EXPECT_EQ(code(safetensors("{\"w\":", "").substr(0, 12)), "damaged-file");
    EXPECT_EQ(code(safetensors("{}", "")), "no-tensors"); // none
    EXPECT_EQ(code(std::string(8, '\xff') + "{}"), "unknown-tensor-format");
    EXPECT_EQ(code(""), "unknown-tensor-format");
    const auto array = write_batch({{1, 1, {2, 2}}, Layout::nchw, {1, 2, 3, 4}});
    for (std::size_t length = 8; length < array.size(); length += 7)
        EXPECT_NE(code(array.substr(0, length)), "no error") << length;
    EXPECT_EQ(code_of([&] { read_tensor(array, "x", "bank", "w"); }), "no-names");
}

} // namespace
} // namespace kg
