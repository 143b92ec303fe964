// Every JSON document of a command is as described in docs/json.md: the same keys and types.

#include "app/io/files/files.hpp"
#include "app/io/volumes/volume_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/documented_json.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>

namespace kg::testing {
namespace {

using Json = nlohmann::json;

class CommandJson : public Program {
protected:
    Json document(const std::string& line, int exit_code, const std::string& schema) {
        EXPECT_EQ(shell(line), exit_code) << line << err_;
        const auto json = Json::parse(out_.empty() ? err_ : out_);
        EXPECT_EQ(json.at("schema"), schema) << line;
        EXPECT_EQ(undocumented(json.dump(), schema), std::vector<std::string>{}) << line;
        return json;
    }
};

TEST_F(CommandJson, ALibraryIsUsableOnlyWithItsEngine) {
    // No function of it is called.
    std::filesystem::create_symlink(KG_SOME_LIBRARY, folder_ / "libcufft.so.12");
    std::map<std::string, std::string> engines;
    const auto listed = document("$K list engines --json", 0, "kernelglass-list/2");
    for (const auto& row : listed.at("rows")) engines[row.at("id")] = row.at("why_not");
    const auto libraries = document("KERNELGLASS_LIBRARIES=. $K list peers --json", 0, "kernelglass-list/2");
    int seen = 0;
    for (const auto& row : libraries.at("rows")) {
        if (row.at("id") != "cufft:spectra") continue;
        ++seen;
        EXPECT_EQ(row.at("why_not"), engines.at("cuda"));
        EXPECT_EQ(row.at("usable"), engines.at("cuda").empty());
    }
    EXPECT_EQ(seen, 1);
}

TEST_F(CommandJson, AlgorithmsOfLibrariesForSignalsAndFilterBanksAreListed) {
    std::map<std::string, std::string> engines; // by algorithm
    const auto libraries = document("$K list peers --json", 0, "kernelglass-list/2");
    for (const auto& row : libraries.at("rows")) engines[row.at("id")] = row.at("engine");
    for (const auto* of_cpu : {"seed:serial", "onednn:convolution"})
        EXPECT_EQ(engines[of_cpu], "cpu") << of_cpu;
    for (const auto* of_cuda : {"cufft:signal", "cudnn:bank", "cudnn:bank_tf32"})
        EXPECT_EQ(engines[of_cuda], "cuda") << of_cuda;
}

TEST_F(CommandJson, FormatsOfImagesSignalsBanksAndVolumesAreListed) {
    std::map<std::string, std::set<std::string>> found;
    const auto listed = document("$K list formats --json", 0, "kernelglass-list/2");
    for (const auto& row : listed.at("rows")) {
        found[row.at("of")].insert(row.at("id"));
        EXPECT_EQ(row.contains("alpha"), row.at("of") == "images") << row;
    }
    EXPECT_TRUE(found["images"].contains("png"));
    EXPECT_EQ(found["signals"], (std::set<std::string>{"wav", "npy", "csv"}));
    EXPECT_EQ(found["banks"], (std::set<std::string>{"npy", "safetensors"}));
    EXPECT_EQ(found["volumes"], (std::set<std::string>{"npy", "tiff"}));
    ASSERT_EQ(shell("$K list formats"), 0);
    EXPECT_NE(out_.find("WAV (.wav): u8, i16, i24, i32, f32, f64 [signals]\n"), std::string::npos) << out_;
}

TEST_F(CommandJson, DocumentsAreAsDocumented) {
    write_image(path("in.png"), sample_image({30, 20}).view());
    write_image(path("rgb.png"), random_image({30, 20}, {Depth::u8, 3}, 1).view());
    write_file(path("nan.pfm"),
               std::string("PF\n1 1\n-1.0\n") + std::string("\0\0\xc0\x7f\0\0\0\0\0\0\0\0", 12));
    write_file(path("zero.pfm"), std::string("PF\n1 1\n-1.0\n") + std::string(12, '\0'));

    auto json = document("$K filter in.png out.jpg -f box -f sobel --engine cpu --json", 0,
                         "kernelglass-filter/1");
    EXPECT_EQ(json.at("recipe"), "box | sobel");
    EXPECT_EQ(json.at("format"), "jpeg");
    EXPECT_EQ(json.at("notes").at(0), "JPEG holds no alpha: left out");
    document("$K filter in.png - -f box --json > /dev/null", 0, "kernelglass-filter/1");

    json = document("$K batch in.png rgb.png missing.png out -f box --json", 1, "kernelglass-batch/2");
    EXPECT_EQ(json.at("files").at(0).at("code"), "cannot-read");
    EXPECT_EQ(codes_, std::vector<std::string>{"cannot-read"}) << "one line of each file that fails";
    json = document("$K batch in.png rgb.png more -f box --dry-run --json", 0, "kernelglass-batch/2");
    EXPECT_GT(json.at("predicted_bytes"), 0);
    json = document("$K batch in.png out -f box --jsonl -q", 0, "kernelglass-batch-file/1");
    EXPECT_EQ(json.at("status"), "up_to_date");
    json = document("$K batch rgb.png out -f box --redo --jsonl -q", 0, "kernelglass-batch-file/1");
    EXPECT_EQ(json.at("status"), "done");
    EXPECT_EQ(json.at("width"), 30);

    for (const auto* list :
         {"filters", "presets", "borders", "algorithms", "engines", "devices", "formats", "peers"}) {
        json = document(std::string("$K list ") + list + " --json", 0, "kernelglass-list/2");
        EXPECT_EQ(json.at("list"), list);
        EXPECT_FALSE(json.at("rows").empty()) << list;
    }
    json = document("$K explain -f sobel -f gaussian:sigma=2 --json", 0, "kernelglass-explain/2");
    EXPECT_EQ(json.at("kernels").size(), 3u);
    EXPECT_EQ(json.at("kernels").at(2).at("rank"), 1);
    EXPECT_TRUE(json.at("kernels").at(2).at("gaussian").is_object());

    json = document("$K info in.png missing.png --json", 1, "kernelglass-info/1");
    EXPECT_EQ(json.at("files").at(0).at("channels"), 4);
    EXPECT_TRUE(json.at("files").at(1).contains("error"));
    EXPECT_TRUE(json.at("files").at(1).contains("code"));

    json = document("$K compare in.png in.png --json", 0, "kernelglass-compare/1");
    EXPECT_TRUE(json.at("same"));
    json = document("$K compare in.png rgb.png --json", 1, "kernelglass-compare/1");
    EXPECT_EQ(json.at("kinds").size(), 1u);
    json = document("$K compare nan.pfm zero.pfm --json", 1, "kernelglass-compare/1");
    EXPECT_TRUE(json.at("largest").at("difference").is_null());

    const std::string window = "$K in.png --headless --screenshot window.png";
    if (shell(window + " -q") == 0) document(window + " --json", 0, "kernelglass-window/1");
    else std::printf("skipped: no window can be drawn here: %s", err_.c_str());
    document("$K sample out.png --json", 0, "kernelglass-sample/1");
    document("$K sample out.wav --json", 0, "kernelglass-sample/1");
    shell("printf '1\n2\n3\n' > signal.csv");
    document("$K signal signal.csv out.csv --taps 1,2 --json", 0, "kernelglass-signal/1");
    document("$K signal signal.csv out.csv --taps 1,2 --verify --json", 0, "kernelglass-signal/1");
    document("$K bank in.png -f laws -o maps.npy --json", 0, "kernelglass-bank/1");
    document("$K bank in.png -f laws -o maps.png --verify --json", 0, "kernelglass-bank/1");
    write_file(path("volume.npy"), write_volume({std::vector<float>(8), {2, 2, 2}}, VolumeFormat::npy));
    document("$K volume volume.npy out.npy -f box --json", 0, "kernelglass-volume/1");
    document("$K volume volume.npy out.npy -f wave --verify --json", 0, "kernelglass-volume/1");
    document("$K completion fish --json", 0, "kernelglass-completion/1");
}

TEST_F(CommandJson, BenchIsAsDocumented) {
    const auto bench =
        "$K bench --size 40x30 --kernel-size 3 --engine cpu --algorithm direct,opencv:filter2D,box "
        "--seconds 20 -q ";
    const auto json = document(bench + std::string("--json"), 0, "kernelglass-bench/1");
    EXPECT_EQ(json.at("rows").size(), 3U);
    ASSERT_EQ(shell(bench + std::string("-o r.json")), 0) << err_;
    document("$K bench diff r.json r.json --json", 0, "kernelglass-bench-diff/1");
}

TEST_F(CommandJson, ANameThatIsNotUnicodeIsStillADocument) {
    write_image(path("a\xff.png"), random_image({3, 3}, {Depth::u8, 1}, 1).view());
    document("$K info a*.png --json", 0, "kernelglass-info/1");
}

} // namespace
} // namespace kg::testing
