#include "stream.hpp"

#include <grpcpp/grpcpp.h>

#include <thread>

#include "conversation.hpp"
#include "millearena/v1/match_service.grpc.pb.h"

namespace arena {

namespace {

constexpr std::chrono::milliseconds PIECE{500};
constexpr int PIECES = 60;  // until a referee that cannot be reached is given up

std::shared_ptr<grpc::Channel> channel_to(const std::string& address) {
  grpc::ChannelArguments options;
  // A made-up name: a socket's path is none, and some servers look at it.
  options.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
  options.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);  // the referee is on this machine
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), options);
}

// A program may be held still meanwhile, and what passes then is no waiting of ours: so time is
// counted in pieces, each of which is over once at the most.
void connect(grpc::Channel& channel) {
  for (int piece = 0; piece < PIECES; ++piece) {
    if (channel.WaitForConnected(std::chrono::system_clock::now() + PIECE)) return;
  }
  throw NoReferee("nobody has answered for " + std::to_string(PIECES / 2) + " s");
}

std::string name_of(grpc::StatusCode code) {
  static constexpr std::array<const char*, 17> names = {
      "OK",
      "CANCELLED",
      "UNKNOWN",
      "INVALID_ARGUMENT",
      "DEADLINE_EXCEEDED",
      "NOT_FOUND",
      "ALREADY_EXISTS",
      "PERMISSION_DENIED",
      "RESOURCE_EXHAUSTED",
      "FAILED_PRECONDITION",
      "ABORTED",
      "OUT_OF_RANGE",
      "UNIMPLEMENTED",
      "INTERNAL",
      "UNAVAILABLE",
      "DATA_LOSS",
      "UNAUTHENTICATED",
  };
  const auto place = static_cast<std::size_t>(code);
  return place < names.size() ? names[place] : std::to_string(code);
}

// The call, and the thread that reads it. Its end is the call's: whatever throws meanwhile, nobody
// is left reading.
class Call {
 public:
  Call(std::unique_ptr<pb::MatchService::Stub> stub, Inbox& inbox, const std::string& token)
      : stub_(std::move(stub)) {
    if (!token.empty()) context_.AddMetadata("arena-token", token);
    stream_ = stub_->Play(&context_);
    reader_ = std::thread([this, &inbox] { read(inbox); });
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  ~Call() {
    context_.TryCancel();
    if (reader_.joinable()) reader_.join();
  }

  bool write(const pb::PlayRequest& request) { return stream_->Write(request); }

  // How the call has ended; to be asked when nothing comes any more.
  grpc::Status status() {
    reader_.join();
    return stream_->Finish();
  }

 private:
  void read(Inbox& inbox) {
    for (Mail mail; stream_->Read(&mail.message); mail = Mail()) {
      mail.came = Clock::now();
      inbox.put(std::move(mail));
    }
    inbox.end();
  }

  std::unique_ptr<pb::MatchService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<pb::PlayRequest, pb::PlayResponse>> stream_;
  std::thread reader_;
};

}  // namespace

void play(Player& player, const std::string& address, const std::string& token) {
  const auto channel = channel_to(address);
  connect(*channel);
  Inbox inbox;
  Call call(pb::MatchService::NewStub(channel), inbox, token);
  call.write(join_as(player.bot_name(), player.bot_version()));
  Conversation conversation(
      player, inbox, [&call](const pb::PlayRequest& request) { return call.write(request); });
  if (conversation.run()) return;
  const grpc::Status status = call.status();
  if (!status.ok()) throw NoReferee(name_of(status.error_code()) + ": " + status.error_message());
  throw NoReferee("the referee ended the stream before the match was over");
}

}  // namespace arena
