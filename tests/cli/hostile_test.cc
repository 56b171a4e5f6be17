// Files and paths that would take all memory, end the program by a signal or fool it: exit code 3
// and one line that names the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const Arguments kSample = {"sample", "--noise", "none", "--text", "good film"};

// While it lives, new processes may have so much address space.
class MemoryLimit {
 public:
  explicit MemoryLimit(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

std::string repeated(const std::string& part, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += part;
  return text;
}

// Refused with code 3 and one line that names the file and says so, within a gigabyte.
void expect_refused(const Arguments& arguments, const std::string& file, const std::string& why) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const MemoryLimit limit(rlim_t{1} << 30);
#endif
  const Result result = run(arguments);
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("error: " + file));
  EXPECT_THAT(result.err, HasSubstr(why));
  EXPECT_EQ(lines_of(result.err).size(), 1u) << result.err;
}

void expect_config_refused(const std::string& content, const std::string& why) {
  const std::string file = workspace().write("hostile.toml", content);
  expect_refused(kSample + Arguments{"--config", file}, file, why);
}

TEST(HostileConfig, IsRefusedBeforeItTakesMemory) {
  expect_config_refused("# flags\n[" + repeated("a.", 10'000) + "a]\n",
                        ":2: found a section of 10001 levels, expected at most 4");
  expect_config_refused("  [[" + repeated("a.", 10'000) + "a]]\n", ":1: found a section");
  expect_config_refused("\n\v[a.b.c.d.e]\r\n", ":2: found a section of 5 levels");
  expect_config_refused("[sample]\n" + repeated("a.", 10'000) + "a = 1\n",
                        ":2: found a key of 10001 levels, expected at most 64");
  expect_config_refused(repeated("a.", 10'000), ":1: found a key");
  expect_config_refused(repeated("[a.b.c.d]\n", 30'000), "found more than 262144 bytes");
}

// The largest that are read: unknown sections and keys are the user's fault.
TEST(HostileConfig, WithinTheBoundsIsRead) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const MemoryLimit limit(rlim_t{1} << 30);
#endif
  for (const std::string& content :
       {repeated("[a.b.c.d]\n", 26'000), repeated("[a.b.c.d]\n[b.c.d.e]\n", 13'000),
        repeated("a=1\nb=1\n", 30'000), "a = [" + repeated("1,", 130'000) + "1]\n",
        repeated(repeated("a.", 60) + "a=1\n", 2'000)}) {
    const Result result =
        run(kSample + Arguments{"--config", workspace().write("large.toml", content)});
    EXPECT_EQ(result.exit_code, 2) << result.err.substr(0, 200);
    EXPECT_THAT(result.err, HasSubstr("configuration file has the unknown"));
  }
  const std::string sound =
      workspace().write("sound.toml", repeated("# a comment\n", 20'000) + "#" + repeated(".", 100) +
                                          "\n" + "[sample]\ncount = 4\n");
  EXPECT_EQ(lines_of(run(kSample + Arguments{"--config", sound}).out).size(), 4u);
}

// A path that is a link to itself, one with a name that is too long and, for users who are not
// root, one that may not be read.
std::vector<std::pair<std::string, std::string>> unreadable_paths(const std::string& suffix) {
  std::vector<std::pair<std::string, std::string>> paths = {
      {workspace().path("loop" + suffix), "symbolic links"},
      {workspace().path(repeated("n", 300) + suffix), "File name too long"}};
  std::error_code there_already;
  fs::create_symlink("loop" + suffix, paths[0].first, there_already);
  if (geteuid() != 0) {
    paths.emplace_back(workspace().write("locked" + suffix, "locked"), "Permission denied");
    fs::permissions(paths.back().first, fs::perms::none);
  }
  return paths;
}

TEST(UnreadablePaths, OfEveryFlagAreNamed) {
  const std::string model = workspace().model();
  const auto expect_all = [](const std::string& suffix, const auto& command) {
    for (const auto& [path, why] : unreadable_paths(suffix)) {
      const Result result = run(command(path));
      EXPECT_EQ(result.exit_code, 3) << command(path)[0] << " " << path << ": " << result.err;
      EXPECT_THAT(result.err, HasSubstr(path)) << command(path)[0];
      EXPECT_THAT(result.err, HasSubstr(why)) << command(path)[0];
    }
  };
  expect_all(".toml", [&](const std::string& path) {
    return kSample + Arguments{"--config", path};
  });
  expect_all("", [&](const std::string& path) {
    return Arguments{"predict", "--model", path, "good film"};
  });
  expect_all("", [&](const std::string& path) {
    return Arguments{"certify",
                     "--model",
                     path,
                     "--data",
                     workspace().texts(),
                     "--out",
                     workspace().path("never")};
  });
  expect_all(".csv", [&](const std::string& path) {
    return Arguments{
        "certify", "--model", model, "--data", path, "--out", workspace().path("never")};
  });
  expect_all(".csv", [&](const std::string& path) { return Arguments{"data", "show", path}; });
  expect_all(".txt", [&](const std::string& path) {
    return Arguments{"train", "--data", workspace().texts(),      "--vectors",
                     path,    "--out",  workspace().path("never")};
  });
  expect_all(".json", [&](const std::string& path) {
    return Arguments{"train",
                     "--data",
                     workspace().texts(),
                     "--vectors",
                     workspace().vectors(),
                     "--out",
                     workspace().path("never"),
                     "--noise",
                     "substitute:size=3",
                     "--synonyms",
                     path};
  });
  expect_all(".tgz", [&](const std::string& path) {
    return Arguments{"data", "import", "imdb", path};
  });
  EXPECT_FALSE(fs::exists(workspace().path("never")));
}

// Where it can not be made, the machine says no.
TEST(UnreadablePaths, OfOutputsAreNamed) {
  const auto expect_refused = [](const std::string& path, const std::string& named) {
    const Result result = run(workspace().training(path));
    EXPECT_TRUE(result.exit_code == 1 || result.exit_code == 2) << path << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr(named));
  };
  for (const auto& [path, why] : unreadable_paths("-out")) expect_refused(path, path);
  expect_refused(workspace().texts() + "/below", workspace().texts());  // it is a file
}

// The program maps word vectors: the next read of what was cut off is SIGBUS.
TEST(HostileFiles, AMappedFileThatIsCutIsAnError) {
  // Two control characters, and two that are none.
  const std::string file = workspace().write("sparse\x7f\xc2\x9b\xc3\x9b\xe2\x82\xac.txt", "a 1\n");
  fs::resize_file(file, uintmax_t{1} << 30);
  Process process({"train", "--data", workspace().texts(), "--vectors", file, "--out",
                   workspace().path("never")});
  const std::string maps = "/proc/" + std::to_string(process.id()) + "/maps";
  const bool mapped =
      runs_until(process, [&] { return read(maps).find("sparse") != std::string::npos; });
  fs::resize_file(file, 10);
  const Result result = process.wait();
  ASSERT_TRUE(mapped) << result.err;
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(
      result.err,
      HasSubstr("/sparse?\xc2?\xc3\x9b\xe2\x82\xac.txt: the file was cut while it was read\n"));
}

}  // namespace
}  // namespace textcrs::cli_test
