// Every verb that writes, under every fault that a disk, a full table or a kill -9 can bring.
#include "faults.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "../cli/bert_folder.h"
#include "../cli/shell.h"
#include "../cli/workspace.h"
#include "data/integrity.h"

namespace textcrs::faults_test {
namespace {

namespace fs = std::filesystem;
using cli_test::workspace;
using cli_test::operator+;

void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

// 40 labelled texts, and the vectors of their words.
void add_texts(const fs::path& in) {
  const auto lines = cli_test::lines_of(cli_test::read(workspace().texts()));
  std::string texts;
  for (size_t i = 0; i <= 40; ++i) texts += lines.at(i) + "\n";
  write(in / "texts.csv", texts);
  fs::copy_file(workspace().vectors(), in / "vectors.txt");
}

Arguments training(const std::string& architecture, const Arguments& more) {
  return Arguments{TEXTCRS,      "train",    "--data", "in/texts.csv", "--architecture",
                   architecture, "--epochs", "2",      "--batch-size", "16",
                   "--threads",  "1",        "--out",  "work/model"} +
         more;
}

Arguments training_of_cnn() {
  return training("cnn", {"--hidden", "1", "--noise", "delete:p=0.2", "--vectors", "in/vectors.txt",
                          "--slots", "12", "--validation-share", "0.1"});
}

// Trains a model of the case's own and moves it to in/model.
void add_model(const fs::path& in, Arguments command) {
  add_texts(in);
  command.back() = "in/model";
  const Arguments run = Arguments{"-C", in.parent_path(), "TEXTCRS_HOME=" + in.string() + "/home"};
  const cli_test::Result result = cli_test::run(run + command);
  if (result.exit_code != 0) throw std::runtime_error(result.err);
}

void add_encoder(const fs::path& in) {
  add_texts(in);
  fs::copy(cli_test::BertFolder::write("encoder"), in / "encoder");
}

Arguments without_out(Arguments command) {
  const auto out = std::find(command.begin(), command.end(), "--out");
  command.erase(out, out + 2);
  return command + Arguments{"--out", ""};
}

TEST(Faults, TrainingOfVotes) {
  expect_survives({"votes", add_texts, training("votes", {"--hidden", "0"}), "work/model", 90});
}

// Where a file system can not exchange two folders, the old one steps aside first.
TEST(Faults, TrainingWhereFoldersAreNotExchanged) {
  expect_survives({"votes, no exchange", add_texts, training("votes", {"--hidden", "0"}),
                   "work/model", 40, "exchange:1+:EINVAL"});
}

TEST(Faults, TrainingThatChoosesItsSetting) {
  expect_survives({"choice", add_texts, training("votes", {"--hidden", "0", "--edits", "auto"}),
                   "work/model", 60});
}

TEST(Faults, CachesOfVectorsAndNeighbours) {
  expect_survives({"caches", add_texts,
                   training("votes", {"--hidden", "2", "--vectors", "in/vectors.txt", "--synonyms",
                                      "glove", "--synonym-count", "3"}),
                   "work/model", 60});
}

TEST(Faults, TrainingOfANetwork) {
  expect_survives({"cnn", add_texts, training_of_cnn(), "work/model", 10});
}

TEST(Faults, Pretraining) {
  expect_survives({"pretraining",
                   add_encoder,
                   {TEXTCRS, "pretrain", "--data", "in/texts.csv", "--bert", "in/encoder",
                    "--batch-size", "16", "--length", "16", "--epochs", "2", "--threads", "1",
                    "--validation-share", "0.1", "--out", "work/encoder"},
                   "work/encoder",
                   10});
}

TEST(Faults, Certification) {
  expect_survives({"certification",
                   [](const fs::path& in) { add_model(in, without_out(training_of_cnn())); },
                   {TEXTCRS, "certify", "--model", "in/model", "--data", "in/texts.csv", "--limit",
                    "8", "--samples", "200", "--selection-samples", "20", "--exact", "never",
                    "--threads", "1", "--with-text", "--out", "work/run"},
                   "",
                   90});
}

TEST(Faults, AnAttack) {
  expect_survives({"attack",
                   [](const fs::path& in) {
                     add_model(in, without_out(training("votes", {"--hidden", "0"})));
                   },
                   {TEXTCRS, "attack", "--model", "in/model", "--recipe", "worst-case", "--data",
                    "in/texts.csv", "--limit", "6", "--out", "work/run"},
                   "",
                   60});
}

// A package as npm packs it, its hash, and an npm that brings it.
struct Package {
  Package() : folder(workspace().path("package")), archive(folder + "/made-package-1.0.0.tgz") {
    fs::create_directories(folder + "/package");
    fs::create_directories(folder + "/bin");
    write(folder + "/package/package.json", "{}\n");
    write(folder + "/package/texts.txt", std::string(100'000, 'x'));
    if (cli_test::shell("tar -C '" + folder + "' -czf '" + archive + "' package").exit_code != 0)
      throw std::runtime_error("tar failed");
    integrity = file_integrity(archive);
    write(folder + "/bin/npm", "#!/bin/sh\nexec cp '" + archive + "' .\n");
    fs::permissions(folder + "/bin/npm", fs::perms::owner_all);
  }
  std::string folder, archive, integrity;
};

TEST(Faults, Fetching) {
  const Package package;
  expect_survives({"fetch",
                   [](const fs::path&) {},
                   {INSTALL_ASSET, "fetch", package.integrity},
                   "",
                   60,
                   "",
                   {{"PATH", package.folder + "/bin:" + getenv("PATH")}}});
}

TEST(Faults, Importing) {
  const Package package;
  expect_survives({"import",
                   [&](const fs::path& in) { fs::copy_file(package.archive, in / "made.tgz"); },
                   {INSTALL_ASSET, "import", package.integrity, "in/made.tgz"},
                   "",
                   60});
}

}  // namespace
}  // namespace textcrs::faults_test
