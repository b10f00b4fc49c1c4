#include "collectors/plan_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/as_nobody.h"

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string Plan(int id) {
  return R"({"flinkVersion":"2.3","nodes":[{"id":)" + std::to_string(id) +
         R"(,"type":"stream-exec-calc_1"}],"edges":[]})";
}

class PlanFolderTest : public testing::Test {
 protected:
  PlanFolderTest() {
    std::string pattern = (fs::temp_directory_path() / "plan_folder_test.XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~PlanFolderTest() override {
    std::error_code ignored;
    fs::permissions(root_, fs::perms::owner_all, ignored);
    fs::remove_all(root_, ignored);
  }

  void Write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary | std::ios::trunc) << bytes;
  }

  static std::vector<std::string> Files(const PlanLibrary& library) {
    std::vector<std::string> files;
    for (const CompiledPlan& plan : library.plans) files.push_back(plan.file);
    return files;
  }

  static std::vector<std::string> Broken(const PlanLibrary& library) {
    std::vector<std::string> lines;
    for (const UnreadablePlan& plan : library.unreadable) {
      lines.push_back(plan.file + ": " + plan.error);
    }
    return lines;
  }

  static std::shared_ptr<const PlanLibrary> Refreshed(PlanFolder* folder) {
    const auto library = folder->Refresh();
    EXPECT_TRUE(library.ok()) << (library.ok() ? "" : library.error().ToString());
    return library.ok() ? *library : folder->library();
  }

  fs::path root_;
};

TEST_F(PlanFolderTest, HoldsAnEmptyLibraryBeforeTheFirstLook) {
  const PlanFolder folder(root_.string());
  ASSERT_NE(folder.library(), nullptr);
  EXPECT_TRUE(folder.library()->plans.empty());
}

TEST_F(PlanFolderTest, ReadsPlansBelowByTheirRelativeNames) {
  Write("b.json", Plan(2));
  Write("a.json", Plan(1));
  Write("team/deep/c.json", Plan(3));
  Write("notes.txt", "no plan");
  Write(".hidden.json", "{");
  Write(".git/x.json", "{");
  Write("1/2/3/4/five/too-deep.json", Plan(5));
  PlanFolder folder((root_ / "").string());
  const auto library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("a.json", "b.json", "team/deep/c.json"));
  EXPECT_EQ(library->plans[1].nodes[0].id, 2);
  EXPECT_THAT(Broken(*library), ElementsAre());
}

TEST_F(PlanFolderTest, SharesTheLibraryUntilSomethingChanges) {
  Write("a.json", Plan(1));
  PlanFolder folder(root_.string());
  const auto first = Refreshed(&folder);
  EXPECT_EQ(Refreshed(&folder), first);
  Write("a.json", Plan(1));  // rewritten with the same bytes
  EXPECT_EQ(Refreshed(&folder), first);
  Write("b.json", Plan(2));
  const auto second = Refreshed(&folder);
  EXPECT_NE(second, first);
  EXPECT_THAT(Files(*second), ElementsAre("a.json", "b.json"));
  EXPECT_THAT(Files(*first), ElementsAre("a.json"));
  fs::remove(root_ / "a.json");
  EXPECT_THAT(Files(*Refreshed(&folder)), ElementsAre("b.json"));
}

TEST_F(PlanFolderTest, SeesAChangeOfEqualSizeAndTime) {
  Write("a.json", Plan(1));
  const auto time = fs::last_write_time(root_ / "a.json");
  PlanFolder folder(root_.string());
  EXPECT_EQ(Refreshed(&folder)->plans[0].nodes[0].id, 1);
  Write("a.json", Plan(7));
  fs::last_write_time(root_ / "a.json", time);
  EXPECT_EQ(Refreshed(&folder)->plans[0].nodes[0].id, 7);
}

