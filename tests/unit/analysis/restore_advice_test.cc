#include "sidecar/analysis/restore_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace fss {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kHashMap = "HashMapStateBackend";
constexpr const char* kRocksDbBackend = "EmbeddedRocksDBStateBackend";
constexpr const char* kForSt = "ForStStateBackend";

TEST(RestoreAdviceTest, ReadsVersions) {
  EXPECT_EQ(ParseFlinkVersion("1.20.5"), (FlinkVersion{1, 20}));
  EXPECT_EQ(ParseFlinkVersion("2.3"), (FlinkVersion{2, 3}));
  EXPECT_EQ(ParseFlinkVersion("2.1-SNAPSHOT"), (FlinkVersion{2, 1}));
  for (const char* text : {"", "2", "two", "2.", ".3", "-1.2", "99999999999.1"}) {
    EXPECT_EQ(ParseFlinkVersion(text), std::nullopt) << text;
  }
  EXPECT_LT((FlinkVersion{1, 20}), (FlinkVersion{2, 0}));
}

TEST(RestoreAdviceTest, KnowsBackendsByTheirNames) {
  EXPECT_EQ(BackendFamilyOf(kHashMap), BackendFamily::kHashMap);
  EXPECT_EQ(BackendFamilyOf("hashmap"), BackendFamily::kHashMap);
  EXPECT_EQ(BackendFamilyOf(kRocksDbBackend), BackendFamily::kRocksDb);
  EXPECT_EQ(BackendFamilyOf("rocksdb"), BackendFamily::kRocksDb);
  EXPECT_EQ(BackendFamilyOf(kForSt), BackendFamily::kForSt);
  EXPECT_EQ(BackendFamilyOf(""), BackendFamily::kUnknown);
}

TEST(RestoreAdviceTest, WhatWasSeenOnRealClusters) {
  const auto outcome = [](const char* version, const char* backend) {
    return RestoreAfterSwitch(*ParseFlinkVersion(version), BackendFamilyOf(backend));
  };
  EXPECT_EQ(outcome("1.20.5", kRocksDbBackend), TtlRestore::kRefused);
  EXPECT_EQ(outcome("1.20.5", kHashMap), TtlRestore::kRefused);
  EXPECT_EQ(outcome("2.1.3", kRocksDbBackend), TtlRestore::kMigrates);
  EXPECT_EQ(outcome("2.1.3", kHashMap), TtlRestore::kRefused);
  EXPECT_EQ(outcome("2.2.1", kRocksDbBackend), TtlRestore::kMigrates);
  EXPECT_EQ(outcome("2.2.1", kHashMap), TtlRestore::kMigrates);
  EXPECT_EQ(outcome("2.3.0", kHashMap), TtlRestore::kMigrates);
  // Nobody tried these.
  EXPECT_EQ(outcome("2.0.1", kRocksDbBackend), TtlRestore::kUntried);
  EXPECT_EQ(outcome("2.3.0", kForSt), TtlRestore::kUntried);
  // The worse of what it can be.
  EXPECT_EQ(outcome("2.1.3", ""), TtlRestore::kRefused);
}

TEST(RestoreAdviceTest, APlanIsJudgedByTheWorseCase) {
  struct ExpectedRow {
    const char* version;
    bool rocksdb, hashmap, forst, unknown;
  };
  for (const ExpectedRow& row :
       std::vector<ExpectedRow>{{"1.18", true, true, true, true},
                                {"1.20", true, true, true, true},
                                {"2.0", true, true, true, true},  // nobody has tried it
                                {"2.1", false, true, true, true},
                                {"2.2", false, false, true, false},
                                {"2.3", false, false, true, false},
                                {"", true, true, true, true},
                                {"two", true, true, true, true}}) {
    EXPECT_EQ(SwitchIsRefused(row.version, "rocksdb"), row.rocksdb) << row.version;
    EXPECT_EQ(SwitchIsRefused(row.version, "hashmap"), row.hashmap) << row.version;
    EXPECT_EQ(SwitchIsRefused(row.version, "forst"), row.forst) << row.version;
    EXPECT_EQ(SwitchIsRefused(row.version, ""), row.unknown) << row.version;
  }
}

TEST(RestoreAdviceTest, SentencesSayWhichItIs) {
  EXPECT_THAT(SwitchSentence("1.20.5", kRocksDbBackend),
              AllOf(HasSubstr("Flink 1.20 refuses"), HasSubstr("on RocksDB"),
                    HasSubstr("without its old state")));
  EXPECT_THAT(SwitchSentence("1.18.1", ""), HasSubstr("(seen on 1.20)"));
  EXPECT_THAT(SwitchSentence("2.1.3", kHashMap),
              AllOf(HasSubstr("Flink 2.1 refuses"), HasSubstr("with RocksDB it migrates it")));
  EXPECT_THAT(SwitchSentence("2.1.3", kRocksDbBackend), HasSubstr("Flink 2.1 migrates"));
  EXPECT_THAT(SwitchSentence("2.1", ""),
              AllOf(HasSubstr("with RocksDB, Flink 2.1 migrates"), HasSubstr("refuses")));
  EXPECT_THAT(
      SwitchSentence("2.3.0", kHashMap),
      AllOf(HasSubstr("migrates"), HasSubstr("on the hashmap backend"), Not(HasSubstr("refuse"))));
  EXPECT_THAT(SwitchSentence("2.0.0", kRocksDbBackend), HasSubstr("was not tried on Flink 2.0"));
  EXPECT_THAT(SwitchSentence("2.3.0", kForSt), HasSubstr("was not tried on ForSt"));
  EXPECT_THAT(SwitchSentence("", ""),
              AllOf(HasSubstr("refused by Flink 1.20"), HasSubstr("2.2 and later migrate both")));
}

}  // namespace
}  // namespace fss
