#include "textcrs/base/spec.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

template <typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "no error";
}

std::string parse_error(const std::string& text) {
  return message_of([&] { Spec::parse(text); });
}

TEST(Spec, NameAlone) {
  const Spec spec = Spec::parse("none");
  EXPECT_EQ(spec.name(), "none");
  EXPECT_FALSE(spec.has("p"));
  EXPECT_NO_THROW(spec.allow_only({}));
}

TEST(Spec, KeysAndValues) {
  const Spec spec = Spec::parse("substitute:kernel=staircase,size=50,eps=1e-1");
  EXPECT_EQ(spec.name(), "substitute");
  EXPECT_TRUE(spec.has("size"));
  EXPECT_EQ(spec.integer("size", 1, 100), 50);
  EXPECT_EQ(spec.number("eps", 0, 1), 0.1);
  EXPECT_EQ(spec.choice("kernel", {"uniform", "staircase"}), "staircase");
}

TEST(Spec, MalformedStrings) {
  EXPECT_EQ(parse_error(""), "'': expected name or name:key=value,...");
  EXPECT_EQ(parse_error(":p=1"), "':p=1': expected name or name:key=value,...");
  EXPECT_EQ(parse_error("delete:"), "'delete:': found '', expected key=value");
  EXPECT_EQ(parse_error("delete:p=1,"), "'delete:p=1,': found '', expected key=value");
  EXPECT_EQ(parse_error("delete:p="), "'delete:p=': found 'p=', expected key=value");
  EXPECT_EQ(parse_error("delete:=1"), "'delete:=1': found '=1', expected key=value");
  EXPECT_EQ(parse_error("delete:="), "'delete:=': found '=', expected key=value");
  EXPECT_EQ(parse_error("delete:p=1,p=2"), "'delete:p=1,p=2': 'p' is given twice");
  EXPECT_EQ(parse_error("reorder:full,full"), "'reorder:full,full': 'full' is given twice");
}

TEST(Spec, FlagsStandAlone) {
  const Spec spec = Spec::parse("reorder:full,block=3");
  EXPECT_TRUE(spec.has("full"));
  EXPECT_TRUE(spec.flag("full"));
  EXPECT_FALSE(spec.flag("sorted"));
  EXPECT_EQ(message_of([&] { spec.flag("block"); }),
            "'reorder:full,block=3': found 'block=3', expected 'block' alone");
}

TEST(Spec, AFlagIsNoValue) {
  const Spec spec = Spec::parse("delete:p");
  const std::string why = "'delete:p': found 'p', expected p=value";
  EXPECT_EQ(message_of([&] { spec.number("p", 0, 1); }), why);
  EXPECT_EQ(message_of([&] { spec.number_inside("p", 0, 1); }), why);
  EXPECT_EQ(message_of([&] { spec.positive("p"); }), why);
  EXPECT_EQ(message_of([&] { spec.integer("p", 0, 1); }), why);
  EXPECT_EQ(message_of([&] { spec.integer_or("p", 1, 0, 1); }), why);
  EXPECT_EQ(message_of([&] { spec.choice("p", {"a"}); }), why);
  EXPECT_EQ(message_of([&] { spec.choice_or("p", "a", {"a"}); }), why);
}

TEST(Spec, NumbersAreChecked) {
  const Spec spec = Spec::parse("x:a=1.5,b=one,c=2x,d=nan,e=inf,f=1e999,g=-3");
  EXPECT_EQ(spec.number("a", 1.5, 1.5), 1.5);
  EXPECT_EQ(spec.number("g", -3, 0), -3);
  const std::string text = "'x:a=1.5,b=one,c=2x,d=nan,e=inf,f=1e999,g=-3': ";
  EXPECT_EQ(message_of([&] { spec.number("a", 2, 3.5); }), text + "a is 1.5, expected 2 to 3.5");
  EXPECT_EQ(message_of([&] { spec.number("a", 0, 1); }), text + "a is 1.5, expected 0 to 1");
  for (const char* key : {"b", "c", "d", "e", "f"})
    EXPECT_NE(message_of([&] { spec.number(key, -1e300, 1e300); }).find("expected a number"),
              std::string::npos)
        << key;
  EXPECT_EQ(message_of([&] { spec.number("z", 0, 1); }), text + "'z' is missing");
}

