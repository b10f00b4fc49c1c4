// The files of a recording: written so that a kill at any moment leaves them readable.
//
// Errors are kIo (kNotFound where the folder has gone) with the file as context. Safe from any
// thread, as long as no two write into one folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

// Makes `path` and what is missing above it; only its owner may look into what was made. Nothing
// happens where it is a folder already.
Status MakeFolder(const std::string& path);

// Whether files can be written into folder `path`: tries it with one that it takes away again.
Status TryToWrite(const std::string& path);

// The whole file at once, under a name of its own until it is complete.
Status WriteWholeFile(const std::string& file, std::string_view bytes);

// Adds whole lines to a file, made where it is not there. Where not all of it could be written (a
// full disk), nothing of it stays.
Status AppendLines(const std::string& file, std::string_view lines);

// The last whole lines of a file, at least `least_lines` of them where it has as many, and about
// 256 KiB; what a kill left of a line at the end is cut off the file. `all`: the file has no
// others.
struct FileTail {
  std::string lines;
  bool all = true;
};
Result<FileTail> MendAndReadTail(const std::string& file, std::size_t least_lines);

}  // namespace fss
