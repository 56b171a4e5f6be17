#include "textcrs/text/neighbours.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text/scratch_home.h"
#include "text/word_vectors_writer.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

struct Table {
  int rows, width;
  std::vector<float> values;
};

WordVectors open_table(const ScratchHome& scratch, const Table& table) {
  const fs::path path = scratch.folder() / "table.bin";
  write_file_atomically(path, [&](std::ostream& out) {
    const auto width = static_cast<size_t>(table.width);
    WordVectorsWriter writer(out, width);
    for (size_t row = 0; row < static_cast<size_t>(table.rows); ++row)
      writer.add("w" + std::to_string(row),
                 std::span<const float>(table.values).subspan(row * width, width));
    writer.finish();
  });
  return WordVectors::open(path);
}

// The definition: cosine in double, rounded to float; better first, then by row.
std::vector<Neighbour> brute_force(const Table& table, int query, size_t count,
                                   const std::vector<int>& candidates) {
  const auto dot = [&](int a, int b) {
    double sum = 0;
    for (int i = 0; i < table.width; ++i)
      sum += static_cast<double>(table.values[static_cast<size_t>(a * table.width + i)]) *
             table.values[static_cast<size_t>(b * table.width + i)];
    return sum;
  };
  std::vector<Neighbour> all;
  for (const int row : candidates) {
    const double length = std::sqrt(dot(query, query)) * std::sqrt(dot(row, row));
    if (row == query || length == 0) continue;
    all.push_back({row, static_cast<float>(std::clamp(dot(query, row) / length, -1.0, 1.0))});
  }
  std::sort(all.begin(), all.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.row < b.row;
  });
  if (all.size() > count) all.resize(count);
  return all;
}

std::vector<int> every_row(int rows) {
  std::vector<int> all(static_cast<size_t>(rows));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

bool equal(const std::vector<Neighbour>& a, const std::vector<Neighbour>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.row == y.row && x.similarity == y.similarity;
  });
}

Table normal_table(uint64_t seed, int rows, int width) {
  Table table{rows, width, std::vector<float>(static_cast<size_t>(rows * width))};
  Stream(seed, 0, 0).normals(table.values);
  return table;
}

TEST(Neighbours, AreThoseOfBruteForceOnTablesLargerThanABlock) {
  const ScratchHome scratch;
  Table table = normal_table(7, 2500, 20);
  std::fill_n(table.values.begin() + 17 * 20, 20, 0.0f);                    // a zero row,
  std::copy_n(table.values.begin(), 20, table.values.begin() + 1900 * 20);  // a repeated one,
  for (int i = 0; i < 20; ++i) table.values[800 * 20 + i] = 1e-30f * table.values[i];  // tiny,
  for (int i = 0; i < 20; ++i) table.values[801 * 20 + i] = 1e30f * table.values[i];   // huge
  const WordVectors vectors = open_table(scratch, table);
  std::vector<int> queries = every_row(300);
  queries.push_back(1900);
  const auto one = nearest_neighbours(vectors, queries, 11, 1);
  const auto three = nearest_neighbours(vectors, queries, 11, 3);
  ASSERT_EQ(one.size(), queries.size());
  for (size_t i = 0; i < queries.size(); ++i) {
    EXPECT_TRUE(equal(one[i], brute_force(table, queries[i], 11, every_row(2500)))) << queries[i];
    EXPECT_TRUE(equal(one[i], three[i])) << queries[i];
  }
  EXPECT_TRUE(one[17].empty());
  EXPECT_EQ(one[0][0].row, 800);  // the three rows of the same direction, by row
  EXPECT_EQ(one[0][2].row, 1900);
}

TEST(Neighbours, TiesGoByRow) {
  const ScratchHome scratch;
  const Table table{6, 2, {1, 0, 0, 1, 0, -1, 2, 0, 0, 3, 1, 0}};
  const WordVectors vectors = open_table(scratch, table);
  const std::vector<int> queries = {0};
  const auto lists = nearest_neighbours(vectors, queries, 10, 1);
  std::vector<int> rows;
  for (const Neighbour& n : lists[0]) rows.push_back(n.row);
  EXPECT_EQ(rows, (std::vector<int>{3, 5, 1, 2, 4}));
  EXPECT_EQ(lists[0][0].similarity, 1.0f);
  EXPECT_EQ(lists[0][4].similarity, 0.0f);
}