TEST_F(PlanFolderTest, ReportsABrokenFileAndKeepsTheOthers) {
  Write("a.json", Plan(1));
  Write("b.json", R"({"nodes":[{"id":1}]})");
  PlanFolder folder(root_.string());
  auto library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("a.json"));
  EXPECT_THAT(Broken(*library), ElementsAre("b.json: node 1 (nodes[0], line 1) has no type"));
  Write("b.json", Plan(2));
  library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("a.json", "b.json"));
  EXPECT_TRUE(library->unreadable.empty());
  Write("a.json", Plan(1).substr(0, 30));
  library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("b.json"));
  EXPECT_THAT(Broken(*library), ElementsAre(HasSubstr("a.json: no JSON at byte 30 (line 1)")));
}

TEST_F(PlanFolderTest, ShowsEqualBytesOnceUnderTheFirstName) {
  Write("b.json", Plan(1));
  Write("c.json", Plan(1));
  PlanFolder folder(root_.string());
  EXPECT_THAT(Files(*Refreshed(&folder)), ElementsAre("b.json"));
  Write("a.json", Plan(1));
  EXPECT_THAT(Files(*Refreshed(&folder)), ElementsAre("a.json"));
  fs::remove(root_ / "a.json");
  fs::remove(root_ / "b.json");
  const auto library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("c.json"));
  EXPECT_EQ(library->plans[0].nodes[0].id, 1);
}

// What the kubelet does on a ConfigMap's update: a new folder, then "..data" is moved over to it.
TEST_F(PlanFolderTest, FollowsAConfigMapsSwap) {
  Write("..2026_01/a.json", Plan(1));
  Write("..2026_01/old.json", Plan(2));
  fs::create_directory_symlink("..2026_01", root_ / "..data");
  fs::create_symlink("..data/a.json", root_ / "a.json");
  fs::create_symlink("..data/old.json", root_ / "old.json");
  PlanFolder folder(root_.string());
  auto library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("a.json", "old.json"));
  EXPECT_EQ(library->plans[0].nodes[0].id, 1);

  Write("..2026_02/a.json", Plan(9));
  Write("..2026_02/new.json", Plan(3));
  fs::create_directory_symlink("..2026_02", root_ / "..data_tmp");
  fs::rename(root_ / "..data_tmp", root_ / "..data");
  fs::create_symlink("..data/new.json", root_ / "new.json");
  library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("a.json", "new.json"));
  EXPECT_EQ(library->plans[0].nodes[0].id, 9);
  EXPECT_THAT(Broken(*library), ElementsAre("old.json: No such file or directory"));
  fs::remove(root_ / "old.json");
  EXPECT_TRUE(Refreshed(&folder)->unreadable.empty());
}

TEST_F(PlanFolderTest, SurvivesLinksInACircle) {
  Write("sub/a.json", Plan(1));
  fs::create_directory_symlink("..", root_ / "sub" / "up");
  fs::create_directory_symlink("sub", root_ / "same");
  fs::create_symlink("loop.json", root_ / "loop.json");
  PlanFolder folder(root_.string());
  const auto library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("same/a.json"));  // the first name of the two
  EXPECT_THAT(Broken(*library), ElementsAre("loop.json: Too many levels of symbolic links"));
}

