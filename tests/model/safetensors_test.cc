// The safetensors format: what is written, what is read, and everything that must be refused.
#include "textcrs/model/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>
#include <fstream>

#include "expect_error.h"
#include "text/peak_memory.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using std::string;
using testing::HasSubstr;

// The bytes of a file with this header and this data.
string file_of(const string& header, const string& data, uint64_t header_size) {
  string bytes(8, '\0');
  for (int i = 0; i < 8; ++i)
    bytes[static_cast<size_t>(i)] = static_cast<char>(header_size >> 8 * i);
  return bytes + header + data;
}
string file_of(const string& header, const string& data) {
  return file_of(header, data, header.size());
}

TensorView view_of(const string& dtype, std::vector<int64_t> shape, const string& data) {
  return {dtype, std::move(shape), std::as_bytes(std::span(data))};
}

string bytes_of(const TensorView& tensor) {
  return {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()};
}

class Safetensors : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "x.safetensors"; }
  SafetensorsFile read(const string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    return SafetensorsFile(path());
  }
  // The message with which these bytes are refused, which names the file.
  string refusal(const string& bytes) const {
    const string message = expect_error(ErrorKind::kBadInput, [&] { read(bytes); });
    EXPECT_EQ(message.rfind(path().string() + ": ", 0), 0u) << message;
    return message;
  }
  // The same for a header in front of `size` bytes of data.
  string header_refusal(const string& header, size_t size = 8) const {
    return refusal(file_of(header, string(size, 'x')));
  }

  TemporaryFolder folder_;
};

TEST_F(Safetensors, WritesTheFormatByteForByte) {
  const string floats("\0\0\x80\x3f\0\0\0\xc0", 8), bytes = "\1\2\3";  // 1, -2
  write_safetensors(path(),
                    {{"b", view_of("F32", {2, 1}, floats)}, {"c", view_of("U8", {3}, bytes)}},
                    {{"format", "pt"}});
  const string header =
      R"({"__metadata__":{"format":"pt"},"b":{"data_offsets":[0,8],"dtype":"F32","shape":[2,1]},)"
      R"("c":{"data_offsets":[8,11],"dtype":"U8","shape":[3]}})";
  ASSERT_EQ(header.size(), 140u);  // 8 + 140 + 44 = 192 = 3 * 64
  EXPECT_EQ(read_file(path()), file_of(header + string(44, ' '), floats + bytes));
}

TEST_F(Safetensors, ReadsAFileOfThePythonPackage) {
  // Its key order; data in another order than the names; a scalar and an empty tensor.
  const SafetensorsFile file =
      read(file_of(R"({"__metadata__":{"format":"pt","by":"hand"},)"
                   R"("z":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
                   R"("none":{"dtype":"F32","shape":[0,5],"data_offsets":[8,8]},)"
                   R"("a":{"dtype":"F16","shape":[1,3],"data_offsets":[8,14]}}   )",
                   "12345678abcdef"));
  EXPECT_EQ(file.metadata(), (std::map<string, string>{{"by", "hand"}, {"format", "pt"}}));
  ASSERT_EQ(file.tensors().size(), 3u);
  EXPECT_EQ(bytes_of(file.get("z", "I64", {})), "12345678");
  EXPECT_EQ(file.get("z", "I64", {}).elements(), 1);
  EXPECT_EQ(bytes_of(file.get("a", "F16", {1, 3})), "abcdef");
  EXPECT_EQ(file.get("none", "F32", {0, 5}).elements(), 0);
  EXPECT_TRUE(bytes_of(file.get("none", "F32", {0, 5})).empty());
}

