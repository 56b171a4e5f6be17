// A classifier that is none of ours: a program or an endpoint that gives every text a label.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"

namespace TEXTCRS_API textcrs {

// Named facts, in snake_case: {"classifier_command", "./mine"}.
using Facts = std::vector<std::pair<std::string, std::string>>;

class BlackBox {
 public:
  virtual ~BlackBox() = default;

  // What its answers are indices into: at least two, different, none empty.
  virtual const std::vector<std::string>& classes() const = 0;
  // What kind of thing it is: "program", "endpoint", "chat endpoint".
  virtual std::string kind() const = 0;
  // All that is known of it and that its answers depend on, for records; holds no secret.
  virtual const Facts& facts() const = 0;
  // 32 hexadecimal digits: of the facts, and of what of them is secret or too long to be shown.
  virtual std::string fingerprint() const = 0;

  // What it took so far, in words: "12 requests", "the program was started anew 2 times"; empty if
  // there is nothing to say. Thread-safe.
  virtual std::string effort() const { return ""; }

  // How many texts it wants at a time, and how many threads may ask at once; more wait.
  virtual size_t batch() const = 0;
  virtual int at_once() const = 0;

  // The class of each text. Thread-safe. Errors name it; one of kind kInterrupted within a second
  // once `stop` asks for it.
  virtual std::vector<int> ask(std::span<const std::string> texts, StopToken stop = {}) = 0;
};

// A usage Error unless they can be the classes of a BlackBox.
void check_classes(const std::vector<std::string>& classes);

}  // namespace textcrs
