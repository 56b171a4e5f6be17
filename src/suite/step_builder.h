// Puts the command of a step together, and with it what decides its results.
#pragma once

#include <functional>
#include <string>

#include "textcrs/suite/plan.h"

namespace textcrs {

// Flags of `more` replace those of the same name.
void merge(SuiteFlags& flags, const SuiteFlags& more);

class StepBuilder {
 public:
  StepBuilder(const std::string& verb, const std::string& name);

  void tag(const std::string& key, const std::string& value);  // "": none
  void flag(const std::string& name);
  void flag(const std::string& name, const std::string& value);
  // The same, but where it is done or found decides nothing.
  void place(const std::string& name, const std::string& value);
  // The same with texts: a path decides by its last two parts, so that they may move.
  void texts(const std::string& name, const std::string& value);
  void flag_of(const std::string& name, const PlannedStep& step);  // with its folder
  void named_folder(const std::string& name, const std::string& key, const PlannedStep& step);
  void folder_of(const PlannedStep& step);  // an argument
  // "@METHOD" is looked up.
  void flags(const SuiteFlags& flags,
             const std::function<const PlannedStep&(const SuiteFlag& flag,
                                                    const std::string& reference)>& resolve);
  void out();  // the flag with its own folder

  PlannedStep finish();

 private:
  void need(const PlannedStep& step);

  PlannedStep planned_;
  std::string decisive_;  // what identity is made of
};

}  // namespace textcrs
