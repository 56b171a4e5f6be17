// Mapped files that shrink while they are read.
#pragma once

namespace textcrs::cli {

// The library maps large files (word vectors, their caches, WordNet). Where another process cuts
// one, the kernel answers the next read with SIGBUS: this ends the program with one line that names
// the file, and the exit code of bad input. Any other SIGBUS ends it as if nothing were installed.
void install_bus_error_handler();

}  // namespace textcrs::cli
