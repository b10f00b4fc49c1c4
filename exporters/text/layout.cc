#include "exporters/text/layout.h"

#include <algorithm>
#include <utility>

#include "sidecar/base/text.h"
#include "sidecar/base/unicode.h"

namespace fss {
namespace {

constexpr std::size_t kGap = 2;                // blanks between columns and parts
constexpr std::size_t kMaxCharacterBytes = 4;  // of UTF-8
constexpr std::string_view kEllipsis = "…";
// A sentence of a finding is a few hundred bytes; beyond this it is somebody's SQL text.
constexpr std::size_t kMaxParagraphBytes = 16UL * 1024;

void AppendPadded(std::string_view cell, std::size_t width, std::string* out) {
  out->append(cell);
  const std::size_t used = DisplayWidth(cell);
  out->append(used < width ? width - used : 0, ' ');
}

void TrimRight(std::string* text) { text->erase(text->find_last_not_of(' ') + 1); }

}  // namespace

std::string FitColumns(std::string_view text, std::size_t max_columns) {
  std::string line = OneLine(text, max_columns * kMaxCharacterBytes);
  if (DisplayWidth(line) <= max_columns) {
    return line;
  }
  std::size_t columns = 1;  // for the ellipsis
  std::size_t at = 0;
  while (at < line.size()) {
    const Utf8Character next = DecodeUtf8(std::string_view(line).substr(at));
    columns += CharacterWidth(next.code);
    if (columns > max_columns) {
      break;
    }
    at += next.length;
  }
  line.resize(at);
  return line.append(kEllipsis);
}

void AppendWrapped(std::string_view text, std::size_t column, std::size_t indent, std::size_t width,
                   std::string* out) {
  const std::string line = OneLine(text, kMaxParagraphBytes);
  std::string_view rest = line;
  bool line_is_empty = true;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word.empty()) {
      continue;
    }
    const std::size_t needed = DisplayWidth(word) + (line_is_empty ? 0 : 1);
    if (!line_is_empty && column + needed > width) {
      out->append(1, '\n').append(indent, ' ');
      column = indent;
    } else if (!line_is_empty) {
      out->push_back(' ');
      ++column;
    }
    out->append(word);
    column += DisplayWidth(word);
    line_is_empty = false;
  }
}

void AppendParts(const std::vector<std::string>& parts, std::size_t indent, std::size_t width,
                 std::string* out) {
  std::size_t column = 0;
  for (const std::string& part : parts) {
    const std::size_t needed = DisplayWidth(part);
    if (column > 0 && column + kGap + needed > width) {
      out->append(1, '\n').append(indent, ' ');
      column = indent;
    } else if (column > 0) {
      out->append(kGap, ' ');
      column += kGap;
    }
    out->append(part);
    column += needed;
  }
  out->push_back('\n');
}

TextTable::TextTable(std::vector<std::string> header) {
  rows_.push_back({std::move(header), false});
}

void TextTable::AddRow(std::vector<std::string> cells) {
  rows_.push_back({std::move(cells), false});
}

void TextTable::AddNote(std::string first, std::string text) {
  rows_.push_back({{std::move(first), std::move(text)}, true});
}

std::vector<std::size_t> TextTable::Widths() const {
  std::vector<std::size_t> widths;
  std::vector<bool> used;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    // A note's text has no column of its own.
    const std::size_t counted = row.note ? 1 : row.cells.size();
    widths.resize(std::max(widths.size(), counted));
    used.resize(widths.size());
    for (std::size_t i = 0; i < counted; ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row.cells[i]));
      used[i] = used[i] || (r > 0 && !row.cells[i].empty());
    }
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = used[i] ? widths[i] : 0;
  }
  return widths;
}

std::string TextTable::Render(std::size_t indent) const {
  const std::vector<std::size_t> widths = Widths();
  const bool notes_only =
      std::all_of(rows_.begin() + 1, rows_.end(), [](const Row& row) { return row.note; });
  std::string out;
  for (std::size_t r = notes_only ? 1 : 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (row.note && i > 0) {
        line.append(row.cells[i]);
      } else if (widths[i] > 0) {
        AppendPadded(row.cells[i], widths[i] + kGap, &line);
      }
    }
    TrimRight(&line);
    out.append(line).push_back('\n');
  }
  return out;
}

}  // namespace fss
