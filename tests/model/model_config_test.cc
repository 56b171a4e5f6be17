// config.json: what is written is read back, and whatever is out of range is refused by name.
#include "textcrs/model/model_config.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "expect_error.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

using nlohmann::json;

class ModelConfigFile : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "config.json"; }

  static ModelConfig sample() {
    ModelConfig config;
    config.architecture = "cnn";
    config.dimension = 100;
    config.hidden = 7;
    config.slots = 31;
    config.input_dropout = 0.1;
    config.dropout = 0.25;
    config.classes = {"good", "b\u00e4d \"quoted\""};
    config.noise = "insert:sigma=0.2";
    config.pool_all_slots = true;
    config.synonyms = "WordNet synsets";
    config.precision = Precision::kFp32;
    return config;
  }
  json written() const {
    sample().save(path());
    return json::parse(read_file(path()));
  }
  std::string refusal(const std::string& content) const {
    std::ofstream(path(), std::ios::binary) << content;
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&] { ModelConfig::load(path()); });
    EXPECT_EQ(message.rfind(path().string() + ": ", 0), 0u) << message;
    return message;
  }

  TemporaryFolder folder_;
};

TEST_F(ModelConfigFile, SaysThatTheVectorsWereTrainedWhereTheyWere) {
  EXPECT_FALSE(written().contains("trained_vectors"));
  ModelConfig config = sample();
  config.trained_vectors = true;
  config.save(path());
  EXPECT_TRUE(ModelConfig::load(path()).trained_vectors);
}

TEST_F(ModelConfigFile, SaysWhichUnitsVote) {
  EXPECT_FALSE(written().contains("units"));
  EXPECT_EQ(ModelConfig::load(path()).units, Units::kWords);  // as in older folders
  ModelConfig config = sample();
  config.units = Units::kSentences;
  config.noise = "none";
  config.pool_all_slots = false;
  config.save(path());
  EXPECT_EQ(ModelConfig::load(path()).units, Units::kSentences);
  const json good = json::parse(read_file(path()));
  for (const json& wrong : {json("paragraphs"), json(""), json(2), json(nullptr)}) {
    json changed = good;
    changed["units"] = wrong;
    EXPECT_FALSE(refusal(changed.dump()).empty()) << wrong;
  }
  json noisy = good;
  noisy["noise"] = "delete:p=0.5";
  EXPECT_NE(refusal(noisy.dump()).find("noise is delete"), std::string::npos);
  json votes = good;
  votes["architecture"] = "votes";
  votes["dimension"] = 2;
  votes["trained_vectors"] = true;
  EXPECT_NE(refusal(votes.dump()).find("units is sentences"), std::string::npos);
}

TEST_F(ModelConfigFile, RoundTrips) {
  const ModelConfig config = sample();
  config.save(path());
  const ModelConfig read = ModelConfig::load(path());
  EXPECT_EQ(read.architecture, config.architecture);
  EXPECT_EQ(read.dimension, config.dimension);
  EXPECT_EQ(read.hidden, config.hidden);
  EXPECT_EQ(read.slots, config.slots);
  EXPECT_EQ(read.input_dropout, config.input_dropout);
  EXPECT_EQ(read.dropout, config.dropout);
  EXPECT_EQ(read.classes, config.classes);
  EXPECT_EQ(read.noise, config.noise);
  EXPECT_EQ(read.pool_all_slots, config.pool_all_slots);
  EXPECT_EQ(read.synonyms, config.synonyms);
  EXPECT_EQ(read.precision, config.precision);
}

TEST_F(ModelConfigFile, AcceptsTheEndsOfEveryRange) {
  for (const auto& [key, values] :
       std::map<std::string, std::vector<json>>{{"dimension", {1, 10000}},
                                                {"hidden", {1, 10000}},
                                                {"slots", {1, 100000}},
                                                {"input_dropout", {0, 0.99}},
                                                {"dropout", {0, 0.99}}}) {
    for (const json& value : values) {
      json config = written();
      config[key] = value;
      std::ofstream(path()) << config;
      EXPECT_NO_THROW(ModelConfig::load(path())) << key << " " << value;
    }
  }
}

