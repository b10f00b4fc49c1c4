// What the descriptions in plans and job graphs say: attributes, tables, short names.
//
// Flink writes "Kind(attribute=[value], …)". Pure functions over that text; views point into their
// arguments. Safe from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/model/compiled_plan.h"

namespace fss {

// The text in the brackets of `name=[…]`, nested brackets kept: Attribute("Join(where=[a])",
// "where") is "a". Absent when the attribute is not there or its brackets do not close.
std::optional<std::string_view> Attribute(std::string_view description, std::string_view name);

// The last part of the table that a scan reads or a sink writes: "orders" for both
// "TableSourceScan(table=[[cat, db, orders]], …)" and "Sink(table=[cat.db.orders], …)". Empty where
// no table is named.
std::string_view TableOfDescription(std::string_view description);

// The table in an operator's name: "kv_sink" for "kv_sink: Writer", "orders" for "Source: orders".
// Empty where the name holds none.
std::string_view TableOfOperatorName(std::string_view name);

// "Join[19]", "kv_sink[26]", "Source: orders[9]": how Flink's web UI calls the node's operator.
std::string NodeLabel(const PlanNode& node);

// By what a node keeps its state: "user_id" out of groupBy, partitionBy, key and the like, the
// condition of a join; empty where the description does not show it.
std::string_view KeyOf(std::string_view description);

// More names than this are counted in a message, not written.
inline constexpr std::size_t kMaxNamed = 6;

// "a", "a and b", "a, b and c"; of more than `most` "a, b, c, d, e, f and 3 more".
std::string Listed(const std::vector<std::string>& names, std::size_t most = kMaxNamed);

// A name as it must stand in SQL: `orders`, or in back quotes where it is no plain identifier.
std::string SqlName(std::string_view name);

}  // namespace fss