TEST_F(PlanFolderTest, NeverWaitsForPipesAndSockets) {
  Write("a.json", Plan(1));
  ASSERT_EQ(mkfifo((root_ / "pipe.json").c_str(), 0600), 0);
  const int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (root_ / "sock.json").string();
  ASSERT_LT(name.size(), sizeof(address.sun_path));
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(bind(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  PlanFolder folder(root_.string());
  const auto library = Refreshed(&folder);
  close(socket_fd);
  EXPECT_THAT(Files(*library), ElementsAre("a.json"));
  EXPECT_THAT(Broken(*library),
              ElementsAre("pipe.json: is no regular file", "sock.json: is no regular file"));
}

TEST_F(PlanFolderTest, LeavesOutHugeFiles) {
  Write("a.json", Plan(1));
  Write("huge.json", "");
  fs::resize_file(root_ / "huge.json", std::uintmax_t{1} << 40U);  // sparse: no disk is used
  Write("z.json", Plan(2));
  PlanFolder folder(root_.string());
  const auto library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("a.json", "z.json"));
  EXPECT_THAT(Broken(*library), ElementsAre("huge.json: larger than 67108864 bytes"));
}

TEST_F(PlanFolderTest, LimitsTheBytesOfAllPlans) {
  for (int i = 0; i < 6; ++i) {
    const std::string name = "p" + std::to_string(i) + ".json";
    Write(name, "");
    fs::resize_file(root_ / name, std::uintmax_t{63} << 20U);
  }
  // Not read: what is over the total, at the cost of a look.
  PlanFolder folder(root_.string());
  const auto library = Refreshed(&folder);
  ASSERT_EQ(library->unreadable.size(), 6U);
  EXPECT_THAT(library->unreadable[3].error, HasSubstr("not UTF-8 text"));
  EXPECT_THAT(library->unreadable[4].error, HasSubstr("left out: the plans together have more"));
}

TEST_F(PlanFolderTest, ReadsThousandsOfFilesUpToALimit) {
  for (int i = 0; i < 10'005; ++i) Write("p" + std::to_string(i) + ".json", Plan(i));
  PlanFolder folder(root_.string());
  const auto library = Refreshed(&folder);
  EXPECT_EQ(library->plans.size(), 10'000U);
  EXPECT_THAT(Broken(*library), ElementsAre(".: more than 10000 plans, the rest is left out"));
  EXPECT_EQ(Refreshed(&folder), library);
}

TEST_F(PlanFolderTest, MayBeOneFile) {
  Write("a.json", Plan(1));
  Write("plan.txt", Plan(2));
  PlanFolder folder((root_ / "plan.txt").string());
  const auto library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre((root_ / "plan.txt").string()));
  Write("plan.txt", Plan(3));
  EXPECT_EQ(Refreshed(&folder)->plans[0].nodes[0].id, 3);
}

TEST_F(PlanFolderTest, KeepsTheLastLibraryWhenTheFolderIsGone) {
  Write("plans/a.json", Plan(1));
  PlanFolder folder((root_ / "plans").string());
  const auto library = Refreshed(&folder);
  fs::rename(root_ / "plans", root_ / "elsewhere");
  const auto gone = folder.Refresh();
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(gone.error().ToString(), (root_ / "plans").string() + ": No such file or directory");
  EXPECT_EQ(folder.library(), library);
  fs::rename(root_ / "elsewhere", root_ / "plans");
  EXPECT_THAT(Files(*Refreshed(&folder)), ElementsAre("a.json"));
}

TEST_F(PlanFolderTest, RefusesWhatIsNeitherFolderNorFile) {
  ASSERT_EQ(mkfifo((root_ / "pipe").c_str(), 0600), 0);
  PlanFolder folder((root_ / "pipe").string());
  const auto library = folder.Refresh();
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().code, ErrorCode::kIo);
  EXPECT_THAT(library.error().message, HasSubstr("neither a folder nor a regular file"));
  PlanFolder none("");
  EXPECT_FALSE(none.Refresh().ok());
}

TEST_F(PlanFolderTest, ReportsWhatMayNotBeRead) {
  Write("a.json", Plan(1));
  Write("locked.json", Plan(2));
  Write("closed/c.json", Plan(3));
  fs::permissions(root_ / "locked.json", fs::perms::none);
  fs::permissions(root_ / "closed", fs::perms::none);
  fs::permissions(root_,
                  fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                      fs::perms::others_exec,
                  fs::perm_options::add);
  PlanFolder folder(root_.string());
  auto library = [&folder] {
    const AsNobody nobody;
    return Refreshed(&folder);
  }();
  EXPECT_THAT(Files(*library), ElementsAre("a.json"));
  EXPECT_THAT(Broken(*library),
              ElementsAre("closed: Permission denied", "locked.json: Permission denied"));
  fs::permissions(root_ / "locked.json", fs::perms::owner_all);
  fs::permissions(root_ / "closed", fs::perms::owner_all);
  library = Refreshed(&folder);
  EXPECT_THAT(Files(*library), ElementsAre("a.json", "closed/c.json", "locked.json"));
}

TEST_F(PlanFolderTest, ShowsOddNamesAsValidText) {
  Write("tab\n\xFF.json", Plan(1));
  PlanFolder folder(root_.string());
  EXPECT_THAT(Files(*Refreshed(&folder)), ElementsAre("tab\n\xEF\xBF\xBD.json"));
}

}  // namespace
}  // namespace fss