TEST_F(Safetensors, RoundTripsAndAlignsTheData) {
  EXPECT_TRUE(rc::check([&] {
    const std::map<string, size_t> sizes = {
        {"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8}, {"I32", 4}, {"I16", 2},
        {"I8", 1},  {"U8", 1},  {"U16", 2}, {"U32", 4},  {"U64", 8}, {"BOOL", 1}};
    const auto count = *rc::gen::inRange(0, 6);
    std::vector<string> data(static_cast<size_t>(count));
    std::map<string, TensorView> tensors;
    for (string& bytes : data) {
      const auto& [dtype, size] = *rc::gen::elementOf(sizes);
      const auto rows = *rc::gen::inRange<int64_t>(0, 5),
                 columns = *rc::gen::inRange<int64_t>(0, 5);
      bytes = *rc::gen::container<string>(size * static_cast<size_t>(rows * columns),
                                          rc::gen::arbitrary<char>());
      const auto name = *rc::gen::container<string>(rc::gen::inRange('!', '~'));
      tensors["n" + name] = view_of(dtype, {rows, columns}, bytes);
    }
    const auto metadata = *rc::gen::arbitrary<bool>()
                              ? std::map<string, string>{{"key", "\"v\u00e4lue\"\n"}}
                              : std::map<string, string>{};
    write_safetensors(path(), tensors, metadata);
    const SafetensorsFile file(path());
    RC_ASSERT(file.metadata() == metadata);
    RC_ASSERT(file.tensors().size() == tensors.size());
    for (const auto& [name, tensor] : tensors)
      RC_ASSERT(bytes_of(file.get(name, tensor.dtype, tensor.shape)) == bytes_of(tensor));
    uint64_t header = 0;
    std::memcpy(&header, read_file(path()).data(), 8);
    RC_ASSERT((8 + header) % 64 == 0u);
  }));
}

TEST_F(Safetensors, RefusesEveryTruncationAndEveryExtension) {
  const string data(20, 'd');
  write_safetensors(path(), {{"a", view_of("F32", {3}, data.substr(0, 12))},
                             {"b", view_of("I64", {}, data.substr(12))}});
  const string whole = read_file(path());
  for (size_t size = 0; size < whole.size(); ++size) refusal(whole.substr(0, size));
  for (int byte = 0; byte < 256; ++byte)
    EXPECT_NE(refusal(whole + static_cast<char>(byte)).find("1 bytes behind"), string::npos);
  EXPECT_EQ(read(whole).tensors().size(), 2u);
}

TEST_F(Safetensors, NoFlippedBitOfTheHeaderIsAReadOutsideTheFile) {
  const string data(20, 'd');
  write_safetensors(path(), {{"a", view_of("F32", {3}, data.substr(0, 12))},
                             {"b", view_of("I64", {}, data.substr(12))}});
  const string whole = read_file(path());
  for (size_t bit = 0; bit < 8 * (whole.size() - data.size()); ++bit) {
    string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      // Some flips only rename a tensor or its type: then all bytes are still accounted for.
      size_t bytes = 0;
      const SafetensorsFile file = read(flipped);
      for (const auto& [name, tensor] : file.tensors()) bytes += bytes_of(tensor).size();
      EXPECT_EQ(bytes, data.size());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    }
  }
}

TEST_F(Safetensors, RefusesAHeaderLargerThanTheFileBeforeTakingMemory) {
  for (const uint64_t size : {uint64_t{3}, uint64_t{100'000'001}, uint64_t{1} << 60, ~uint64_t{0},
                              ~uint64_t{0} - 7, ~uint64_t{0} - 8})
    EXPECT_NE(refusal(file_of("{}", "", size)).find(std::to_string(size)), string::npos);
}

TEST_F(Safetensors, RefusesWhatIsNoHeader) {
  for (const char* header :
       {"", "x", "{", "[]", "3", "null", "\"a\"", "{} {}", R"({"a":3})", R"({"a":[]})",
        R"({"a":{}})", R"({"__metadata__":3})", R"({"__metadata__":{"a":3}})", "{\"\xff\":{}}"})
    EXPECT_FALSE(header_refusal(header, 0).empty()) << header;
}

TEST_F(Safetensors, RefusesMalformedEntries) {
  const auto entry = [&](const string& dtype, const string& shape, const string& offsets) {
    return R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
           "}}";
  };
  EXPECT_EQ(read(file_of(entry("\"F32\"", "[2]", "[0,8]"), string(8, 'x'))).tensors().size(), 1u);
  for (const char* dtype : {"\"F33\"", "\"f32\"", "\"\"", "32", "null", "[\"F32\"]"})
    EXPECT_NE(header_refusal(entry(dtype, "[2]", "[0,8]")).find("'a'"), string::npos);
  for (const char* shape :
       {"[-2]", "[2.0]", "[\"2\"]", "[true]", "2", "null", "{\"x\":2}", "[[2]]"})
    EXPECT_NE(header_refusal(entry("\"F32\"", shape, "[0,8]")).find("'a'"), string::npos);
  for (const char* offsets :
       {"[0]", "[0,8,8]", "[]", "8", "null", "[-8,0]", "[0,8.0]", "[8,0]", "[0,9]",
        "{\"x\":0,\"y\":8}", "[0,18446744073709551616]", "[18446744073709551608,8]", "[9,17]"})
    EXPECT_NE(header_refusal(entry("\"F32\"", "[2]", offsets)).find("'a'"), string::npos);
}

TEST_F(Safetensors, RefusesShapesThatDisagreeWithTheBytes) {
  const auto entry = [&](const string& dtype, const string& shape) {
    return R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":[0,8]}})";
  };
  EXPECT_NE(header_refusal(entry("F32", "[3]")).find("found 8 bytes, expected 12 for F32 [3]"),
            string::npos);
  for (const char* shape : {"[1]", "[]", "[2,2]", "[0]", "[2,0]", "[1152921504606846976]"})
    header_refusal(entry("F32", shape));
  header_refusal(entry("F16", "[2]"));
}

TEST_F(Safetensors, RefusesShapesThatOverflow) {
  // 2^63 x 2^63, 2^32 x 2^32 and 2^62 x 4: products that wrap to 0 bytes.
  for (const char* shape :
       {"[9223372036854775808,9223372036854775808]", "[4294967296,4294967296]",
        "[4611686018427387904]", "[18446744073709551615]", "[4611686018427387904,0]"})
    EXPECT_NE(
        header_refusal(
            R"({"a":{"dtype":"F32","shape":)" + string(shape) + R"(,"data_offsets":[0,0]}})", 0)
            .find("too large"),
        string::npos)
        << shape;
}