TEST_F(ModelConfigFile, RefusesEveryValueOutOfRangeByName) {
  const std::map<std::string, std::vector<json>> wrong = {
      {"architecture", {"transformer", ""}},
      {"dimension", {0, -1, 10001, 4294967297, 9223372036854775808u, 1e300, 2.5}},
      {"hidden", {0, -1, 10001, 4294967297, 2.5}},
      {"slots", {0, -1, 100001, 4294967297, 2.5}},
      {"input_dropout", {-0.01, 1, 1.5}},
      {"dropout", {-0.01, 1, 1.5}},
      {"classes", {json::array(), json::array({"one"})}},
      {"format", {"other"}},
      {"format_version", {0, 2}}};
  for (const auto& [key, values] : wrong) {
    for (const json& value : values) {
      json config = written();
      config[key] = value;
      const std::string name = key == "format_version" ? "version" : key;
      EXPECT_NE(refusal(config.dump()).find(name), std::string::npos) << key << " " << value;
    }
  }
}

TEST_F(ModelConfigFile, RefusesEveryValueOfAWrongType) {
  const json number = 5, text = "5", truth = true, list = json::array({5, 6}), none = nullptr,
             object = json::object({{"a", 5}});
  const std::map<std::string, std::vector<json>> wrong = {
      {"architecture", {number, truth, list, none, object}},
      {"dimension", {text, truth, list, none, object}},
      {"hidden", {text, truth, list, none, object}},
      {"slots", {text, truth, list, none, object}},
      {"input_dropout", {text, truth, list, none, object}},
      {"dropout", {text, truth, list, none, object}},
      {"pool_all_slots", {number, text, list, none, object}},
      {"synonyms", {number, truth, list, none, object}},
      {"precision", {number, text, truth, list, none, object}},
      {"classes", {number, text, truth, list, none, object}},
      {"noise", {number, truth, list, none, object}}};
  for (const auto& [key, values] : wrong) {
    for (const json& value : values) {
      json config = written();
      config[key] = value;
      EXPECT_FALSE(refusal(config.dump()).empty()) << key << " " << value;
    }
  }
}

TEST_F(ModelConfigFile, RefusesHostileValuesAtTheirPlace) {
  const auto with = [&](const std::string& key, const std::string& value) {
    json config = written();
    config[key] = "HERE";
    std::string text = config.dump();
    return refusal(text.replace(text.find("\"HERE\""), 6, value));
  };
  const std::string deep(100000, '[');
  for (const char* key : {"dimension", "classes", "noise", "hidden", "bert", "unknown"}) {
    EXPECT_NE(with(key, deep).find("found more than 64"), std::string::npos) << key;
    EXPECT_NE(with(key, deep + std::string(100000, ']')).find("found more than 64"),
              std::string::npos)
        << key;
    EXPECT_NE(with(key, "1e999").find("found a number that is too large"), std::string::npos);
    EXPECT_NE(with(key, "NaN").find("not JSON"), std::string::npos);
  }
  EXPECT_NE(with("dimension", "5, \"dimension\": 6").find("\"dimension\": appears twice"),
            std::string::npos);
  EXPECT_NE(with("dimension", "[[[5]]]").find("dimension: found array, expected a whole number"),
            std::string::npos);
  EXPECT_NE(with("dropout", "\"0.5\"").find("dropout: found \"0.5\", expected a number"),
            std::string::npos);
  EXPECT_NE(with("classes", "[\"a\", 2]").find("classes[1]: found 2, expected a text"),
            std::string::npos);
  EXPECT_LT(with("dimension", '"' + std::string(1 << 20, 'x') + '"').size(), 300u);
}

TEST_F(ModelConfigFile, RefusesEveryMissingKeyByName) {
  const json whole = written();
  EXPECT_EQ(whole.size(), 13u);
  for (const auto& [key, value] : whole.items()) {
    json config = whole;
    config.erase(key);
    EXPECT_NE(refusal(config.dump()).find("'" + key + "'"), std::string::npos);
  }
}

