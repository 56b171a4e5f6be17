#pragma once

namespace textcrs {

// Starts a kernel that fails, and waits for it.
void break_the_card();

}  // namespace textcrs
