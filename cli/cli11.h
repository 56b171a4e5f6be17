// CLI11 is slow to compile: headers get by with its names.
#pragma once

namespace CLI {
class App;
}
