package arena

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "millearena.example/arena/internal/millearenapb"
)

// referee is a real server that tells one script to whoever joins.
type referee struct {
	pb.UnimplementedMatchServiceServer
	told     []*pb.PlayResponse
	refuses  error
	metadata metadata.MD
	deadline bool // the call has one
	heard    chan *pb.PlayRequest
}

func (r *referee) Play(stream pb.MatchService_PlayServer) error {
	_, r.deadline = stream.Context().Deadline()
	r.metadata, _ = metadata.FromIncomingContext(stream.Context())
	if err := r.hear(stream); err != nil || r.refuses != nil {
		return r.refuses
	}
	for _, message := range r.told {
		if err := stream.Send(message); err != nil {
			return err
		}
		if message.GetPrompt() != nil {
			if err := r.hear(stream); err != nil {
				return err
			}
		}
	}
	return nil
}

// hear takes the bot's next message that is no note.
func (r *referee) hear(stream pb.MatchService_PlayServer) error {
	for {
		request, err := stream.Recv()
		if err != nil {
			return err
		}
		r.heard <- request
		if request.GetNote() == nil {
			return nil
		}
	}
}

// serve starts a referee, and says where it listens.
func serve(t *testing.T, network string, r *referee) string {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s %20#?.sock")
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	r.heard = make(chan *pb.PlayRequest, 64)
	server := grpc.NewServer()
	pb.RegisterMatchServiceServer(server, r)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	if network == "unix" {
		return "unix:" + address
	}
	return listener.Addr().String()
}

// settings are what a program finds in its environment.
func settings(pairs ...string) func(string) string {
	return func(name string) string {
		for at := 0; at < len(pairs); at += 2 {
			if pairs[at] == name {
				return pairs[at+1]
			}
		}
		return ""
	}
}

func script() []*pb.PlayResponse {
	return []*pb.PlayResponse{
		welcomed(pb.WindowMode_WINDOW_MODE_PROMPT), playing("a", 0), handOver(0), matchOver(),
	}
}

func TestAMatchOverASocketAndAPort(t *testing.T) {
	for _, network := range []string{"unix", "tcp"} {
		there := &referee{told: script()}
		address := serve(t, network, there)
		bot := &witness{Base: Base{Version: "1.5"}}
		var log strings.Builder
		err := run(bot, settings("ARENA_ADDRESS", address, "ARENA_TOKEN", "secret"), &log)
		if err != nil || log.String() != "" {
			t.Fatalf("%s: %v, log %s", network, err, log.String())
		}
		join := (<-there.heard).GetJoin()
		if join.GetBotName() != "witness" || join.GetBotVersion() != "1.5" ||
			join.GetSdk() != "arena_sdk-go 0.1.0" || join.GetProtocolVersion() != 1 {
			t.Errorf("%s: joined as %v", network, join)
		}
		if answer := (<-there.heard).GetAnswer(); answer.GetPromptId() != "a" {
			t.Errorf("%s: answered %v", network, answer)
		}
		same(t, "token", there.metadata.Get("arena-token"), []string{"secret"})
		if there.deadline {
			t.Errorf("%s: a call with a deadline ends a bot that was held still", network)
		}
		same(t, "authority", there.metadata.Get(":authority"), []string{"localhost"})
	}
}

func TestARefusalIsSaidInOneLine(t *testing.T) {
	there := &referee{refuses: status.Error(codes.Unauthenticated, "no token")}
	err := run(&witness{}, settings("ARENA_ADDRESS", serve(t, "unix", there)), &strings.Builder{})
	if err == nil || err.Error() != "UNAUTHENTICATED: no token" {
		t.Error(err)
	}
}

func TestNobodyAnswers(t *testing.T) {
	player := newPlayer(&witness{}, &strings.Builder{}, false)
	nowhere := "unix:" + filepath.Join(t.TempDir(), "none.sock")
	err := play(player, nowhere, "", 200*time.Millisecond)
	if err == nil || err.Error() != "nobody has answered for 0.2 s" {
		t.Error(err)
	}
}

func TestStrictPlayEndsAtTheFirstPanic(t *testing.T) {
	address := serve(t, "unix", &referee{told: script()})
	bot := &witness{thinks: func(*Prompt) Action { panic("no\nidea") }}
	var log strings.Builder
	err := run(bot, settings("ARENA_ADDRESS", address, "ARENA_STRICT", "1"), &log)
	if err == nil || err.Error() != "strict play ends here: Choose raised panic: no idea" {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "arena_sdk: Choose raised 1 time (last: panic: no idea)") {
		t.Error(log.String())
	}
}

func TestWhatTheEnvironmentLacks(t *testing.T) {
	for _, one := range []struct {
		bot     Bot
		address string
		token   string
		want    string
	}{
		{&witness{}, "", "", "ARENA_ADDRESS is not set; start the bot with `arena match`"},
		{&witness{}, "here", "", "ARENA_ADDRESS 'here': must be unix:PATH or HOST:PORT"},
		{&witness{}, "unix:", "", "ARENA_ADDRESS 'unix:': must be unix:PATH or HOST:PORT"},
		{&witness{}, "unix:x", "é", "ARENA_TOKEN: must be printable ASCII"},
		{nil, "unix:x", "", "Run takes a bot, not nil"},
	} {
		err := run(one.bot, settings("ARENA_ADDRESS", one.address, "ARENA_TOKEN", one.token), &strings.Builder{})
		if err == nil || err.Error() != one.want {
			t.Errorf("%v, not %s", err, one.want)
		}
	}
}
