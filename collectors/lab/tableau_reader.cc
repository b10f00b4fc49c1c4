#include "collectors/lab/tableau_reader.h"

#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "collectors/lab/malformed.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// No lab result has more than four.
constexpr std::size_t kMaxColumns = 32;
constexpr std::size_t kShownBytes = 200;
constexpr std::string_view kOpColumn = "op";
constexpr std::string_view kError = "[ERROR]";
// "Received a total of 360 rows"; "Query terminated, received a total of 12 rows".
constexpr std::string_view kFooter = "eceived a total of ";

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "+----+-----+" at the end of the line: the first border follows the prompt and the statement.
bool EndsWithBorder(std::string_view line) {
  const auto other = line.find_last_not_of("+-");
  std::string_view tail = other == std::string_view::npos ? line : line.substr(other + 1);
  const auto corner = tail.find('+');
  if (corner == std::string_view::npos) return false;
  tail.remove_prefix(corner);
  return tail.size() >= 3 && tail.ends_with('+') && tail[1] == '-';
}

// The trimmed cells of "| a | b |"; empty for what is no row.
std::vector<std::string> CellsOf(std::string_view line) {
  std::vector<std::string> cells;
  if (line.size() < 2 || !line.starts_with('|') || !line.ends_with('|')) return cells;
  line.remove_prefix(1);
  while (!line.empty() && cells.size() <= kMaxColumns) {
    const auto end = line.find('|');
    cells.emplace_back(Trim(line.substr(0, end)));
    line.remove_prefix(end + 1);
  }
  return cells;
}

std::optional<RowOp> OpOf(std::string_view text) {
  if (text == "+I") return RowOp::kInsert;
  if (text == "-U") return RowOp::kUpdateBefore;
  if (text == "+U") return RowOp::kUpdateAfter;
  if (text == "-D") return RowOp::kDelete;
  return std::nullopt;
}

// The number of "Received a total of 360 rows"; absent for other lines.
std::optional<std::int64_t> Announced(std::string_view line) {
  const auto footer = line.find(kFooter);
  if (footer == std::string_view::npos) return std::nullopt;
  line.remove_prefix(footer + kFooter.size());
  std::int64_t rows = 0;
  const auto parsed = std::from_chars(line.data(), line.data() + line.size(), rows);
  return parsed.ec == std::errc() ? std::optional(rows) : std::nullopt;
}

class Reader {
 public:
  // One line without its end. An error ends the reading.
  Status Take(std::string_view line) {
    ++line_;
    if (in_rows_) return TakeInResult(line);
    if (after_header_) {
      after_header_ = false;
      in_rows_ = EndsWithBorder(line);
      if (!in_rows_) return MalformedLab(line_, "a result whose header has no end");
      return OkStatus();
    }
    if (after_border_ && line.starts_with('|')) return TakeHeader(line);
    after_border_ = EndsWithBorder(line);
    if (after_border_) return OkStatus();
    if (results_ > 0 && !result_.announced) result_.announced = Announced(line);
    TakeError(line);
    return OkStatus();
  }

  Result<TableauResult> Finish() && {
    if (in_rows_ || after_header_) {
      return MalformedLab(
          "its result has no end: the query still ran when it was saved, or it is cut");
    }
    if (results_ == 1) return std::move(result_);
    if (results_ > 1) {
      return MalformedLab("it holds " + std::to_string(results_) +
                          " results: save those of one run");
    }
    if (!error_.empty()) return MalformedLab("no result in it, but an error: " + error_);
    if (other_tables_) {
      return MalformedLab(
          "its result has no op column: a batch run prints none, run it in streaming");
    }
    return MalformedLab("no result of the SQL client in it");
  }

 private:
  Status TakeHeader(std::string_view line) {
    after_border_ = false;
    std::vector<std::string> columns = CellsOf(line);
    if (columns.size() > kMaxColumns) return MalformedLab(line_, "too many columns");
    // SHOW TABLES and the like print tables too.
    if (columns.empty() || columns.front() != kOpColumn) {
      other_tables_ = true;
      return OkStatus();
    }
    columns.erase(columns.begin());
    ++results_;
    result_ = TableauResult{std::move(columns), {}, std::nullopt};
    after_header_ = true;
    return OkStatus();
  }

  Status TakeInResult(std::string_view line) {
    if (line.starts_with('|')) return TakeRow(line);
    if (line.starts_with('+') && EndsWithBorder(line)) {
      in_rows_ = false;
    } else if (const auto announced = Announced(line)) {  // ended by Ctrl-C: there is no border
      in_rows_ = false;
      result_.announced = announced;
    }
    // Else a message of the client's: its log shares the file where both were saved.
    TakeError(line);
    return OkStatus();
  }

  Status TakeRow(std::string_view line) {
    if (result_.rows.size() >= kMaxTableauRows) {
      return Error{ErrorCode::kTooLarge, "more than " + std::to_string(kMaxTableauRows) + " rows",
                   ""};
    }
    TableauRow row;
    row.line = line_;
    row.cells = CellsOf(line);
    if (row.cells.size() != result_.columns.size() + 1) {
      return MalformedLab(line_, "a row that does not fit the columns");
    }
    const auto op = OpOf(row.cells.front());
    if (!op) {
      return MalformedLab(line_, "'" + OneLine(row.cells.front(), 16) + "' is not an op of a row");
    }
    row.op = *op;
    row.cells.erase(row.cells.begin());
    result_.rows.push_back(std::move(row));
    return OkStatus();
  }

  // The first [ERROR] with the line after it, which says more.
  void TakeError(std::string_view line) {
    const auto error = line.find(kError);
    if (error_lines_ == 1) {
      error_ = OneLine(error_ + " " + std::string(line.substr(0, kShownBytes)), kShownBytes);
      ++error_lines_;
    } else if (error_lines_ == 0 && error != std::string_view::npos) {
      error_ = OneLine(Trim(line.substr(error + kError.size())), kShownBytes);
      ++error_lines_;
    }
  }

  int line_ = 0;
  int results_ = 0;
  bool after_border_ = false;
  bool after_header_ = false;
  bool in_rows_ = false;
  bool other_tables_ = false;
  int error_lines_ = 0;
  std::string error_;
  TableauResult result_;
};

// Without the colours of messages ("ESC [34;1m"), which also stand before a border.
std::string WithoutColours(std::string_view line) {
  std::string plain;
  while (!line.empty()) {
    const auto escape = line.find("\x1b[");
    plain.append(line.substr(0, escape));
    if (escape == std::string_view::npos) break;
    line.remove_prefix(escape + 2);
    const auto end = line.find_first_not_of("0123456789;");
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return plain;
}

}  // namespace

Result<TableauResult> ReadTableau(std::string_view text) {
  if (text.size() > kMaxTableauBytes) {
    return Error{ErrorCode::kTooLarge, "larger than " + std::to_string(kMaxTableauBytes) + " bytes",
                 ""};
  }
  Reader reader;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string line = WithoutColours(text.substr(0, end));
    while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
    const Status taken = reader.Take(line);
    if (!taken.ok()) return taken.error();
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return std::move(reader).Finish();
}

}  // namespace fss
