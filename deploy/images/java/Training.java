import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import millearena.sdk.Action;
import millearena.sdk.Arena;
import millearena.sdk.Bot;
import millearena.sdk.Prompt;
import millearena.v1.MatchServiceGrpc;
import millearena.v1.MatchServiceOuterClass.MatchOver;
import millearena.v1.MatchServiceOuterClass.PlayRequest;
import millearena.v1.MatchServiceOuterClass.PlayResponse;

/**
 * A referee and a bot in one process that play through the SDK's sample prompts, so that every class
 * that a bot needs has been loaded. ARENA_ADDRESS says where.
 */
final class Training {
  public static void main(String[] arguments) throws Exception {
    String path = System.getenv("ARENA_ADDRESS").substring("unix:".length());
    var threads = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    Server server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(path))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(threads)
            .workerEventLoopGroup(threads)
            .addService(new Referee())
            .build()
            .start();
    Arena.run(new First());
    server.shutdownNow();
    threads.shutdownGracefully();
  }

  private static final class First extends Bot {
    @Override
    public Action choose(Prompt prompt) {
      note("asked for " + prompt.kind());
      return prompt.legal().get(0);
    }
  }

  private static final class Referee extends MatchServiceGrpc.MatchServiceImplBase {
    @Override
    public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> bot) {
      return new Asking(bot);
    }
  }

  /** Sends the next message whenever the bot has said something. */
  private static final class Asking implements StreamObserver<PlayRequest> {
    private final StreamObserver<PlayResponse> bot;
    private final Queue<PlayResponse> messages = new ArrayDeque<>();

    Asking(StreamObserver<PlayResponse> bot) {
      this.bot = bot;
      try (var lines = Prompt.class.getResourceAsStream("prompts.hex")) {
        for (String line : new String(lines.readAllBytes()).lines().toList()) {
          messages.add(PlayResponse.parseFrom(HexFormat.of().parseHex(line)));
        }
      } catch (Exception error) {
        throw new IllegalStateException(error);
      }
      var over = MatchOver.newBuilder().setOutcomeValue(1);
      messages.add(PlayResponse.newBuilder().setMatchOver(over).build());
    }

    @Override
    public void onNext(PlayRequest request) {
      if (!messages.isEmpty()) {
        bot.onNext(messages.remove());
        if (messages.isEmpty()) {
          bot.onCompleted();
        }
      }
    }

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onCompleted() {}
  }
}
