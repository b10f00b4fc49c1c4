// Column lists and join conditions, as descriptions in plans write them.
//
// Pure functions over that text; views point into their arguments. Safe from any thread. Names that
// hold a comma, brackets or spaces cannot be told from the text around them: such a list gives
// other items or none, never an error.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace fss {

// One column of "select=[user_id, MAX(amount) AS $f1]".
struct SelectItem {
  std::string_view expression;  // "MAX(amount)"; equal to `name` for a column that passes through
  std::string_view name;        // "$f1"
};

// The items of a list, split at commas outside of brackets. Empty where brackets do not close.
std::vector<SelectItem> SelectItems(std::string_view list);

// One "a = b" of a join's condition.
struct ColumnPair {
  std::string_view left;  // as written: a is not always the left input's column
  std::string_view right;
};

// The equalities of two columns among the parts of a condition that all must hold. Empty where the
// condition has none.
std::vector<ColumnPair> EqualColumns(std::string_view condition);

// "order_id" for "order_id0": Flink tells equal names of two inputs apart by a number.
std::string_view WithoutNumber(std::string_view column);

}  // namespace fss