TEST_F(Safetensors, RefusesGapsAndOverlaps) {
  const auto two = [&](const string& first, const string& second) {
    return R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + first +
           R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + second + "}}";
  };
  EXPECT_EQ(read(file_of(two("[4,8]", "[0,4]"), string(8, 'x'))).tensors().size(), 2u);
  EXPECT_NE(header_refusal(two("[0,4]", "[5,9]"), 9).find("'b': starts at byte 5, expected 4"),
            string::npos);
  EXPECT_NE(header_refusal(two("[0,4]", "[3,7]"), 7).find("expected 4"), string::npos);
  EXPECT_NE(header_refusal(two("[0,4]", "[0,4]"), 4).find("expected 4"), string::npos);
  EXPECT_NE(header_refusal(two("[1,5]", "[5,9]"), 9).find("expected 0"), string::npos);
  EXPECT_NE(header_refusal(two("[0,4]", "[4,8]"), 11).find("3 bytes behind"), string::npos);
}

TEST_F(Safetensors, RefusesWhatIsNamedTwice) {
  const string good = R"("a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]})";
  EXPECT_NE(header_refusal("{" + good + "," + good + "}", 4).find("\"a\": appears twice"),
            string::npos);
  EXPECT_NE(
      header_refusal("{\"a\": " + string(100000, '[')).find("header: byte 70: found more than"),
      string::npos);
  EXPECT_NE(header_refusal("{\"a\": 1e999}").find("header: byte 11: found a number"), string::npos);
  header_refusal(R"({"a":{"dtype":"U8","shape":[9],"shape":[4],"data_offsets":[0,4]}})", 4);
  header_refusal(R"({"__metadata__":{"k":"1","k":"2"}})", 0);
}

TEST_F(Safetensors, GetWantsTheNameTheTypeAndTheShape) {
  const SafetensorsFile file =
      read(file_of(R"({"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})", "12345678"));
  const auto refused = [&](const char* name, const char* dtype, std::vector<int64_t> shape) {
    return expect_error(ErrorKind::kBadInput, [&] { file.get(name, dtype, shape); });
  };
  EXPECT_NE(refused("b", "F32", {2, 1}).find("'b' is missing"), string::npos);
  EXPECT_NE(refused("a", "I32", {2, 1}).find("found F32 [2, 1], expected I32 [2, 1]"),
            string::npos);
  refused("a", "F32", {1, 2});
  refused("a", "F32", {2});
}

TEST_F(Safetensors, RefusesWhatIsNoFile) {
  expect_error(ErrorKind::kBadInput, [&] { SafetensorsFile(folder_.path() / "absent"); });
  expect_error(ErrorKind::kBadInput, [&] { SafetensorsFile(folder_.path()); });
}

// Headers of some megabytes that would take hundreds of times as much.
TEST_F(Safetensors, HeadersTakeBoundedMemory) {
  constexpr size_t kBytes = size_t{12} << 20;
  const auto repeated = [&](const string& part) {
    string text;
    while (text.size() < kBytes) text += part;
    return text;
  };
  string tensors = "{", metadata = R"({"__metadata__":{)";
  for (size_t i = 0; tensors.size() < kBytes; ++i)
    tensors += "\"" + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
  for (size_t i = 0; metadata.size() < kBytes; ++i)
    metadata += "\"" + std::to_string(i) + R"(":"",)";
  for (const string& header :
       {tensors + R"("":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})",
        metadata + R"("":""}})", R"({"a":[)" + repeated("{},") + "0]}",
        R"({"a":{"dtype":"F32","shape":[)" + repeated("1,") + R"(1],"data_offsets":[0,4]}})"}) {
    std::ofstream(path(), std::ios::binary) << file_of(header, "");
    expect_bounded_memory(path(), header.substr(0, 60), [&] { SafetensorsFile file(path()); });
  }
  string extents = "[1";
  for (int i = 1; i < 65; ++i) extents += ",1";
  EXPECT_THAT(header_refusal(
                  R"({"a":{"dtype":"F32","shape":)" + extents + R"(],"data_offsets":[0,4]}})", 4),
              HasSubstr("found a shape of 65 numbers"));
}

// A reader that maps the file would be ended by SIGBUS.
TEST_F(Safetensors, AFileThatIsCutOrOverwrittenAfterwardsChangesNothing) {
  const string data(100'000, 'x');
  const SafetensorsFile file =
      read(file_of(R"({"a":{"dtype":"U8","shape":[100000],"data_offsets":[0,100000]}})", data));
  std::filesystem::resize_file(path(), 10);
  EXPECT_EQ(bytes_of(file.get("a", "U8", {100'000})), data);
}

}  // namespace
}  // namespace textcrs
