package millearena.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * For bots: one stream is one bot's part in one leg of a match.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class MatchServiceGrpc {

  private MatchServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "millearena.v1.MatchService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<millearena.v1.MatchServiceOuterClass.PlayRequest,
      millearena.v1.MatchServiceOuterClass.PlayResponse> getPlayMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Play",
      requestType = millearena.v1.MatchServiceOuterClass.PlayRequest.class,
      responseType = millearena.v1.MatchServiceOuterClass.PlayResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
  public static io.grpc.MethodDescriptor<millearena.v1.MatchServiceOuterClass.PlayRequest,
      millearena.v1.MatchServiceOuterClass.PlayResponse> getPlayMethod() {
    io.grpc.MethodDescriptor<millearena.v1.MatchServiceOuterClass.PlayRequest, millearena.v1.MatchServiceOuterClass.PlayResponse> getPlayMethod;
    if ((getPlayMethod = MatchServiceGrpc.getPlayMethod) == null) {
      synchronized (MatchServiceGrpc.class) {
        if ((getPlayMethod = MatchServiceGrpc.getPlayMethod) == null) {
          MatchServiceGrpc.getPlayMethod = getPlayMethod =
              io.grpc.MethodDescriptor.<millearena.v1.MatchServiceOuterClass.PlayRequest, millearena.v1.MatchServiceOuterClass.PlayResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Play"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  millearena.v1.MatchServiceOuterClass.PlayRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  millearena.v1.MatchServiceOuterClass.PlayResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MatchServiceMethodDescriptorSupplier("Play"))
              .build();
        }
      }
    }
    return getPlayMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static MatchServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MatchServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MatchServiceStub>() {
        @java.lang.Override
        public MatchServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MatchServiceStub(channel, callOptions);
        }
      };
    return MatchServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static MatchServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MatchServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MatchServiceBlockingV2Stub>() {
        @java.lang.Override
        public MatchServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MatchServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return MatchServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static MatchServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MatchServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MatchServiceBlockingStub>() {
        @java.lang.Override
        public MatchServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MatchServiceBlockingStub(channel, callOptions);
        }
      };
    return MatchServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static MatchServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MatchServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MatchServiceFutureStub>() {
        @java.lang.Override
        public MatchServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MatchServiceFutureStub(channel, callOptions);
        }
      };
    return MatchServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * For bots: one stream is one bot's part in one leg of a match.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Play the games of a leg. The bot sends `join` first; from then on it answers each prompt once.
     * The stream ends after `match_over`; a bot that closes it before has left the match.
     * What a bot does wrong in play is answered on the stream, with status OK. Errors of the call:
     * INVALID_ARGUMENT (a message that cannot be read, or the first one is no `join`),
     * FAILED_PRECONDITION (the protocol version is not spoken here), UNAUTHENTICATED (no token, or
     * not this seat's), RESOURCE_EXHAUSTED (this seat is taken, or a message is too long).
     * </pre>
     */
    default io.grpc.stub.StreamObserver<millearena.v1.MatchServiceOuterClass.PlayRequest> play(
        io.grpc.stub.StreamObserver<millearena.v1.MatchServiceOuterClass.PlayResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getPlayMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service MatchService.
   * <pre>
   * For bots: one stream is one bot's part in one leg of a match.
   * </pre>
   */
  public static abstract class MatchServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return MatchServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service MatchService.
   * <pre>
   * For bots: one stream is one bot's part in one leg of a match.
   * </pre>
   */
  public static final class MatchServiceStub
      extends io.grpc.stub.AbstractAsyncStub<MatchServiceStub> {
    private MatchServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MatchServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MatchServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Play the games of a leg. The bot sends `join` first; from then on it answers each prompt once.
     * The stream ends after `match_over`; a bot that closes it before has left the match.
     * What a bot does wrong in play is answered on the stream, with status OK. Errors of the call:
     * INVALID_ARGUMENT (a message that cannot be read, or the first one is no `join`),
     * FAILED_PRECONDITION (the protocol version is not spoken here), UNAUTHENTICATED (no token, or
     * not this seat's), RESOURCE_EXHAUSTED (this seat is taken, or a message is too long).
     * </pre>
     */
    public io.grpc.stub.StreamObserver<millearena.v1.MatchServiceOuterClass.PlayRequest> play(
        io.grpc.stub.StreamObserver<millearena.v1.MatchServiceOuterClass.PlayResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncBidiStreamingCall(
          getChannel().newCall(getPlayMethod(), getCallOptions()), responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service MatchService.
   * <pre>
   * For bots: one stream is one bot's part in one leg of a match.
   * </pre>
   */
  public static final class MatchServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<MatchServiceBlockingV2Stub> {
    private MatchServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MatchServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MatchServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Play the games of a leg. The bot sends `join` first; from then on it answers each prompt once.
     * The stream ends after `match_over`; a bot that closes it before has left the match.
     * What a bot does wrong in play is answered on the stream, with status OK. Errors of the call:
     * INVALID_ARGUMENT (a message that cannot be read, or the first one is no `join`),
     * FAILED_PRECONDITION (the protocol version is not spoken here), UNAUTHENTICATED (no token, or
     * not this seat's), RESOURCE_EXHAUSTED (this seat is taken, or a message is too long).
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<millearena.v1.MatchServiceOuterClass.PlayRequest, millearena.v1.MatchServiceOuterClass.PlayResponse>
        play() {
      return io.grpc.stub.ClientCalls.blockingBidiStreamingCall(
          getChannel(), getPlayMethod(), getCallOptions());
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service MatchService.
   * <pre>
   * For bots: one stream is one bot's part in one leg of a match.
   * </pre>
   */
  public static final class MatchServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<MatchServiceBlockingStub> {
    private MatchServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MatchServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MatchServiceBlockingStub(channel, callOptions);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service MatchService.
   * <pre>
   * For bots: one stream is one bot's part in one leg of a match.
   * </pre>
   */
  public static final class MatchServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<MatchServiceFutureStub> {
    private MatchServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MatchServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MatchServiceFutureStub(channel, callOptions);
    }
  }

  private static final int METHODID_PLAY = 0;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_PLAY:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.play(
              (io.grpc.stub.StreamObserver<millearena.v1.MatchServiceOuterClass.PlayResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getPlayMethod(),
          io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
            new MethodHandlers<
              millearena.v1.MatchServiceOuterClass.PlayRequest,
              millearena.v1.MatchServiceOuterClass.PlayResponse>(
                service, METHODID_PLAY)))
        .build();
  }

  private static abstract class MatchServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    MatchServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return millearena.v1.MatchServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("MatchService");
    }
  }

  private static final class MatchServiceFileDescriptorSupplier
      extends MatchServiceBaseDescriptorSupplier {
    MatchServiceFileDescriptorSupplier() {}
  }

  private static final class MatchServiceMethodDescriptorSupplier
      extends MatchServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    MatchServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (MatchServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new MatchServiceFileDescriptorSupplier())
              .addMethod(getPlayMethod())
              .build();
        }
      }
    }
    return result;
  }
}