TEST(Neighbours, AreThoseOfBruteForceOnSmallIntegerTables) {
  EXPECT_TRUE(rc::check([] {
    const int rows = *rc::gen::inRange(1, 60), width = *rc::gen::inRange(1, 4);
    const auto cells = *rc::gen::container<std::vector<int>>(static_cast<size_t>(rows * width),
                                                             rc::gen::inRange(-2, 3));
    const auto candidates = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, rows));
    const int count = *rc::gen::inRange(1, 70);
    const Table table{rows, width, std::vector<float>(cells.begin(), cells.end())};
    const ScratchHome scratch;
    const WordVectors vectors = open_table(scratch, table);
    const std::vector<int> queries = every_row(rows);
    auto among = candidates.empty() ? queries : candidates;
    std::sort(among.begin(), among.end());
    among.erase(std::unique(among.begin(), among.end()), among.end());
    const auto lists = nearest_neighbours(vectors, queries, count, 2, candidates);
    for (const int query : queries)
      RC_ASSERT(equal(lists[static_cast<size_t>(query)],
                      brute_force(table, query, static_cast<size_t>(count), among)));
  }));
}

TEST(Neighbours, RefuseRowsOutsideTheTable) {
  const ScratchHome scratch;
  const WordVectors vectors = open_table(scratch, {2, 1, {1, 2}});
  const std::vector<int> good = {0}, bad = {2}, negative = {-1};
  EXPECT_THROW(nearest_neighbours(vectors, bad, 1, 1), std::logic_error);
  EXPECT_THROW(nearest_neighbours(vectors, negative, 1, 1), std::logic_error);
  EXPECT_THROW(nearest_neighbours(vectors, good, 1, 1, bad), std::logic_error);
  EXPECT_THROW(nearest_neighbours(vectors, good, 0, 1), std::logic_error);
  EXPECT_TRUE(nearest_neighbours(vectors, {}, 1, 1).empty());
}

class NeighboursCache : public testing::Test {
 protected:
  bool same_as_built() {
    const auto built = nearest_neighbours(vectors_, queries_, 4, 1);
    const auto loaded = load_or_build_neighbours(vectors_, queries_, 4, 2);
    return std::equal(built.begin(), built.end(), loaded.begin(), loaded.end(), equal);
  }
  ScratchHome scratch_;
  WordVectors vectors_ = open_table(scratch_, normal_table(3, 40, 5));
  std::vector<int> queries_ = {0, 5, 39, 5};
  fs::path file_ = neighbours_cache_file(vectors_, queries_, 4);
};

TEST_F(NeighboursCache, IsMadeOnceAndReadAfterwards) {
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_TRUE(same_as_built());
  ASSERT_TRUE(fs::exists(file_));
  const auto made = fs::last_write_time(file_) - std::chrono::hours(1);
  fs::last_write_time(file_, made);
  EXPECT_TRUE(same_as_built());
  EXPECT_EQ(fs::last_write_time(file_), made);
}

TEST_F(NeighboursCache, IsMadeAgainAfterAnyDamage) {
  EXPECT_TRUE(same_as_built());
  const std::string whole = read_file(file_);
  for (size_t byte = 0; byte < whole.size(); byte += 3) {
    std::string changed = whole;
    changed[byte] = static_cast<char>(~changed[byte]);
    std::ofstream(file_, std::ios::binary) << changed;
    EXPECT_TRUE(same_as_built()) << byte;
    EXPECT_EQ(read_file(file_), whole) << byte;
    fs::resize_file(file_, byte);
    EXPECT_TRUE(same_as_built()) << byte;
  }
}

TEST_F(NeighboursCache, IsKeyedByEverythingThatMatters) {
  const std::vector<int> others = {0, 5, 39}, candidates = {1, 2};
  EXPECT_NE(neighbours_cache_file(vectors_, queries_, 5), file_);
  EXPECT_NE(neighbours_cache_file(vectors_, others, 4), file_);
  EXPECT_NE(neighbours_cache_file(vectors_, queries_, 4, candidates), file_);
  const ScratchHome second;
  const WordVectors different = open_table(second, normal_table(4, 40, 5));
  EXPECT_NE(neighbours_cache_file(different, queries_, 4).filename(), file_.filename());
}

}  // namespace
}  // namespace textcrs
