// Lines of some megabytes that would take hundreds of times as much.
#include <gtest/gtest.h>

#include <fstream>

#include "text/peak_memory.h"
#include "text/temporary_folder.h"
#include "textcrs/report/results_file.h"

namespace textcrs {
namespace {

std::string repeated(const std::string& part, size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

TEST(HostileResults, TakeBoundedMemory) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "results.jsonl";
  const auto read = [&] { ResultsFile(folder.path(), {}); };
  { const ResultsFile fresh(folder.path(), {}); }
  const std::string tail =
      R"("pa":0,"pb":1,"samples":1,"seconds":0,"version":")" + std::string(version()) + "\"";
  const std::string head = R"({"id":1,"prediction":"a","abstained":false,"words":1,)";
  for (const size_t bytes : {3'000'000, 12'000'000})
    for (const std::string& line :
         {head + "\"counts\":[" + repeated("0,", bytes) + "0]," + tail + "}",
          head + "\"counts\":[]," + tail + ",\"warnings\":[" + repeated("\"\",", bytes) + "\"\"]}",
          head + "\"counts\":[]," + tail + R"(,"sound":{"certified":true,"frontier":[)" +
              repeated("[0,0],", bytes) + "[0,0]]}}",
          head + "\"counts\":[]," + tail + R"(,"witness":{"prediction":"a","lost":[)" +
              repeated("[0,\"\"],", bytes) + R"([0,""]],"gained":[]}})",
          "[" + repeated("[],", bytes) + "[]]", repeated("\n", bytes),
          head + "\"counts\":[0]," + tail + ",\"text\":\"" + repeated("a", bytes) + "\"}"}) {
      std::ofstream(path, std::ios::binary) << line << '\n';
      expect_bounded_memory(path, line.substr(0, 60), read);
    }
  std::ofstream many(path, std::ios::binary);
  for (int i = 0; i < 60'000; ++i)
    many << R"({"id":)" << i << R"(,"prediction":"a","abstained":false,"words":1,"counts":[],)"
         << tail << "}\n";
  many.close();
  expect_bounded_memory(path, "short lines", read);
}

}  // namespace
}  // namespace textcrs
