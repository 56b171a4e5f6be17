#include "textcrs/kernels/isa.h"

#include <fmt/format.h>

#include <algorithm>

#include "textcrs/base/error.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace textcrs {
namespace {

constexpr std::pair<Isa, std::string_view> kNames[] = {{Isa::kPortable, "portable"},
                                                       {Isa::kAvx2, "avx2"},
                                                       {Isa::kAvx512, "avx512"},
                                                       {Isa::kAvx512Bf16, "avx512bf16"},
                                                       {Isa::kAmx, "amx"}};

bool knows(Isa isa, Precision precision) {
  return precision == Precision::kBf16 || isa < Isa::kAvx512Bf16;
}

#if defined(__x86_64__)
// Intel's dot products of bf16 take longer than the fp32 products they replace (25,600 passes per
// second against 41,900 measured); AMD's take half the time.
bool has_slow_dot_products() { return __builtin_cpu_is("intel"); }

// Linux hands out the tile registers to processes that ask (Documentation/arch/x86/xstate.rst).
bool tiles_granted() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

bool has_amx_bf16() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned kAmxBf16 = 1u << 22, kAmxTile = 1u << 24;
  return (d & kAmxBf16) != 0 && (d & kAmxTile) != 0 && tiles_granted();
}

std::vector<Isa> find_isas() {
  std::vector<Isa> found = {Isa::kPortable};
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return found;
  found.push_back(Isa::kAvx2);
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return found;
  found.push_back(Isa::kAvx512);
  if (!__builtin_cpu_supports("avx512bf16")) return found;
  found.push_back(Isa::kAvx512Bf16);
  if (has_amx_bf16()) found.push_back(Isa::kAmx);
  return found;
}
#else
bool has_slow_dot_products() { return false; }
std::vector<Isa> find_isas() { return {Isa::kPortable}; }
#endif

std::string names(const std::vector<Isa>& isas) {
  std::vector<std::string_view> list;
  for (const Isa isa : isas) list.push_back(to_string(isa));
  return fmt::format("{}", fmt::join(list, ", "));
}

}  // namespace

const std::vector<Isa>& available_isas() {
  static const std::vector<Isa> found = find_isas();
  return found;
}

Isa best_isa(Precision precision) {
  const std::vector<Isa>& isas = available_isas();
  return *std::find_if(isas.rbegin(), isas.rend(), [&](Isa isa) {
    return knows(isa, precision) && !(isa == Isa::kAvx512Bf16 && has_slow_dot_products());
  });
}

Isa parse_isa(std::string_view name, Precision precision) {
  if (name == "auto") return best_isa(precision);
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const auto& entry) { return entry.second == name; });
  const std::vector<Isa>& isas = available_isas();
  if (found == std::end(kNames))
    throw usage_error(fmt::format("isa is '{}', expected auto, {}", name, names(isas)));
  if (std::find(isas.begin(), isas.end(), found->first) == isas.end())
    throw usage_error(
        fmt::format("isa is {}, which this machine lacks; it has {}", name, names(isas)));
  if (!knows(found->first, precision))
    throw usage_error(fmt::format("isa is {}, which computes in bf16 only; the precision is {}",
                                  name, to_string(precision)));
  return found->first;
}

std::string_view to_string(Isa isa) {
  return std::find_if(std::begin(kNames), std::end(kNames),
                      [&](const auto& entry) { return entry.first == isa; })
      ->second;
}

Precision parse_precision(std::string_view name) {
  for (const Precision precision : {Precision::kFp32, Precision::kBf16})
    if (name == to_string(precision)) return precision;
  throw usage_error(fmt::format("precision is '{}', expected fp32 or bf16", name));
}

std::string_view to_string(Precision precision) {
  return precision == Precision::kFp32 ? "fp32" : "bf16";
}

}  // namespace textcrs