TEST_F(ModelConfigFile, RefusesWhatIsNoObjectAndEveryTruncation) {
  for (const char* content : {"", "[]", "3", "null", "\"config\"", "{", "\xff"}) refusal(content);
  const std::string whole = written().dump();
  for (size_t size = 0; size < whole.size(); ++size) refusal(whole.substr(0, size));
  expect_error(ErrorKind::kBadInput, [&] { ModelConfig::load(folder_.path() / "absent"); });
}

class BertConfigFile : public ModelConfigFile {
 protected:
  static ModelConfig bert() {
    ModelConfig config = sample();
    config.architecture = "bert";
    config.dimension = 384;
    config.hidden = 1536;
    config.bert = {.layers = 6, .heads = 12, .positions = 512, .epsilon = 1e-7};
    return config;
  }
  json written_bert() const {
    bert().save(path());
    return json::parse(read_file(path()));
  }
};

TEST_F(BertConfigFile, RoundTrips) {
  bert().save(path());
  const ModelConfig read = ModelConfig::load(path());
  EXPECT_EQ(read.architecture, "bert");
  EXPECT_EQ(read.hidden, 1536);
  EXPECT_EQ(read.bert, bert().bert);
  EXPECT_FALSE(written().contains("bert"));  // of the others
}

TEST_F(BertConfigFile, AcceptsTheEndsOfEveryRange) {
  for (const auto& [key, values] : std::map<std::string, std::vector<json>>{
           {"layers", {1, 1000}}, {"positions", {33, 100000}}, {"epsilon", {0, 1}}})
    for (const json& value : values) {
      json config = written_bert();
      config["bert"][key] = value;
      std::ofstream(path()) << config;
      EXPECT_NO_THROW(ModelConfig::load(path())) << key << " " << value;
    }
  json config = written_bert();
  config["hidden"] = 100000;
  config["bert"]["heads"] = 48;
  std::ofstream(path()) << config;
  EXPECT_NO_THROW(ModelConfig::load(path()));
}

TEST_F(BertConfigFile, RefusesEveryValueOutOfRangeByName) {
  const std::map<std::string, std::vector<json>> wrong = {
      {"layers", {0, -1, 1001, 4294967298, 2.5, "6", nullptr, true}},
      {"heads", {0, 5, 24 * 4, 1001, 536870912, 2147483647, 4294967308, "12", nullptr}},
      {"positions", {0, 2, 100001, 4294967808, "512", nullptr}},
      {"epsilon", {-1e-9, 1.5, "0", nullptr, true}}};
  for (const auto& [key, values] : wrong)
    for (const json& value : values) {
      json config = written_bert();
      config["bert"][key] = value;
      const std::string message = refusal(config.dump());
      const bool by_name = key != "epsilon" || value.is_number();
      if (by_name) EXPECT_NE(message.find(key), std::string::npos) << message;
    }
}

TEST_F(BertConfigFile, RefusesEveryMissingKeyByName) {
  const json whole = written_bert();
  EXPECT_EQ(whole.at("bert").size(), 4u);
  for (const auto& [key, value] : whole.at("bert").items()) {
    json config = whole;
    config["bert"].erase(key);
    EXPECT_NE(refusal(config.dump()).find("'" + key + "'"), std::string::npos);
  }
  for (const json& value : {json(3), json("x"), json(nullptr), json::array()}) {
    json config = whole;
    config["bert"] = value;
    refusal(config.dump());
  }
  json config = whole;
  config.erase("bert");
  EXPECT_NE(refusal(config.dump()).find("'bert'"), std::string::npos);
}

TEST_F(BertConfigFile, TheInsertionNoiseNeedsAPositionASlot) {
  json config = written_bert();  // pools over all slots
  config["slots"] = 510;
  std::ofstream(path()) << config;
  EXPECT_NO_THROW(ModelConfig::load(path()));
  config["slots"] = 511;
  EXPECT_NE(refusal(config.dump()).find("slots is 511, expected at most 510"), std::string::npos);
  config["pool_all_slots"] = false;  // others are cut
  std::ofstream(path()) << config;
  EXPECT_NO_THROW(ModelConfig::load(path()));
}

}  // namespace
}  // namespace textcrs
