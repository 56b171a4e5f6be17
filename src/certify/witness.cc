#include "textcrs/certify/witness.h"

namespace textcrs {

std::vector<std::string> Witness::applied_to(const std::vector<std::string>& words) const {
  std::vector<std::string> edited;
  size_t removed = 0, added = 0;
  for (size_t place = 0; place < words.size(); ++place) {
    if (removed == lost.size() || lost[removed].first != place) {
      edited.push_back(words[place]);
      continue;
    }
    ++removed;
    if (added < gained.size()) edited.push_back(gained[added++]);
  }
  edited.insert(edited.end(), gained.begin() + static_cast<std::ptrdiff_t>(added), gained.end());
  return edited;
}

}  // namespace textcrs
