// Tables of some megabytes that would take hundreds of times as much.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/peak_memory.h"
#include "text/scratch_home.h"
#include "textcrs/base/error.h"
#include "textcrs/data/dataset.h"

namespace textcrs {
namespace {

std::string repeated(const std::string& part, size_t bytes = size_t{12} << 20) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

Dataset read_at(const std::filesystem::path& path) {
  ReadOptions options;
  options.path = path;
  return read_dataset(options);
}

void expect_refused(const std::string& name, const std::string& content, const std::string& why) {
  const ScratchHome scratch;
  const auto path = scratch.write(name, content);
  const auto read = [&] { read_at(path); };
  expect_bounded_memory(path, name, read);
  EXPECT_THAT(error_of(read), testing::HasSubstr(name + why));
}

TEST(HostileTables, OfManyColumnsAreRefused) {
  expect_refused("a.csv", "text,label\n" + repeated(",") + "\n",
                 ":2: found more than 10000 columns, expected fewer");
  expect_refused("a.csv", repeated(",") + "\n", ":1: found more than 10000 columns");
  expect_refused("a.csv", repeated("\"\",") + "\n", ":1: found more than 10000 columns");
  expect_refused("a.tsv", "a" + repeated("\t") + "\n", ":1: found more than 10000 columns");
}

TEST(HostileTables, WithALongNameOfAColumnAreRefused) {
  for (const char* file : {"a.csv", "a.tsv"})
    expect_refused(file, repeated("a") + "\n", ":1: found the columns \"aaa");
}

TEST(HostileTables, OfTenThousandColumnsAreRead) {
  const ScratchHome scratch;
  const auto path = scratch.write("wide.csv", "text" + repeated(",", 9'998) + ",label\na film" +
                                                  repeated(",", 9'998) + ",pos\n");
  const Dataset dataset = read_at(path);
  ASSERT_EQ(dataset.examples.size(), 1u);
  EXPECT_EQ(dataset.examples[0].text, "a film");
}

}  // namespace
}  // namespace textcrs
