// The table of options by name.
#include "base/options.hpp"

#include <stdexcept>
#include <type_traits>

namespace laconic {

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table{
#define OPTION(type, name, value, low, high, help) {#name, value, low, high, std::is_integral_v<type>, help},
      LACONIC_OPTIONS(OPTION)
#undef OPTION
  };
  return table;
}

namespace {

template <class T>
void set(T& option, double value, double low, double high, const std::string& name) {
  const bool is_whole = !std::is_integral_v<T> || value == static_cast<double>(static_cast<std::int64_t>(value));
  if (!(value >= low && value <= high) || !is_whole) throw std::invalid_argument("option out of range: " + name);
  option = static_cast<T>(value);
}

}  // namespace

SharedOptions options_with(const OptionValues& values) {
  if (values.empty()) return default_options();
  Options options;
  for (const auto& [wanted, number] : values) {
    bool found = false;
#define OPTION(type, name, value, low, high, help) \
  if (wanted == #name) set(options.name, number, low, high, wanted), found = true;
    LACONIC_OPTIONS(OPTION)
#undef OPTION
    if (!found) throw std::invalid_argument("unknown option: " + wanted);
  }
  return std::make_shared<const Options>(options);
}

}  // namespace laconic
