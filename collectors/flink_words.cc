// Words of Flink's own, as its descriptions write them. Taken from the operators' classes
// (StreamPhysical…, CommonPhysical…), the built-in functions and the test plans of Flink 1.18 to
// 2.3. A word that is missing here is taken for somebody's name: it is replaced, never shown.
#include "collectors/flink_words.h"

#include <algorithm>
#include <array>

namespace fss {
namespace {

// clang-format off
// What stands before a bracket: operators, functions, types with parameters.
constexpr std::array<std::string_view, 545> kCallable = {
    "ABS", "ACOS", "ACOSH", "AGGREGATE", "AGG_DECIMAL_MINUS", "AGG_DECIMAL_PLUS", "AND",
    "APPROX_COUNT_DISTINCT", "ARG_MAX", "ARG_MIN", "ARRAY", "ARRAY_AGG", "ARRAY_APPEND",
    "ARRAY_CONCAT", "ARRAY_CONTAINS", "ARRAY_DISTINCT", "ARRAY_EXCEPT", "ARRAY_INTERSECT",
    "ARRAY_JOIN", "ARRAY_LENGTH", "ARRAY_MAX", "ARRAY_MIN", "ARRAY_POSITION", "ARRAY_PREPEND",
    "ARRAY_REMOVE", "ARRAY_REVERSE", "ARRAY_SLICE", "ARRAY_SORT", "ARRAY_UNION", "ASCII", "ASIN",
    "ASINH", "ATAN", "ATAN2", "ATANH", "AUXILIARY_GROUP", "AVG", "AdaptiveJoin",
    "AppendFastStrategy", "AsyncCalc", "AsyncCorrelate", "BETWEEN", "BIN", "BINARY", "BITMAP_AND",
    "BITMAP_ANDNOT", "BITMAP_AND_AGG", "BITMAP_AND_CARDINALITY_AGG", "BITMAP_BUILD",
    "BITMAP_BUILD_AGG", "BITMAP_BUILD_CARDINALITY_AGG", "BITMAP_CARDINALITY", "BITMAP_FROM_BYTES",
    "BITMAP_OR", "BITMAP_OR_AGG", "BITMAP_OR_CARDINALITY_AGG", "BITMAP_TO_ARRAY",
    "BITMAP_TO_BYTES", "BITMAP_TO_STRING", "BITMAP_XOR", "BITMAP_XOR_AGG",
    "BITMAP_XOR_CARDINALITY_AGG", "BIT_GET", "BIT_LENGTH", "BOOL_AND", "BOOL_OR", "BTRIM", "BY",
    "BYTES", "BoundedStreamScan", "CARDINALITY", "CASE", "CAST", "CBRT", "CEIL", "CEIL_BIG_QUERY",
    "CHAR", "CHARACTER_LENGTH", "CHAR_LENGTH", "CHR", "CLASSIFIER", "COALESCE",
    "CODE_POINTS_TO_BYTES", "CODE_POINTS_TO_STRING", "COLLECT", "COMPRESS", "CONCAT", "CONCAT2",
    "CONCAT_WS", "CONTAINS_SUBSTR", "CONVERT", "CONVERT_TIMEZONE", "CONVERT_TZ", "COS", "COSH",
    "COT", "COTH", "COUNT", "CSC", "CSCH", "CUME_DIST", "CUMULATE", "CURRENT_CATALOG",
    "CURRENT_DATABASE", "CURRENT_DATE", "CURRENT_DATETIME", "CURRENT_PATH", "CURRENT_ROLE",
    "CURRENT_ROW_TIMESTAMP", "CURRENT_SCHEMA", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER",
    "CURRENT_WATERMARK", "Calc", "ChangelogNormalize", "ConstraintEnforcer", "Correlate", "DATE",
    "DATEADD", "DATEDIFF", "DATEPART", "DATETIME", "DATETIME_ADD", "DATETIME_DIFF", "DATETIME_SUB",
    "DATETIME_TRUNC", "DATE_DIFF", "DATE_FORMAT", "DATE_FROM_UNIX_DATE", "DATE_PART", "DATE_TRUNC",
    "DAYNAME", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "DECIMAL", "DECODE", "DEFAULT", "DEGREES",
    "DENSE_RANK", "DESCRIPTOR", "DIFFERENCE", "DISTINCT", "DIVIDE", "DataSteamToTable",
    "DataStreamScan", "DataStreamToTable", "Deduplicate", "DeltaJoin", "DropUpdateBefore",
    "DynamicFilteringDataCollector", "ELEMENT", "ELT", "ENCODE", "ENDSWITH", "ENDS_WITH", "ESCAPE",
    "EVERY", "EXCEPT", "EXISTS", "EXISTSNODE", "EXP", "EXTRACT", "EXTRACTVALUE", "Exchange",
    "ExecutionOrderEnforcer", "Expand", "FACTORIAL", "FINAL", "FIND_IN_SET", "FIRST",
    "FIRST_VALUE", "FLOOR", "FLOOR_BIG_QUERY", "FORMAT_DATE", "FORMAT_DATETIME", "FORMAT_NUMBER",
    "FORMAT_TIME", "FORMAT_TIMESTAMP", "FROM_BASE32", "FROM_BASE64", "FROM_CHANGELOG", "FROM_HEX",
    "FROM_UNIXTIME", "Final", "GETBIT", "GREATEST", "GROUPING", "GROUPING_ID", "GROUP_ID",
    "GlobalGroupAggregate", "GlobalWindowAggregate", "GroupAggregate", "GroupTableAggregate",
    "GroupWindowAggregate", "HASHCODE", "HASH_CODE", "HEX", "HIVE_AGG_DECIMAL_PLUS", "HOP",
    "HOP_PROCTIME", "HOP_ROWTIME", "HOUR", "HashAggregate", "HashJoin", "HashWindowAggregate",
    "IF", "IFNULL", "ILIKE", "IN", "INET_ATON", "INET_NTOA", "INITCAP", "INSTR",
    "INTERNAL_UNNEST_ROWS", "INTERSECT", "INTERVAL", "IS", "IS_ALPHA", "IS_DECIMAL", "IS_DIGIT",
    "IS_INF", "IS_JSON", "IS_NAN", "ITEM", "IncrementalGroupAggregate", "IntervalJoin",
    "JSON_ARRAY", "JSON_ARRAYAGG", "JSON_ARRAYAGG_ABSENT_ON_NULL", "JSON_ARRAYAGG_NULL_ON_NULL",
    "JSON_EXISTS", "JSON_INSERT", "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_OBJECTAGG_ABSENT_ON_NULL",
    "JSON_OBJECTAGG_NULL_ON_NULL", "JSON_QUERY", "JSON_QUOTE", "JSON_REPLACE", "JSON_SET",
    "JSON_STRING", "JSON_UNQUOTE", "JSON_VALUE", "Join", "LAG", "LAST", "LAST_DAY", "LAST_VALUE",
    "LEAD", "LEAST", "LEFT", "LENGTH", "LEVENSHTEIN", "LIKE", "LISTAGG", "LN", "LOCALTIME",
    "LOCALTIMESTAMP", "LOCATE", "LOG", "LOG10", "LOG2", "LOGICAL_AND", "LOGICAL_OR", "LOWER",
    "LPAD", "LTCNT", "LTRIM", "LegacySink", "LegacyTableSourceScan", "LengthEnforcer", "Limit",
    "LocalGroupAggregate", "LocalWindowAggregate", "LookupJoin", "MAP", "MAP_ENTRIES",
    "MAP_FROM_ARRAYS", "MAP_KEYS", "MAP_UNION", "MAP_VALUES", "MATCH_PROCTIME", "MAX", "MAX_BY",
    "MD5", "MIN", "MINUS", "MINUTE", "MIN_BY", "MLPredictTableFunction", "ML_PREDICT", "MOD",
    "MODE", "MODEL", "MONTH", "MONTHNAME", "MULTISET", "Match", "MiniBatchAssigner", "Model",
    "MultiJoin", "MultipleInput", "NEXT", "NOT", "NOW", "NTH_VALUE", "NTILE", "NULL", "NUMERIC",
    "NVL", "NestedLoopJoin", "NestedRowConstraintEnforcer", "NotNullEnforcer", "OBJECT_OF",
    "OBJECT_UPDATE", "OCTET_LENGTH", "OFFSET", "OR", "ORDINAL", "OVERLAY", "OneInputTableFunction",
    "OverAggregate", "PARSE_DATE", "PARSE_DATETIME", "PARSE_JSON", "PARSE_TIME", "PARSE_TIMESTAMP",
    "PARSE_URL", "PATTERN_EXCLUDE", "PATTERN_PERMUTE", "PATTERN_QUANTIFIER", "PERCENTILE",
    "PERCENTILE_CONT", "PERCENTILE_DISC", "PERCENT_RANK", "PI", "POSITION", "POW", "POWER", "PREV",
    "PRINT", "PRINTF", "PROCTIME", "PROCTIME_MATERIALIZE", "Partial", "ProcessTableFunction",
    "PythonAsyncCalc", "PythonCalc", "PythonCorrelate", "PythonGroupAggregate",
    "PythonGroupTableAggregate", "PythonGroupWindowAggregate", "PythonOverAggregate", "QUARTER",
    "RADIANS", "RAND", "RAND_INTEGER", "RANK", "RAW", "REGEXP", "REGEXP_CONTAINS", "REGEXP_COUNT",
    "REGEXP_EXTRACT", "REGEXP_EXTRACT_ALL", "REGEXP_INSTR", "REGEXP_REPLACE", "REGEXP_SUBSTR",
    "REINTERPRET_CAST", "REPEAT", "REPLACE", "REPLICATE_ROWS", "REVERSE", "RIGHT", "RLIKE",
    "ROUND", "ROW", "ROW_NUMBER", "RPAD", "RTRIM", "RUNNING", "Rank", "RecordType", "Reinterpret",
    "RetractStrategy", "RuntimeFilter", "SAFE_ADD", "SAFE_CAST", "SAFE_DIVIDE", "SAFE_MULTIPLY",
    "SAFE_NEGATE", "SAFE_OFFSET", "SAFE_ORDINAL", "SAFE_SUBTRACT", "SCALAR_QUERY", "SEARCH", "SEC",
    "SECH", "SECOND", "SESSION", "SESSION_PROCTIME", "SESSION_ROWTIME", "SESSION_USER", "SHA1",
    "SHA2", "SHA224", "SHA256", "SHA384", "SHA512", "SIGN", "SIMILAR", "SIN", "SINGLE_VALUE",
    "SINH", "SOME", "SOUNDEX", "SOURCE_WATERMARK", "SPACE", "SPLIT", "SPLIT_INDEX", "SQRT",
    "STARTSWITH", "STARTS_WITH", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "STRCMP",
    "STREAMRECORD_TIMESTAMP", "STRING", "STRING_SPLIT", "STRPOS", "STRUCT_ACCESS", "STR_TO_MAP",
    "SUBSTR", "SUBSTRING", "SUM", "SUM0", "SYSTEM_USER", "Sarg", "ScriptTransform",
    "SessionGroupWindow", "Sink", "SinkMaterializer", "SinkUpsertMaterializer",
    "SlidingGroupWindow", "Sort", "SortAggregate", "SortLimit", "SortMergeJoin",
    "SortWindowAggregate", "Source", "StreamRecordTimestampInserter", "TABLE", "TABLESAMPLE",
    "TAN", "TANH", "TIME", "TIMESTAMP", "TIMESTAMPADD", "TIMESTAMPDIFF", "TIMESTAMP_DIFF",
    "TIMESTAMP_LTZ", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS", "TIMESTAMP_SECONDS",
    "TIMESTAMP_TRUNC", "TIMESTAMP_WITH_LOCAL_TIME_ZONE", "TIMESTAMP_WITH_TIME_ZONE", "TIME_DIFF",
    "TIME_TRUNC", "TO_BASE32", "TO_BASE64", "TO_CHANGELOG", "TO_CHAR", "TO_CODE_POINTS", "TO_DATE",
    "TO_HEX", "TO_TIMESTAMP", "TO_TIMESTAMP_LTZ", "TRANSLATE", "TRANSLATE3", "TRIM", "TRUNC",
    "TRUNCATE", "TRY_CAST", "TRY_PARSE_JSON", "TUMBLE", "TUMBLE_PROCTIME", "TUMBLE_ROWTIME",
    "TYPEOF", "TableSourceScan", "TableToDataSteam", "TableToDataStream", "TemporalJoin",
    "TemporalSort", "TumblingGroupWindow", "UNHEX", "UNION", "UNIQUE", "UNIX_DATE", "UNIX_MICROS",
    "UNIX_MILLIS", "UNIX_SECONDS", "UNIX_TIMESTAMP", "UNNEST_ROWS", "UNNEST_ROWS_WITH_ORDINALITY",
    "UPPER", "URL_DECODE", "URL_ENCODE", "UUID", "Union", "UpdateFastStrategy", "VARBINARY",
    "VARCHAR", "VARIANCE", "VAR_POP", "VAR_SAMP", "VECTOR_SEARCH", "Values",
    "VectorSearchTableFunction", "WEEK", "WELFORD_M2", "WatermarkAssigner", "WindowAggregate",
    "WindowDeduplicate", "WindowJoin", "WindowRank", "WindowTableFunction", "XMLTRANSFORM", "YEAR",
    "__INITIAL_TEMPORAL_JOIN_CONDITION", "__TEMPORAL_JOIN_CONDITION",
    "__TEMPORAL_JOIN_CONDITION_PRIMARY_KEY", "__TEMPORAL_JOIN_LEFT_KEY",
    "__TEMPORAL_JOIN_RIGHT_KEY", "end", "hash", "keep_input_as_is", "proctime", "range", "rowtime",
    "slice_end", "start", "table"};

// What stands before "=".
constexpr std::array<std::string_view, 143> kAttributes = {
    "actualRowCount", "after", "aggregates", "all", "async", "auxGrouping", "bounded", "build",
    "changelogMode", "columnToQuery", "columnToSearch", "commonJoinKey", "condition", "config",
    "conflictStrategy", "correlate", "define", "distribution", "duplicateChanges", "emit",
    "estimatedFilterRatio", "estimatedRowCount", "fetch", "fields", "filter", "finalAggGrouping",
    "gap", "global", "groupBy", "hints", "indexOfCountStar", "input", "inputChangelogMode",
    "inputUniqueKeys", "interval", "invocation", "isBroadcast", "isMerge", "isRowTime",
    "joinCondition", "joinConditions", "joinType", "joinTypes", "keep", "key", "keys",
    "leftInputSpec", "leftLowerBound", "leftSorted", "leftTimeIndex", "leftToRight",
    "leftUpperBound", "leftWindow", "limit", "lookup", "lookupKeys", "lookupTable", "maxRowCount",
    "max_size", "measures", "metadata", "miniBatch", "mode", "noCommonJoinKey", "nonEqui",
    "nonEquiCondition", "offset", "order", "orderBy", "orderKey", "outputChangelogMode",
    "outputInsertOnly", "parallelism", "partialAggGrouping", "partialFinalType", "partitionBy",
    "partitionKeys", "partitions", "pattern", "pk", "postJoinFilter", "primaryKeys", "project",
    "projects", "properties", "rankEnd", "rankRange", "rankStart", "rankType", "read", "remaining",
    "retry", "rightInputSpec", "rightSorted", "rightTimeIndex", "rightToLeft", "rightWindow",
    "round", "rowType", "rowsPerMatch", "rowtime", "score", "select", "shuffle", "singleRowJoin",
    "size", "slice_end", "slide", "sort", "source", "sourceTables", "stateTtlHints", "step",
    "strategy", "subset", "subsets", "table", "targetColumns", "timeAttributeIndex", "time_col",
    "topK", "tryDistinctBuildRow", "tuples", "uid", "union", "uniqueKey", "upsertKey",
    "upsertMaterialize", "values", "version", "watermark", "watermarkEmitStrategy", "where",
    "winEnd", "winStart", "win_end", "win_start", "win_time", "window", "windowBounds",
    "window_end", "window_start", "within"};

// What stands anywhere: words that are reserved in SQL, types, and values of attributes that nobody
// calls a column.
constexpr std::array<std::string_view, 112> kWords = {
    "16LE", "AND", "ARRAY", "AS", "ASC", "ASC_NULLS_FIRST", "ASC_NULLS_LAST", "AppendFastStrategy",
    "BETWEEN", "BIGINT", "BINARY", "BITMAP", "BOOLEAN", "BY", "BYTES", "CASE", "CHAR", "CHARACTER",
    "CURRENT", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "DATE", "DECIMAL", "DESC",
    "DESC_NULLS_FIRST", "DESC_NULLS_LAST", "DISTINCT", "DOUBLE", "ELSE", "END", "ESCAPE", "FALSE",
    "FILTER", "FLOAT", "FOLLOWING", "FOR", "FROM", "FirstRow", "FullOuterJoin", "HasUniqueKey",
    "IN", "INT", "INTEGER", "INTERVAL", "IS", "InnerJoin", "JoinKeyContainsUniqueKey", "LIKE",
    "LOCAL", "LOCALTIME", "LOCALTIMESTAMP", "LOOKUP", "LastRow", "LeftAntiJoin", "LeftOuterJoin",
    "LeftSemiJoin", "MAP", "MULTISET", "NOT", "NULL", "NULLS", "NUMERIC", "NoUniqueKey", "OPTIONS",
    "OR", "ORDER", "PARTITION", "PRECEDING", "PRECISION", "PROCTIME", "ProcTime", "RANG", "RANGE",
    "RAW", "REAL", "ROW", "ROWS", "ROWTIME", "RetractStrategy", "RightOuterJoin", "RowTime", "SET",
    "SIMILAR", "SMALLINT", "STATE_TTL", "STRING", "THEN", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ",
    "TIMESTAMP_WITH_LOCAL_TIME_ZONE", "TIMESTAMP_WITH_TIME_ZONE", "TINYINT", "TO", "TRUE",
    "UNBOUNDED", "UNKNOWN", "UndefinedStrategy", "UpdateFastStrategy", "VARBINARY", "VARCHAR",
    "VARIANT", "WHEN", "WITH", "ZONE", "_UTF", "false", "noCommonJoinKey", "noUniqueKey", "null",
    "true"};

// The parts of a plan node's type.
constexpr std::array<std::string_view, 70> kTypeParts = {
    "adaptive", "aggregate", "assigner", "async", "batch", "before", "bounded", "calc",
    "changelog", "collector", "correlate", "data", "deduplicate", "delta", "drop", "dynamic",
    "enforcer", "exchange", "exec", "execution", "expand", "filter", "filtering", "function",
    "global", "group", "hash", "incremental", "input", "interval", "join", "legacy", "limit",
    "local", "lookup", "loop", "match", "materialize", "merge", "mini", "ml", "multi", "multiple",
    "nested", "normalize", "null", "order", "over", "predict", "process", "python", "rank",
    "runtime", "scan", "script", "search", "sink", "sort", "source", "stream", "table", "temporal",
    "transform", "union", "update", "upsert", "values", "vector", "watermark", "window"};

// Entries of plans and states of RocksDB.
constexpr std::array<std::string_view, 16> kStates = {
    "accState", "changelogNormalizeState", "deduplicate-state", "deduplicateState",
    "distinctAcc_0", "globalGroupAggregateState", "groupAggregateState",
    "incrementalGroupAggregateState", "left-records", "leftState", "lookupJoinState", "rankState",
    "right-records", "rightState", "sinkMaterializeState", "window-aggs"};
// clang-format on

static_assert(std::ranges::is_sorted(kCallable) && std::ranges::is_sorted(kAttributes) &&
              std::ranges::is_sorted(kWords) && std::ranges::is_sorted(kTypeParts) &&
              std::ranges::is_sorted(kStates));

template <std::size_t N>
bool Has(const std::array<std::string_view, N>& sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

// "input-state-0", "multi-join-input-2".
bool IsNumbered(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

}  // namespace

bool IsFlinkCallable(std::string_view word) {
  constexpr std::string_view kRetract = "_RETRACT";
  if (word.ends_with(kRetract)) word.remove_suffix(kRetract.size());
  return Has(kCallable, word);
}

bool IsFlinkAttribute(std::string_view word) { return Has(kAttributes, word); }
bool IsFlinkWord(std::string_view word) { return Has(kWords, word); }
bool IsFlinkTypePart(std::string_view word) { return Has(kTypeParts, word); }

bool IsFlinkState(std::string_view name) {
  return Has(kStates, name) || IsNumbered(name, "input-state-") ||
         IsNumbered(name, "multi-join-input-");
}

}  // namespace fss
