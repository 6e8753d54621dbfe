package millearena.sdk;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.logging.Level;
import java.util.logging.Logger;
import millearena.v1.MatchServiceGrpc;
import millearena.v1.MatchServiceOuterClass.PlayRequest;
import millearena.v1.MatchServiceOuterClass.PlayResponse;

/** The one stream to the referee, over the JDK's own sockets. */
final class Connection implements AutoCloseable {
  private static final int WINDOW = 1 << 20;
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("arena-token", Metadata.ASCII_STRING_MARSHALLER);

  // Kept, because a logger that nobody holds forgets its level.
  private static final Logger[] QUIET = {Logger.getLogger("io.grpc"), Logger.getLogger("io.netty")};

  static {
    // A sandbox has no network interfaces to ask for an identity, and nowhere to unpack libraries.
    setUnlessSet("io.netty.machineId", "00:00:00:00:00:00:00:00");
    setUnlessSet("io.netty.processId", "1");
    setUnlessSet("io.netty.transport.noNative", "true");
    setUnlessSet("io.netty.allocator.type", "unpooled");
    for (Logger logger : QUIET) {
      logger.setLevel(Level.OFF);
    }
  }

  private final EventLoopGroup threads;
  private final ManagedChannel channel;
  private final ClientCall<PlayRequest, PlayResponse> call;

  Connection(SocketAddress address, String token, Inbox inbox) {
    threads =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("arena", true), NioIoHandler.newFactory());
    channel =
        NettyChannelBuilder.forAddress(address)
            .eventLoopGroup(threads)
            .channelType(channelType(address), address.getClass())
            // A made-up name: a socket's path is none, and some servers look at it.
            .overrideAuthority("localhost")
            .usePlaintext()
            .proxyDetector(target -> null) // the referee is on this machine
            .flowControlWindow(WINDOW)
            .disableRetry()
            .directExecutor()
            .build();
    call =
        channel.newCall(MatchServiceGrpc.getPlayMethod(), CallOptions.DEFAULT.withWaitForReady());
    Metadata metadata = new Metadata();
    if (!token.isEmpty()) {
      metadata.put(TOKEN, token);
    }
    call.start(new Listener(inbox), metadata);
    call.request(1);
  }

  void send(PlayRequest message) {
    call.sendMessage(message);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the threads are daemons: nobody waits for them
  public void close() {
    call.cancel("the bot ends", null);
    channel.shutdownNow();
    threads.shutdownGracefully();
  }

  private static Class<? extends Channel> channelType(SocketAddress address) {
    return address instanceof UnixDomainSocketAddress
        ? NioDomainSocketChannel.class
        : NioSocketChannel.class;
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Puts what comes into the inbox, in the thread that reads. */
  private final class Listener extends ClientCall.Listener<PlayResponse> {
    private final Inbox inbox;

    Listener(Inbox inbox) {
      this.inbox = inbox;
    }

    @Override
    public void onReady() {
      inbox.opened();
    }

    @Override
    public void onMessage(PlayResponse message) {
      inbox.put(message);
      call.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      inbox.ended(status);
    }
  }
}
