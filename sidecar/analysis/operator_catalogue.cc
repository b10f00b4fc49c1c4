// The table of operator kinds. Its facts come from the @ExecNodeMetadata of Flink's exec nodes
// (1.18 to 2.3: kinds, transformations, state names), from the savepoints of Flink's own restore
// tests (which operators hold keyed state) and from its operators' clean-up code. How rows are
// found and made precise by a node: operator_lookup.cc.
#include "sidecar/analysis/operator_catalogue.h"

#include <algorithm>
#include <array>

namespace fss {
namespace {

// Lists of names within a row: kNames<"rank", "limit">.
template <std::size_t N>
struct Literal {
  char text[N];
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is what a row holds.
  consteval Literal(const char (&literal)[N]) { std::copy_n(literal, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
};
template <Literal... kTexts>
constexpr std::array<std::string_view, sizeof...(kTexts)> kNames = {kTexts.view()...};

// Texts that several rows share.
constexpr std::string_view kAggregateExpiry =
    "a group without a new row for that long is forgotten; when it returns, COUNT, SUM and the "
    "like start again from zero and replace the right result";
constexpr std::string_view kAggregateInstead =
    "If results per period will do, group by a window (TUMBLE, HOP, CUMULATE or SESSION over a "
    "column with a watermark): its state goes when the window has ended. Else give the GROUP BY a "
    "hint, and last the whole job a TTL.";
constexpr std::string_view kOverExpiry =
    "a partition without a new row for that long is forgotten; its running results start again "
    "from zero";
constexpr std::string_view kOverInstead =
    "Bound the OVER window in time (ORDER BY ts RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND "
    "CURRENT ROW): older rows then go by themselves. With UNBOUNDED PRECEDING or ROWS only "
    "table.exec.state.ttl removes partitions that are no longer used; it holds for every operator "
    "of the job. STATE_TTL hints do not reach this operator and the plan does not list its state.";
constexpr std::string_view kWindowInstead =
    "Nothing to shorten: the state goes when the watermark passes the end of the window. If it "
    "grows, look at the watermark: a silent source partition holds it back (set "
    "table.exec.source.idle-timeout), and so does a long delay in the WATERMARK clause.";
constexpr std::string_view kTopNExpiry =
    "rows without an update for that long leave the ranking although they still belong there, "
    "and rows that ranked below them take their places";
constexpr std::string_view kTopNInstead =
    "If the ranking is per period, make it a window Top-N (windowing table function, then "
    "ROW_NUMBER() OVER (PARTITION BY window_start, window_end, ... ORDER BY ...)): its state goes "
    "when the window has ended. Else set table.exec.state.ttl longer than a row may keep its rank "
    "without an update; it holds for every operator of the job. STATE_TTL hints do not reach this "
    "operator; its ttl in the compiled plan can be edited.";

constexpr Cleanup kBounded = Cleanup::kBounded;
constexpr Cleanup kConnector = Cleanup::kConnector;
constexpr Cleanup kStateless = Cleanup::kStateless;
constexpr Cleanup kTtl = Cleanup::kTtl;
constexpr Cleanup kUnknown = Cleanup::kUnknown;
constexpr Cleanup kWatermark = Cleanup::kWatermark;

// Columns: kind, operator name, clean-up, keyed, transformations, entries, takes hint, expiry,
// instead. Asynchronous kinds are "bounded": a checkpoint holds at most their buffer's capacity of
// rows in flight. Kinds that no plan can hold (legacy, batch only) are named as their operators.
// A row is a paragraph, so the formatter keeps out.
// clang-format off
constexpr OperatorKind kTable[] = {
    {"adaptive-join", "AdaptiveJoin", kStateless, false, kNames<"join">, {}, false, "", ""},
    {"async-calc", "AsyncCalc", kBounded, false, kNames<"async-calc">, {}, false, "", ""},
    {"async-correlate", "AsyncCorrelate", kBounded, false, kNames<"async-correlate">, {}, false, "",
     ""},
    {"bounded-stream-scan", "BoundedStreamScan", kConnector, false, kNames<"source">, {}, false, "",
     ""},
    {"calc", "Calc", kStateless, false, kNames<"calc">, {}, false, "", ""},
    {"changelog-normalize", "ChangelogNormalize", kTtl, true, kNames<"changelog-normalize">,
     kNames<"changelogNormalizeState">, false,
     "a key without a change for that long is forgotten; its next update is passed on as an "
     "insert and its deletion is dropped, so the result keeps a row that no longer exists",
     "It keeps the last row of every key of its source, to add the old values that the source "
     "does not send. Best have none: read full changes (a CDC format with the rows before and "
     "after; for a CDC source leave table.exec.source.cdc-events-duplicate at false). Else set "
     "table.exec.state.ttl longer than a key may go without a change; it holds for every operator"
     " of the job. STATE_TTL hints do not reach this operator; its ttl in the compiled plan can "
     "be edited."},
    {"correlate", "Correlate", kStateless, false, kNames<"correlate">, {}, false, "", ""},
    {"data-stream-scan", "DataStreamScan", kConnector, false, kNames<"source", "rowtime-inserter">,
     {}, false, "", ""},
    {"deduplicate", "Deduplicate", kTtl, true, kNames<"deduplicate">, kNames<"deduplicateState">,
     false,
     "a duplicate that comes later than that is taken for a first row and is passed on again",
     "If duplicates come close together, deduplicate within a window (windowing table function, "
     "then ROW_NUMBER() OVER (PARTITION BY window_start, window_end, key ORDER BY ts) = 1): its "
     "state goes when the window has ended. Else set table.exec.state.ttl longer than the longest"
     " time between a row and its duplicate; it holds for every operator of the job. STATE_TTL "
     "hints compile on a deduplication and change nothing; its ttl in the compiled plan can be "
     "edited.", 2000},
    {"delta-join", "DeltaJoin", kBounded, false, kNames<"delta-join">, {}, false, "", ""},
    {"drop-update-before", "DropUpdateBefore", kStateless, false, kNames<"drop-update-before">, {},
     false, "", ""},
    {"dynamic-filtering-data-collector", "DynamicFilteringDataCollector", kStateless, false, {}, {},
     false, "", ""},
    {"exchange", "Exchange", kStateless, false, kNames<"exchange">, {}, false, "", ""},
    {"execution-order-enforcer", "ExecutionOrderEnforcer", kStateless, false, {}, {}, false, "",
     ""},
    {"expand", "Expand", kStateless, false, kNames<"expand">, {}, false, "", ""},
    {"global-group-aggregate", "GlobalGroupAggregate", kTtl, true, kNames<"global-group-aggregate">,
     kNames<"globalGroupAggregateState">, true, kAggregateExpiry, kAggregateInstead, 512},
    {"global-window-aggregate", "GlobalWindowAggregate", kWatermark, true,
     kNames<"global-window-aggregate">, {}, false, "", kWindowInstead},
    {"group-aggregate", "GroupAggregate", kTtl, true, kNames<"group-aggregate">,
     kNames<"groupAggregateState">, true, kAggregateExpiry, kAggregateInstead, 512},
    {"group-table-aggregate", "GroupTableAggregate", kTtl, true, kNames<"group-table-aggregate">,
     {}, false, kAggregateExpiry,
     "Aggregate per window instead, where results per period will do. Else set "
     "table.exec.state.ttl; it holds for every operator of the job, and STATE_TTL hints do not "
     "reach this operator."},
    {"group-window-aggregate", "GroupWindowAggregate", kWatermark, true,
     kNames<"group-window-aggregate">, {}, false, "", kWindowInstead},
    {"hash-aggregate", "HashAggregate", kStateless, false, kNames<"hash-aggregate">, {}, false, "",
     ""},
    {"hash-join", "HashJoin", kStateless, false, kNames<"join">, {}, false, "", ""},
    {"hash-window-aggregate", "HashWindowAggregate", kStateless, false, {}, {}, false, "", ""},
    {"incremental-group-aggregate", "IncrementalGroupAggregate", kTtl, true,
     kNames<"incremental-group-aggregate">, kNames<"incrementalGroupAggregateState">, true,
     "values of a DISTINCT without a new row for that long are forgotten and are counted again "
     "when they return",
     kAggregateInstead},
    {"interval-join", "IntervalJoin", kWatermark, true,
     kNames<"interval-join", "filter-left", "filter-right", "pad-left", "pad-right">, {}, false, "",
     "Nothing to shorten but the interval itself: rows go when the watermark has passed it. If "
     "the state grows, look at the watermark of both inputs: the slower one decides, and a silent"
     " source partition holds it back (set table.exec.source.idle-timeout).", 6000},
    {"join", "Join", kTtl, true, kNames<"join">, kNames<"leftState", "rightState">, true,
     "an inner join silently loses a match that comes later than that, and an outer join leaves "
     "NULL where a match was",
     "First bound it in time: an interval join (... AND p.ts BETWEEN o.ts AND o.ts + INTERVAL '4'"
     " HOUR, both columns with watermarks) or a window join; where one side is reference data, a "
     "temporal join (FOR SYSTEM_TIME AS OF o.ts) or a lookup join (FOR SYSTEM_TIME AS OF "
     "o.proctime). Else hint each input, and last give the whole job a TTL."},
    {"legacy-sink", "LegacySink", kConnector, false, kNames<"sink">, {}, false, "", ""},
    {"legacy-table-source-scan", "LegacyTableSourceScan", kConnector, false, kNames<"source">, {},
     false, "", ""},
    {"limit", "Limit", kTtl, true, kNames<"rank", "limit">, kNames<"rankState">, false,
     "rows that came longer ago than that no longer count, and others are let through in their "
     "place",
     "It keeps no more than the rows of its LIMIT; a TTL changes the result and is not needed for"
     " the size. For the first rows by time, ORDER BY a column with a watermark."},
    {"local-group-aggregate", "LocalGroupAggregate", kStateless, false,
     kNames<"local-group-aggregate">, {}, false, "", ""},
    // Its buffer is emptied before each checkpoint.
    {"local-window-aggregate", "LocalWindowAggregate", kWatermark, false,
     kNames<"local-window-aggregate">, {}, false, "", ""},
    // Without upsert materialisation it keeps nothing: see CleanupOf.
    {"lookup-join", "LookupJoin", kTtl, true,
     kNames<"lookup-join-materialize", "lookup-join", "lookup-join-key-ordered", "partitioner",
            "custom-shuffle">,
     kNames<"lookupJoinState">, false,
     "a row that is updated or deleted later than that can no longer be taken back, because what "
     "the lookup gave then is forgotten; the old result stays",
     "The state is there because its input has updates. Look up before the aggregation or the "
     "deduplication that makes them: over an append-only input none is kept. Else set "
     "table.exec.state.ttl longer than a row may still change; it holds for every operator of the "
     "job. STATE_TTL hints do not reach this operator; its ttl in the compiled plan can be "
     "edited."},
    {"match", "Match", kWatermark, true, kNames<"match", "timestamp-inserter">, {}, false, "",
     "Bound the pattern in time: MATCH_RECOGNIZE (... PATTERN (A B+ C) WITHIN INTERVAL '1' HOUR)."
     " Without WITHIN, matches that have begun are kept until they end, perhaps for ever, and no "
     "TTL applies: neither table.exec.state.ttl nor STATE_TTL reaches this operator. Greedy "
     "quantifiers without an end (A+, A*) as the first part make it worse.", 6000},
    {"mini-batch-assigner", "MiniBatchAssigner", kStateless, false, kNames<"mini-batch-assigner">,
     {}, false, "", ""},
    {"ml-predict-table-function", "MLPredictTableFunction", kBounded, false,
     kNames<"ml-predict-table-function">, {}, false, "", ""},
    {"multi-join", "MultiJoin", kTtl, true, kNames<"multi-join">, kNames<"input-state-">, true,
     "an inner join silently loses a match that comes later than that, and an outer join leaves "
     "NULL where a match was",
     "First bound it in time: interval or window joins for the inputs that carry watermarks, "
     "temporal or lookup joins for reference data. Else hint each input by its name: here every "
     "input has an entry of its own. Last, give the whole job a TTL."},
    {"multiple-input", "MultipleInput", kUnknown, false, {}, {}, false, "", ""},
    {"nested-loop-join", "NestedLoopJoin", kStateless, false, kNames<"nested-loop-join">, {}, false,
     "", ""},
    // RANGE over an interval is cleaned by time instead: see CleanupOf.
    {"over-aggregate", "OverAggregate", kTtl, true, kNames<"over-aggregate", "over">, {}, false,
     kOverExpiry, kOverInstead, 6000},
    // Each state of the function has the TTL of its @StateHint, else table.exec.state.ttl.
    {"process-table-function", "ProcessTableFunction", kTtl, true, kNames<"process">, {}, false,
     "the function finds its state empty for a key that was not written to for that long",
     "Ask the function's author: the plan does not list its state. Each state takes the ttl of "
     "its @StateHint, else table.exec.state.ttl, which holds for every operator of the job. Let "
     "the function clear what it no longer needs (Context.clearState, timers)."},
    {"python-async-calc", "PythonAsyncCalc", kBounded, false, kNames<"python-async-calc">, {},
     false, "", ""},
    {"python-calc", "PythonCalc", kStateless, false, kNames<"python-calc">, {}, false, "", ""},
    {"python-correlate", "PythonCorrelate", kStateless, false, kNames<"python-correlate">, {},
     false, "", ""},
    {"python-group-aggregate", "PythonGroupAggregate", kTtl, true, kNames<"python-group-aggregate">,
     {}, false, kAggregateExpiry,
     "If results per period will do, group by a window: its state goes when the window has ended."
     " Else set table.exec.state.ttl; it holds for every operator of the job. STATE_TTL hints do "
     "not reach this operator and the plan does not list its state."},
    {"python-group-table-aggregate", "PythonGroupTableAggregate", kTtl, true, {}, {}, false,
     kAggregateExpiry,
     "Aggregate per window instead, where results per period will do. Else set "
     "table.exec.state.ttl; it holds for every operator of the job, and STATE_TTL hints do not "
     "reach this operator."},
    {"python-group-window-aggregate", "PythonGroupWindowAggregate", kWatermark, true,
     kNames<"python-group-window-aggregate">, {}, false, "", kWindowInstead},
    {"python-over-aggregate", "PythonOverAggregate", kTtl, true,
     kNames<"python-over-aggregate", "over">, {}, false, kOverExpiry, kOverInstead, 6000},
    {"rank", "Rank", kTtl, true, kNames<"rank">, kNames<"rankState">, false, kTopNExpiry,
     kTopNInstead},
    {"runtime-filter", "RuntimeFilter", kStateless, false, {}, {}, false, "", ""},
    {"script-transform", "ScriptTransform", kStateless, false, {}, {}, false, "", ""},
    // With upsert materialisation it keeps keyed state by TTL: see CleanupOf.
    {"sink", "Sink", kConnector, false,
     kNames<"upsert-materialize", "sink", "constraint-validator", "partitioner",
            "timestamp-inserter", "watermark-timestamp-assigner", "writer", "committer",
            "streaming-writer", "partition-committer", "discarding-sink">,
     kNames<"sinkMaterializeState">, false,
     "the sink forgets the order of a key's changes; when one is taken back later than that, the "
     "table keeps a wrong row or loses the right one",
     "Best need none: let the query's unique key be the sink's primary key, so that changes of "
     "one key stay in order; then Flink adds no materializer "
     "(table.exec.sink.upsert-materialize=NONE forces that: only where order cannot matter). Else"
     " set table.exec.state.ttl longer than a key may go without a change; it holds for every "
     "operator of the job. STATE_TTL hints do not reach this operator; its ttl in the compiled "
     "plan can be edited."},
    {"sort", "Sort", kBounded, true, kNames<"sort">, {}, false, "",
     "It keeps all of its input until the input ends: only for finite inputs. On a stream, ORDER "
     "BY a column with a watermark first, or add a LIMIT, which makes it a Top-N."},
    {"sort-aggregate", "SortAggregate", kStateless, false, kNames<"sort-aggregate">, {}, false, "",
     ""},
    {"sort-limit", "SortLimit", kTtl, true, kNames<"rank", "sort-limit">, kNames<"rankState">,
     false, kTopNExpiry, kTopNInstead},
    {"sort-merge-join", "SortMergeJoin", kStateless, false, kNames<"join">, {}, false, "", ""},
    {"sort-window-aggregate", "SortWindowAggregate", kStateless, false, {}, {}, false, "", ""},
    {"table-source-scan", "TableSourceScan", kConnector, false,
     kNames<"source", "rowtime-inserter">, {}, false, "", ""},
    {"temporal-join", "TemporalJoin", kWatermark, true, kNames<"temporal-join">, {}, false,
     "all versions of a key that neither input has touched for that long are dropped, and a later"
     " row of that key finds no version",
     "Rows wait only for the watermark, and old versions go with it; of each key the latest "
     "version stays until table.exec.state.ttl. If the state grows, look at the watermark of both"
     " inputs: the slower one decides. A lookup join (FOR SYSTEM_TIME AS OF o.proctime) keeps no "
     "versions.", 6000},
    {"temporal-sort", "TemporalSort", kWatermark, true, kNames<"temporal-sort">, {}, false, "",
     "Nothing to shorten: rows wait until the watermark has passed them. If the state grows, look"
     " at the watermark: a silent source partition holds it back (set "
     "table.exec.source.idle-timeout).", 2000},
    {"union", "Union", kStateless, false, {}, {}, false, "", ""},
    // No plan node: the operator that a sink with upsert materialisation adds.
    {"upsert-materialize", "SinkMaterializer", kTtl, true, kNames<"upsert-materialize">,
     kNames<"sinkMaterializeState">, false,
     "the sink forgets the order of a key's changes; when one is taken back later than that, the "
     "table keeps a wrong row or loses the right one",
     "Let the query's unique key be the sink's primary key: then Flink adds no materializer. Else"
     " set table.exec.state.ttl longer than a key may go without a change; it holds for every "
     "operator of the job."},
    {"values", "Values", kStateless, false, kNames<"values">, {}, false, "", ""},
    {"vector-search-table-function", "VectorSearchTableFunction", kBounded, false,
     kNames<"vector-search-table-function">, {}, false, "", ""},
    {"watermark-assigner", "WatermarkAssigner", kStateless, false, kNames<"watermark-assigner">, {},
     false, "", ""},
    {"window-aggregate", "WindowAggregate", kWatermark, true, kNames<"window-aggregate">, {}, false,
     "", kWindowInstead},
    {"window-deduplicate", "WindowDeduplicate", kWatermark, true, kNames<"window-deduplicate">, {},
     false, "", kWindowInstead},
    {"window-join", "WindowJoin", kWatermark, true, kNames<"window-join">, {}, false, "",
     kWindowInstead},
    {"window-rank", "WindowRank", kWatermark, true, kNames<"window-rank">, {}, false, "",
     kWindowInstead},
    // Keeps rows for SESSION alone: see KeepsKeyedState.
    {"window-table-function", "WindowTableFunction", kWatermark, false, kNames<"window">, {}, false,
     "", kWindowInstead},
};
// clang-format on

static_assert(std::ranges::is_sorted(kTable, {}, &OperatorKind::kind));

}  // namespace

std::span<const OperatorKind> AllOperatorKinds() { return kTable; }

}  // namespace fss
