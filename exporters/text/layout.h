// Laying out text in terminal columns: cutting, wrapping, aligning. Wide East Asian characters
// count two. Pure functions and values; safe from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fss {

// `text` on one line of at most `max_columns` columns, a cut shown by "…". No control character
// is left.
std::string FitColumns(std::string_view text, std::size_t max_columns);

// Appends `text` to `*out` as lines of at most `width` columns, broken at blanks; a word that is
// longer stands on a line of its own. The first line begins at column `column`, where `*out`
// already stands; the others are indented by `indent`. No line feed at the end.
void AppendWrapped(std::string_view text, std::size_t column, std::size_t indent, std::size_t width,
                   std::string* out);

// Appends the parts with two blanks between them, breaking before a part that would not fit;
// lines but the first are indented by `indent`. Ends with a line feed.
void AppendParts(const std::vector<std::string>& parts, std::size_t indent, std::size_t width,
                 std::string* out);

// Rows of cells below a header, aligned by the widest cell of each column.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);

  void AddRow(std::vector<std::string> cells);
  // A first cell, and text that runs over all other columns without widening them.
  void AddNote(std::string first, std::string text);

  // Every row as a line that begins with `indent` blanks and has none at its end. Columns that are
  // empty in every row are left out, and the header where all rows are notes.
  std::string Render(std::size_t indent) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool note = false;
  };
  // The columns to show and their widths; 0 is a column to leave out.
  std::vector<std::size_t> Widths() const;

  std::vector<Row> rows_;  // [0] is the header
};

}  // namespace fss
