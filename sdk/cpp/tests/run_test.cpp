// `run` against a real server on a socket: how a program joins, and how it ends.

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "fakes.hpp"
#include "millearena/v1/match_service.grpc.pb.h"

namespace arena {
namespace {

using Stream = grpc::ServerReaderWriter<pb::PlayResponse, pb::PlayRequest>;

class Referee : public pb::MatchService::Service {
 public:
  using Script = std::function<grpc::Status(Stream&)>;

  explicit Referee(Script script) : script_(std::move(script)) {
    std::string pattern = ::testing::TempDir() + "arena-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    address_ = "unix:" + folder_ + "/0.sock";
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address_, grpc::InsecureServerCredentials());
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    setenv("ARENA_ADDRESS", address_.c_str(), 1);
  }
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;
  ~Referee() override {
    server_->Shutdown(std::chrono::system_clock::now());
    unsetenv("ARENA_ADDRESS");
    std::filesystem::remove_all(folder_);
  }

  grpc::Status Play(grpc::ServerContext* context, Stream* stream) override {
    for (const auto& [key, value] : context->client_metadata()) {
      if (key == "arena-token") token = std::string(value.data(), value.size());
    }
    stream->Read(&join);
    return script_(*stream);
  }

  pb::PlayRequest join;
  std::string token;

 private:
  Script script_;
  std::string folder_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

// What `run` returns, and what it writes.
std::pair<int, std::string> ran(Bot& bot) {
  ::testing::internal::CaptureStderr();
  const int code = run(bot);
  return {code, ::testing::internal::GetCapturedStderr()};
}

using Ended = std::pair<int, std::string>;

TEST(Run, PlaysToTheEnd) {
  pb::PlayRequest answer;
  Referee referee([&](Stream& stream) {
    stream.Write(testing::welcome());
    stream.Write(testing::real_prompt("a"));
    stream.Read(&answer);
    stream.Write(testing::match_over());
    return grpc::Status::OK;
  });
  setenv("ARENA_TOKEN", "secret", 1);
  testing::Diary bot;
  bot.version = "0.3";
  EXPECT_EQ(ran(bot), Ended(0, ""));
  unsetenv("ARENA_TOKEN");
  EXPECT_EQ(referee.join.join().protocol_version(), 1);
  EXPECT_EQ(referee.join.join().bot_name(), "Diary");
  EXPECT_EQ(referee.join.join().bot_version(), "0.3");
  EXPECT_EQ(referee.join.join().sdk(), "arena_sdk-cpp 0.1.0");
  EXPECT_EQ(referee.token, "secret");
  EXPECT_EQ(answer.answer().prompt_id(), "a");
}

TEST(Run, SaysWhyItWasRefused) {
  Referee referee([](Stream&) {
    return grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, "version 1 is not spoken here");
  });
  testing::Diary bot;
  EXPECT_EQ(ran(bot), Ended(1, "arena_sdk: FAILED_PRECONDITION: version 1 is not spoken here\n"));
}

TEST(Run, SaysThatTheStreamEndedEarly) {
  Referee referee([](Stream& stream) {
    stream.Write(testing::welcome());
    return grpc::Status::OK;
  });
  testing::Diary bot;
  EXPECT_EQ(ran(bot),
            Ended(1, "arena_sdk: the referee ended the stream before the match was over\n"));
}

TEST(Run, EndsAStrictBotAtOnce) {
  Referee referee([](Stream& stream) {
    stream.Write(testing::real_prompt("a"));
    pb::PlayRequest answer;
    stream.Read(&answer);  // ends when the bot has gone
    return grpc::Status::OK;
  });
  setenv("ARENA_STRICT", "1", 1);
  testing::Diary bot;
  bot.thinks = [](const Prompt&) -> Action { throw std::runtime_error("oh"); };
  EXPECT_EQ(ran(bot),
            Ended(1,
                  "choose raised std::runtime_error: oh\n"
                  "arena_sdk: choose raised 1 time (last: std::runtime_error: oh); default actions "
                  "were played\n"
                  "arena_sdk: strict play ends here: choose raised std::runtime_error: oh\n"));
  unsetenv("ARENA_STRICT");
}

TEST(Run, SaysWhatIsWrongWithTheEnvironment) {
  testing::Diary bot;
  unsetenv("ARENA_ADDRESS");
  EXPECT_EQ(ran(bot),
            Ended(1, "arena_sdk: ARENA_ADDRESS is not set; start the bot with `arena match`\n"));
  for (const std::string bad : {"unix:", "localhost", ":1", "host:", "host:123456", "host:1x"}) {
    setenv("ARENA_ADDRESS", bad.c_str(), 1);
    EXPECT_EQ(ran(bot),
              Ended(1, "arena_sdk: ARENA_ADDRESS '" + bad + "': must be unix:PATH or HOST:PORT\n"));
  }
  setenv("ARENA_ADDRESS", "127.0.0.1:1", 1);
  setenv("ARENA_TOKEN", "se\ncret", 1);
  EXPECT_EQ(ran(bot), Ended(1, "arena_sdk: ARENA_TOKEN: must be printable ASCII\n"));
  unsetenv("ARENA_TOKEN");
  unsetenv("ARENA_ADDRESS");
}

}  // namespace
}  // namespace arena
