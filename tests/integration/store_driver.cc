// Opens addresses of checkpoints as `serve` does: the store of --checkpoint_root, with the AWS
// variables of the environment. For test_object_store.py.
//
//   store_driver ROOTS TIMEOUT_MS [ENDPOINT [REGION [ADDRESSING]]]
//
// A command a line on stdin, its words between tabs:
//   open MAX_BYTES ADDRESS    prints "ok<tab>SIZE<tab>BYTES READ<tab>FNV-1a of them<tab>MILLIS", or
//                             "error<tab>CODE<tab>the error's line<tab>MILLIS"
//   sleep MS
//   cancel MS                 cancels in so many milliseconds, from another thread
// A store that cannot be made: "bad<tab>the error's line", exit code 2.
#include <array>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "collectors/store/checkpoint_stores.h"

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Outcome {
  std::uint64_t size = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0xcbf29ce484222325;
};

fss::Result<Outcome> ReadAll(fss::CheckpointStore& store, const std::string& address,
                             std::uint64_t max_bytes) {
  auto source = store.Open(address, max_bytes);
  if (!source.ok()) return source.error();
  Outcome outcome;
  outcome.size = (*source)->size();
  std::array<char, 40'000> buffer{};
  for (;;) {
    const auto got = (*source)->Read(buffer);
    if (!got.ok()) return got.error();
    if (*got == 0) return outcome;
    outcome.bytes += *got;
    for (std::size_t i = 0; i < *got; ++i) {
      outcome.hash = (outcome.hash ^ static_cast<unsigned char>(buffer[i])) * 0x100000001b3;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) return 2;
  fss::CheckpointStoreOptions options;
  options.roots = words[0];
  options.request_timeout = milliseconds(std::stoi(words[1]));
  if (words.size() > 2) options.s3_endpoint = words[2];
  if (words.size() > 3) options.s3_region = words[3];
  if (words.size() > 4) options.s3_addressing = words[4];
  const auto store = fss::NewCheckpointStore(options, fss::SystemClock());
  if (!store.ok()) {
    std::cout << "bad\t" << store.error().ToString() << std::endl;
    return 2;
  }
  std::vector<std::thread> cancels;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream stream(line);
    std::string command;
    std::uint64_t number = 0;
    std::getline(stream, command, '\t');
    stream >> number;
    const milliseconds pause(number);
    if (command == "sleep") std::this_thread::sleep_for(pause);
    if (command == "cancel") {
      cancels.emplace_back([&store, pause] {
        std::this_thread::sleep_for(pause);
        (*store)->Cancel();
      });
    }
    if (command != "open") continue;
    std::string address;
    stream.get();
    std::getline(stream, address);
    const auto begin = steady_clock::now();
    const auto outcome = ReadAll(**store, address, number);
    const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin).count();
    if (outcome.ok()) {
      std::cout << "ok\t" << outcome->size << '\t' << outcome->bytes << '\t' << outcome->hash;
    } else {
      std::cout << "error\t" << fss::ErrorCodeName(outcome.error().code) << '\t'
                << outcome.error().ToString();
    }
    std::cout << '\t' << took << std::endl;
  }
  for (std::thread& thread : cancels) thread.join();
  return 0;
}
