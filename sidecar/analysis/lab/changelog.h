// What a changelog, as the SQL client prints one, amounts to.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

// The rows left at its end, in no order: +I and +U add a row, -U and -D take away one that has the
// same cells. They point into `result`. kMalformed where the changelog lacks rows: one is taken
// away that is not there (with its line), or fewer or more came than the client counted. Pure; safe
// from any thread.
Result<std::vector<const TableauRow*>> RowsLeft(const TableauResult& result);

// Where each of `names` stands among the columns: by name, letters of either case, or, where a name
// is missing and there are as many columns as names, in the order of `names`. kMalformed naming the
// missing one.
Result<std::vector<std::size_t>> FindColumns(const TableauResult& result,
                                             std::span<const std::string_view> names);

// The number in a cell; kMalformed with the row's line.
Result<Decimal> NumberIn(const TableauRow& row, std::size_t column);

}  // namespace fss
