// scripts/gpu-check without a GPU, and with a fake management library, fake test programs and a fake
// sanitizer.

#include "tests/support/app/program.hpp"
#include "tests/support/sanitizers.hpp"

#include <nlohmann/json.hpp>

namespace kg::testing {
namespace {

using nlohmann::json;

class ScriptGpuCheck : public Program {
protected:
    void SetUp() override {
        if (kSanitized) GTEST_SKIP() << "python opens no library that was built with a sanitizer";
        ASSERT_EQ(shell("mkdir -p driver broken cuda/bin build/tests build/lib && ln -s '" KG_SOME_LIBRARY
                        "' driver/libnvidia-ml.so.1 && echo no library >broken/libnvidia-ml.so.1"),
                  0)
            << err_;
        script("build/kernelglass",
               "case \"$*\" in --version) printf 'kernelglass 9.8.7';;\n"
               "*engines*) printf '{\"rows\":[{\"id\":\"cuda\",\"usable\":%s,\"why_not\":\"it sleeps\"}]}' "
               "${USABLE:-true};;\n"
               "sample*) touch $2;; filter*) printf '{\"algorithm\":\"tiled\"}';;\n"
               "compare*) printf '{\"samples\":9,\"different\":2,\"largest\":{\"difference\":0.0078}}'; exit "
               "${APART:-0};;\n"
               "*bench*) for f; do :; done; cp bench.json \"$f\";; esac\n");
        test_program("gpu", R"({"name":"A","status":"RUN","result":"COMPLETED","launches":"7"},
                               {"name":"B","status":"RUN","result":"SKIPPED"})");
        test_program("engines", R"({"name":"C","status":"RUN","result":"COMPLETED","launches":"40"})");
        script("cuda/bin/compute-sanitizer",
               "while [ \"${1#--}\" != \"$1\" ]; do case $1 in --tool|*code|*limit|*errors) "
               "shift;; esac; shift; done\necho '========= COMPUTE-SANITIZER'\n\"$@\"\n"
               "echo \"========= ERROR SUMMARY: ${ERRORS:-0} errors\"\n");
        write_file(path("bench.json"), bench(100).dump());
    }
    void script(const std::string& name, const std::string& text) {
        write_file(path(name), "#!/bin/sh\n" + text);
        ASSERT_EQ(shell("chmod +x " + name), 0);
    }
    void test_program(const std::string& name, const std::string& cases, int code = 0) {
        const auto report = R"({"testsuites":[{"name":"Some","testsuite":[)" + cases + "]}]}";
        script("build/tests/kg_" + name + "_tests",
               "for w; do case $w in --gtest_output=json:*) cat >\"${w#*json:}\" <<'END'\n" + report +
                   "\nEND\nesac; done\nprintf 'some.cpp:1: Skipped\\nit is too cold\\n'\nexit " +
                   std::to_string(code) + "\n");
    }
    /// A report in which `naive` takes 90 us and the algorithm that auto chose takes `microseconds`.
    static json bench(double microseconds, bool complete = true) {
        json rows = json::array();
        for (const auto* algorithm : {"naive", "tiled"}) {
            const double us = algorithm == std::string("naive") ? 90 : microseconds;
            rows.push_back({{"name", algorithm},
                            {"engine", "cuda"},
                            {"algorithm", algorithm},
                            {"peer", ""},
                            {"verdict", "right"},
                            {"reason", ""},
                            {"filter", "box"},
                            {"width", 8},
                            {"height", 8},
                            {"kernel_width", 3},
                            {"kernel_height", 3},
                            {"depth", "u8"},
                            {"channels", 1},
                            {"border", "zero"},
                            {"chosen", algorithm == std::string("tiled")},
                            {"median_us", us},
                            {"ci_low_us", us - 1},
                            {"ci_high_us", us + 1}});
        }
        return {{"rows", rows},
                {"absent", {"npp: not here"}},
                {"complete", complete},
                {"devices", json::array()}};
    }
    int check(const std::string& words, const std::string& driver = "driver") {
        return shell("unset CUDA_PATH; CUDA_HOME=$PWD/cuda LD_LIBRARY_PATH=$PWD/" + driver +
                     " python3 '" KG_SOURCE_DIR "/scripts/gpu-check' " + words);
    }
    json record(const std::string& name = "gpu-check.json") { return json::parse(read_file(path(name))); }
};

TEST_F(ScriptGpuCheck, ReportsThatThereIsNoGpu) {
    EXPECT_EQ(check("build", "broken"), 3);
    EXPECT_NE(err_.find("there is no NVIDIA driver here"), std::string::npos) << err_;
    EXPECT_EQ(err_.find("Traceback"), std::string::npos) << err_;
    EXPECT_EQ(shell("ls gpu-check.json"), 2);
    EXPECT_EQ(check("--help", "broken"), 0);
}

TEST_F(ScriptGpuCheck, ReportsWhyTheProgramCannotUseTheGpu) {
    EXPECT_EQ(shell("export USABLE=false; LD_LIBRARY_PATH=$PWD/driver python3 '" KG_SOURCE_DIR
                    "/scripts/gpu-check' build"),
              3);
    EXPECT_NE(err_.find("it sleeps"), std::string::npos) << err_;
    EXPECT_EQ(check("no/such/folder"), 2);
    EXPECT_NE(err_.find("has no kernelglass"), std::string::npos) << err_;
    EXPECT_EQ(check("build --only engins"), 2);
    EXPECT_NE(err_.find("there is no suite engins"), std::string::npos) << err_;
}

TEST_F(ScriptGpuCheck, RecordsTheResultsOfSuitesAndThoseNotRun) {
    write_file(path("bench.json"), bench(80).dump());
    ASSERT_EQ(check("build --commit 1234567 --output all.json"), 0) << out_ << err_;
    const auto all = record("all.json");
    EXPECT_EQ(all["schema"], "kernelglass-verification/6");
    EXPECT_EQ(all["version"], "9.8.7");
    EXPECT_EQ(all["device"], "NVIDIA Fake");
    EXPECT_EQ(all["driver"], "580.65.06");
    EXPECT_EQ(all["compute_capability"], "9.0");
    EXPECT_EQ(all["clocks"],
              json::parse(R"({"now_mhz":1755,"most_mhz":1980,"memory_mhz":null,"watts":345.5})"));
    EXPECT_EQ(all["well"], false) << "some suites did not run";
    const auto gpu = all["suites"]["gpu"];
    EXPECT_EQ(gpu["passed"], 1);
    EXPECT_EQ(gpu["skipped"], 1);
    EXPECT_EQ(gpu["skip_reasons"], json::parse(R"(["it is too cold"])"));
    EXPECT_EQ(gpu["counts"], json::parse(R"({"launches":7})"));
    EXPECT_EQ(gpu["commit"], "1234567");
    const auto agreement = all["suites"]["agreement"]["rows"].front();
    EXPECT_EQ(agreement["largest_difference_levels"], 2);
    EXPECT_EQ(agreement["cuda_algorithm"], "tiled");
    EXPECT_EQ(all["suites"]["memcheck"]["errors"], 0);
    EXPECT_EQ(all["suites"]["racecheck"]["counts"]["launches"], 47) << "of two programs";
    EXPECT_EQ(all["suites"]["timing"]["rows"].size(), 6) << "two of each table";
    EXPECT_EQ(all["suites"]["timing"]["absent"], json::parse(R"(["npp: not here"])"));
    EXPECT_NE(all["not_run"]["ui"].get<std::string>().find("has no kg_ui_tests"), std::string::npos);
    EXPECT_NE(all["not_run"]["guard"].get<std::string>().find("guard has no kg_gpu_tests"), std::string::npos)
        << "not the programs of the build itself";
    ASSERT_EQ(shell("mv build/tests build/guard"), 0);
    ASSERT_EQ(check("build --only guard --output guard.json"), 0) << out_ << err_;
    EXPECT_EQ(record("guard.json")["suites"]["guard"]["counts"]["launches"], 47);
    EXPECT_NE(out_.find("suites, all passed"), std::string::npos) << out_;
}

TEST_F(ScriptGpuCheck, IsWellOnceEverySuiteRanAndPassed) {
    for (const auto* program : {"gpu", "engines", "measure", "peers", "display", "ui", "editor", "process",
                                "bench", "batch", "cli", "lost_device", "conformance"})
        test_program(program, R"({"name":"A","status":"RUN","result":"COMPLETED"})");
    ASSERT_EQ(shell("cp -r build/tests build/guard"), 0);
    write_file(path("bench.json"), bench(80).dump());
    ASSERT_EQ(check("build --only tests,goldens,sanitizers"), 0) << out_ << err_;
    EXPECT_EQ(record()["well"], false);
    EXPECT_EQ(record()["not_run"],
              json::parse(R"({"guard":"it was never run","timing":"it was never run"})"));
    ASSERT_EQ(check("build --only guard --output guard.json"), 0) << out_ << err_;
    ASSERT_EQ(check("--merge gpu-check.json guard.json --output gpu-check.json"), 0) << out_ << err_;
    EXPECT_EQ(record()["well"], false);
    EXPECT_EQ(record()["not_run"].size(), 1);
    ASSERT_EQ(check("build --only timing"), 0) << out_ << err_;
    EXPECT_EQ(record()["well"], true);
    EXPECT_EQ(record()["not_run"], json::object());
}

TEST_F(ScriptGpuCheck, FailuresAreNamedAndSetTheExitCode) {
    test_program(
        "gpu",
        R"({"name":"A","status":"RUN","result":"COMPLETED","failures":[{"failure":"two is not one"}]})", 1);
    EXPECT_EQ(check("build --only gpu"), 1);
    EXPECT_NE(out_.find("failed: Some.A\n    two is not one"), std::string::npos) << out_;
    EXPECT_EQ(record()["well"], false);
    EXPECT_EQ(check("build --only engines --output crash.json"), 0);
    test_program("engines", "", 139); // a crash leaves no case in the report
    EXPECT_EQ(check("build --only engines --output crash.json"), 1);
    EXPECT_NE(out_.find("ended with code 139"), std::string::npos) << out_;
    EXPECT_EQ(check("build --only memcheck --output crash.json"), 1) << "a sanitizer hides no crash";
    EXPECT_EQ(shell("export ERRORS=3 CUDA_HOME=$PWD/cuda LD_LIBRARY_PATH=$PWD/driver; python3 '" KG_SOURCE_DIR
                    "/scripts/gpu-check' build --only racecheck --output race.json"),
              1);
    EXPECT_EQ(record("race.json")["suites"]["racecheck"]["errors"], 6) << "of two programs";
    EXPECT_EQ(shell("export APART=1 LD_LIBRARY_PATH=$PWD/driver; python3 '" KG_SOURCE_DIR
                    "/scripts/gpu-check' build --only agreement --output apart.json"),
              1);
    EXPECT_NE(out_.find("up to 2 levels apart"), std::string::npos) << out_;
    EXPECT_EQ(check("build --only timing --output slow.json"), 1) << "auto took 100 us, naive 90";
    EXPECT_NE(out_.find("naive 90.0 us"), std::string::npos) << out_;
    write_file(path("bench.json"), bench(80, false).dump());
    EXPECT_EQ(check("build --only timing --output short.json"), 1) << "the time limit was reached";
    EXPECT_NE(out_.find("rows are missing"), std::string::npos) << out_;
}

TEST_F(ScriptGpuCheck, SlowSuitesAreStoppedAndFail) {
    script("build/tests/kg_gpu_tests", "echo '[ RUN      ] Cuda.Slow'\nsleep 100 & wait\n");
    EXPECT_EQ(check("build --only gpu,engines --minutes 0.05"), 1);
    EXPECT_NE(out_.find("failed: Cuda.Slow\n    stopped"), std::string::npos) << out_;
    EXPECT_NE(record()["not_run"]["engines"].get<std::string>().find("minutes was reached"),
              std::string::npos);
}

TEST_F(ScriptGpuCheck, SeveralRunsAddUpToOneRecord) {
    ASSERT_EQ(check("build --only gpu"), 0) << out_ << err_;
    ASSERT_EQ(check("build --only measure,engines --commit other"), 0) << out_ << err_;
    EXPECT_TRUE(record()["suites"].contains("gpu"));
    EXPECT_TRUE(record()["not_run"].contains("measure"));
    EXPECT_EQ(record()["suites"]["engines"]["commit"], "other");
    ASSERT_EQ(check("build --only memcheck --output more.json"), 0) << out_ << err_;
    ASSERT_EQ(check("--merge gpu-check.json more.json --output all.json", "broken"), 0) << out_ << err_;
    EXPECT_EQ(record("all.json")["suites"].size(), 3);
    ASSERT_EQ(shell("sed s/Fake/Other/ more.json >other.json"), 0);
    EXPECT_EQ(check("--merge gpu-check.json other.json --output all.json"), 2);
    EXPECT_NE(err_.find("device is NVIDIA Fake in one and NVIDIA Other in the other"), std::string::npos)
        << err_;
}

} // namespace
} // namespace kg::testing
