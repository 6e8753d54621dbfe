package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"regexp"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	pb "millearena.example/arena/internal/millearenapb"
)

const (
	patience = 30 * time.Second       // until a referee that cannot be reached is given up
	piece    = 500 * time.Millisecond // of it
	window   = 1 << 20                // bytes; a size that is given keeps gRPC from measuring with pings
)

var target = regexp.MustCompile(`^(?:unix:.+|.+:\d{1,5})$`)

// Run plays with the bot at the referee that ARENA_ADDRESS names, and returns when the match is over.
//
// If it cannot, it ends the program with code 1 and one line that says why: ARENA_ADDRESS is not set,
// the referee refused the bot or went away, or in strict play (ARENA_STRICT=1) a method has panicked.
func Run(bot Bot) {
	if err := run(bot, os.Getenv, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "arena_sdk: %v\n", err)
		os.Exit(1)
	}
}

func run(bot Bot, setting func(string) string, log io.Writer) (err error) {
	if bot == nil {
		return errors.New("Run takes a bot, not nil")
	}
	address, token := setting("ARENA_ADDRESS"), setting("ARENA_TOKEN")
	if err := check(address, token); err != nil {
		return err
	}
	player := newPlayer(bot, log, !isOff(setting("ARENA_STRICT")))
	defer player.report()
	defer func() {
		cause := recover()
		if failure, ok := cause.(strictFailure); ok {
			err = fmt.Errorf("strict play ends here: %s", string(failure))
		} else if cause != nil {
			panic(cause)
		}
	}()
	return play(player, address, token, patience)
}

func check(address, token string) error {
	if address == "" {
		return errors.New("ARENA_ADDRESS is not set; start the bot with `arena match`")
	}
	if !target.MatchString(address) {
		return fmt.Errorf("ARENA_ADDRESS '%s': must be unix:PATH or HOST:PORT", oneLine(address))
	}
	for _, char := range token { // the token itself is never shown
		if char < ' ' || char > '~' {
			return errors.New("ARENA_TOKEN: must be printable ASCII")
		}
	}
	return nil
}

func isOff(value string) bool { return value == "" || value == "0" }

// play plays one stream of games to its end.
func play(player *player, address, token string, patience time.Duration) error {
	connection, err := grpc.NewClient("passthrough:///referee",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(dialer(address)),
		grpc.WithAuthority("localhost"), // a socket's path is none, and some servers look at it
		grpc.WithNoProxy(),              // the referee is on this machine
		grpc.WithDisableRetry(),
		grpc.WithDisableServiceConfig(),
		grpc.WithIdleTimeout(0),
		grpc.WithInitialWindowSize(window),
		grpc.WithInitialConnWindowSize(window),
	)
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "arena-token", token)
	}
	joined := make(chan struct{})
	go giveUp(joined, cancel, patience)
	stream, err := pb.NewMatchServiceClient(connection).Play(ctx, grpc.WaitForReady(true))
	if err == nil {
		err = stream.Send(joining(player.bot))
	}
	close(joined)
	switch {
	case errors.Is(context.Cause(ctx), errNobody):
		return fmt.Errorf("%w for %g s", errNobody, patience.Seconds())
	case err != nil && !errors.Is(err, io.EOF): // of a stream that has ended, reading says why
		return whyEnded(err)
	}
	return newConversation(player, stream).run()
}

var errNobody = errors.New("nobody has answered")

// giveUp cancels a call that comes to nothing within so much time in which this process could run.
//
// A referee may hold a bot still as soon as it has joined, for as long as others think. What passes
// meanwhile is no waiting of ours, so time is counted in pieces, each of which is over once at most.
func giveUp(joined <-chan struct{}, cancel context.CancelCauseFunc, patience time.Duration) {
	for left := patience; left > 0; left -= piece {
		select {
		case <-joined:
			return
		case <-time.After(min(piece, left)):
		}
	}
	cancel(errNobody)
}

func dialer(address string) func(context.Context, string) (net.Conn, error) {
	network := "tcp"
	if path, isSocket := strings.CutPrefix(address, "unix:"); isSocket {
		network, address = "unix", path
	}
	return func(ctx context.Context, _ string) (net.Conn, error) {
		return (&net.Dialer{KeepAlive: -1}).DialContext(ctx, network, address)
	}
}

// typeName is what a bot is called that has not said.
func typeName(bot Bot) string {
	return reflect.Indirect(reflect.ValueOf(bot)).Type().Name()
}
