//===- Error.h - failure with a status and a text -------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_ERROR_H
#define MLAFUSE_RT_COMMON_ERROR_H

#include "mlafuse/runtime/mlafuse.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace mlafuse::rt {

/// Success, or a status with a sentence that says what was wrong. Converts to
/// true if there is an error. Success costs no allocation.
class [[nodiscard]] Error {
public:
  Error() = default;
  Error(mlafuse_status status, std::string text)
      : status(status), text(std::move(text)) {}

  explicit operator bool() const { return status != MLAFUSE_OK; }
  mlafuse_status getStatus() const { return status; }
  const std::string &getText() const { return text; }

  /// The same error, its text preceded by where it happened.
  Error in(std::string_view where) &&;

private:
  mlafuse_status status = MLAFUSE_OK;
  std::string text;
};

/// Joins the parts to one text.
std::string concat(std::initializer_list<std::string_view> parts);

/// The text in single quotes.
std::string quoted(std::string_view text);

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_ERROR_H
