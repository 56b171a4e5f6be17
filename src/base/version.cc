#include "textcrs/base/version.h"

namespace textcrs {

std::string_view version() { return TEXTCRS_VERSION; }

std::string_view commit() { return TEXTCRS_COMMIT; }

}  // namespace textcrs
