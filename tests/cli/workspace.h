// The folder the tests of the program share: small word vectors, labelled texts, one trained model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "process.h"

namespace textcrs::cli_test {

class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  std::filesystem::path home() const { return folder_ / "home"; }
  // A path in the folder, as a flag takes it.
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const;  // its path

  std::string vectors() const { return path("vectors.txt"); }  // 30 words, dimension 8
  // 200 texts of 4 to 12 words in the columns text and label; a class has five words of its own.
  std::string texts() const { return path("texts.csv"); }
  std::string synonyms() const { return path("synonyms.json"); }

  // A training that takes less than a second for a few epochs.
  Arguments training(const std::string& out, int epochs = 3) const;
  // A model under universal:p=0.3, trained when first asked for.
  std::string model();

 private:
  std::filesystem::path folder_;
  bool trained_ = false;
};

Workspace& workspace();

std::string read(const std::filesystem::path& path);  // empty if it is not there

// With `extra` appended.
Arguments operator+(Arguments arguments, const Arguments& extra);

}  // namespace textcrs::cli_test