TEST(Spec, OpenIntervalsAndPositiveNumbers) {
  EXPECT_EQ(Spec::parse("x:p=0.5").number_inside("p", 0, 1), 0.5);
  for (const char* p : {"0", "1", "-0", "-1", "2"}) {
    const std::string text = std::string("x:p=") + p;
    EXPECT_EQ(message_of([&] { Spec::parse(text).number_inside("p", 0, 1); }),
              "'" + text + "': p is " + p + ", expected strictly between 0 and 1");
  }
  EXPECT_EQ(Spec::parse("x:s=1e-300").positive("s"), 1e-300);
  for (const char* s : {"0", "-0", "-2"}) {
    const std::string text = std::string("x:s=") + s;
    EXPECT_EQ(message_of([&] { Spec::parse(text).positive("s"); }),
              "'" + text + "': s is " + s + ", expected a positive number");
  }
}

TEST(Spec, IntegersAreWhole) {
  EXPECT_EQ(Spec::parse("x:n=1e3").integer("n", 1, 2000), 1000);
  EXPECT_EQ(message_of([&] { Spec::parse("x:n=2.5").integer("n", 1, 9); }),
            "'x:n=2.5': n is 2.5, expected a whole number");
  EXPECT_EQ(message_of([&] { Spec::parse("x:n=0").integer("n", 1, 9); }),
            "'x:n=0': n is 0, expected 1 to 9");
}

TEST(Spec, FallbacksStandInForMissingKeys) {
  const Spec spec = Spec::parse("x:a=2,c=red");
  EXPECT_EQ(spec.integer_or("a", 7, 0, 9), 2);
  EXPECT_EQ(spec.integer_or("b", 7, 0, 9), 7);
  EXPECT_EQ(spec.choice_or("c", "blue", {"red", "blue"}), "red");
  EXPECT_EQ(spec.choice_or("d", "blue", {"red", "blue"}), "blue");
}

TEST(Spec, ChoicesAreListed) {
  const Spec spec = Spec::parse("x:c=green");
  EXPECT_EQ(message_of([&] {
              spec.choice("c", {"red", "blue"});
            }),
            "'x:c=green': c is 'green', expected one of: red, blue");
  EXPECT_EQ(message_of([&] {
              spec.choice_or("c", "red", {"red", "blue"});
            }),
            "'x:c=green': c is 'green', expected one of: red, blue");
  EXPECT_EQ(message_of([&] { spec.choice("d", {"red"}); }), "'x:c=green': 'd' is missing");
}

TEST(Spec, UnknownKeysAreNamed) {
  EXPECT_NO_THROW(Spec::parse("x:a=1,b").allow_only({"a", "b", "c"}));
  EXPECT_EQ(message_of([&] {
              Spec::parse("x:a=1,q=2").allow_only({"a", "b"});
            }),
            "'x:a=1,q=2': 'q' is not a parameter of x; known: a, b");
  EXPECT_EQ(message_of([&] { Spec::parse("none:loud").allow_only({}); }),
            "'none:loud': 'loud' is not a parameter of none; known: none");
}

TEST(Spec, ShortestForms) {
  EXPECT_EQ(shortest(0.3), "0.3");
  EXPECT_EQ(shortest(16), "16");
  EXPECT_EQ(shortest(1e-5), "1e-05");
  EXPECT_EQ(shortest(0.1 + 0.2), "0.30000000000000004");
}

TEST(Spec, EveryNumberReadsBackAsItself) {
  EXPECT_TRUE(rc::check("number(shortest(x)) == x", [] {
    const double x = *rc::gen::arbitrary<double>();
    RC_PRE(std::isfinite(x));
    const Spec spec = Spec::parse("x:v=" + shortest(x));
    RC_ASSERT(spec.number("v", -std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::infinity()) == x);
  }));
}

}  // namespace
}  // namespace textcrs
