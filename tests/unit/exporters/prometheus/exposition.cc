#include "exposition.h"

#include <gtest/gtest.h>

#include <cctype>
#include <optional>
#include <sstream>
#include <utility>

namespace fss {
namespace {

// The length of a name at the head of `text`; 0 where there is none.
std::size_t NameLength(std::string_view text, bool colons) {
  std::size_t length = 0;
  while (length < text.size()) {
    const auto c = static_cast<unsigned char>(text[length]);
    const bool letter = std::isalpha(c) != 0 || c == '_' || (colons && c == ':');
    if (!letter && (length == 0 || std::isdigit(c) == 0)) {
      break;
    }
    ++length;
  }
  return length;
}

// The length of a quoted label value at the head of `text`, quotes included; 0 for none.
std::size_t QuotedLength(std::string_view text) {
  if (!text.starts_with('"')) {
    return 0;
  }
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      return i + 1;
    }
    if (text[i] == '\\') {
      ++i;
      if (i == text.size() || std::string_view("\\\"n").find(text[i]) == std::string_view::npos) {
        return 0;
      }
    }
  }
  return 0;
}

// The length of "{…}" at the head of `text`; npos when it is broken.
std::size_t LabelsLength(std::string_view text) {
  std::size_t at = 1;
  while (!text.substr(at).starts_with('}')) {
    const std::size_t name = NameLength(text.substr(at), false);
    at += name;
    if (name == 0 || !text.substr(at).starts_with('=')) {
      return std::string_view::npos;
    }
    const std::size_t value = QuotedLength(text.substr(at + 1));
    at += 1 + value;
    if (value == 0 || at >= text.size()) {
      return std::string_view::npos;
    }
    at += text[at] == ',' ? 1 : 0;
  }
  return at + 1;
}

// "name{labels} value" taken apart: the series and its value. No timestamp: the scrape gives it.
std::optional<std::pair<std::string, double>> ReadSample(const std::string& line) {
  std::size_t end = NameLength(line, true);
  if (end > 0 && line[end] == '{') {
    const std::size_t labels = LabelsLength(std::string_view(line).substr(end));
    end = labels == std::string_view::npos ? 0 : end + labels;
  }
  if (end == 0 || line[end] != ' ') {
    return std::nullopt;
  }
  const std::string value = line.substr(end + 1);
  const bool number = value == "+Inf" ||
                      (!value.empty() && value.find_first_not_of("-+0123456789.e") == value.npos);
  if (!number) {
    return std::nullopt;
  }
  return std::pair(line.substr(0, end), std::stod(value));
}

std::string Unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      plain.push_back(text[i] == 'n' ? '\n' : text[i]);
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

void ReadComment(const std::string& line, Exposition* read) {
  std::istringstream words(line);
  std::string hash;
  std::string what;
  std::string name;
  std::string rest;
  words >> hash >> what >> name >> rest;
  EXPECT_FALSE(rest.empty()) << line;
  if (what == "HELP") {
    EXPECT_TRUE(read->helped.insert(name).second) << line;
  } else if (what == "TYPE") {
    EXPECT_TRUE(read->types.emplace(name, rest).second) << line;
  } else {
    ADD_FAILURE() << "not of the format: " << line;
  }
}

}  // namespace

std::size_t Exposition::CountPrefix(std::string_view prefix) const {
  std::size_t count = 0;
  for (const auto& [name, value] : series) {
    count += name.starts_with(prefix) ? 1 : 0;
  }
  return count;
}

std::set<std::string> Exposition::LabelValues(std::string_view name) const {
  const std::string start = std::string(name) + "=\"";
  std::set<std::string> values;
  for (const auto& [text, value] : series) {
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
      at += start.size();
      std::size_t end = at;
      while (text[end] != '"') {
        end += text[end] == '\\' ? 2 : 1;
      }
      values.insert(Unescape(std::string_view(text).substr(at, end - at)));
      at = end;
    }
  }
  return values;
}

Exposition ReadExposition(const std::string& page) {
  Exposition read;
  std::istringstream lines(page);
  EXPECT_TRUE(page.empty() || page.ends_with('\n'));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) {
      ReadComment(line, &read);
      continue;
    }
    const auto sample = ReadSample(line);
    if (!sample) {
      ADD_FAILURE() << "not of the format: " << line;
      continue;
    }
    EXPECT_TRUE(read.series.insert(*sample).second) << "twice: " << line;
  }
  return read;
}

}  // namespace fss
