package arena

import (
	"errors"
	"io"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "millearena.example/arena/internal/millearenapb"
)

const (
	protocolVersion = 1
	library         = "arena_sdk-go 0.1.0"
)

var errEndedEarly = errors.New("the referee ended the stream before the match was over")

// wire is the part of a stream that a conversation needs.
type wire interface {
	Send(request *pb.PlayRequest) error
	Recv() (*pb.PlayResponse, error)
}

// conversation is what is said on one stream: it carries prompts to the player and its answers back.
//
// After a thought that took too long it first takes in what has come meanwhile, and sees which
// prompts are closed already. It goes on with the one that is open, so one slip costs one decision.
type conversation struct {
	player *player
	wire   wire
	inbox  *inbox
	isCut  bool // nobody takes what is sent; what has come is still to be read
}

func newConversation(player *player, wire wire) *conversation {
	return &conversation{player: player, wire: wire, inbox: newInbox()}
}

// run answers prompts until the match is over. The error says why it ended before.
func (c *conversation) run() error {
	go c.inbox.fill(c.wire.Recv)
	for {
		mail, err := c.inbox.next()
		if err != nil {
			return whyEnded(err)
		}
		if prompt := mail.message.GetPrompt(); prompt != nil {
			c.takePrompt(prompt, mail.came)
		} else {
			c.takeNews(mail.message)
		}
		if mail.message.GetMatchOver() != nil {
			return nil
		}
	}
}

// takePrompt answers a prompt, unless it is closed.
func (c *conversation) takePrompt(message *pb.Prompt, came time.Time) {
	limit := message.GetTimeLimit().AsDuration()
	if time.Since(came) >= limit { // hooks took too long
		c.inbox.settle()
	}
	prompt, err := promptFrom(message, came)
	if err != nil { // the default is the answer to what cannot be understood
		c.player.passedOver("prompt: " + err.Error())
		c.send(answering(&pb.Answer{
			PromptId: message.GetPromptId(),
			Choice:   &pb.Answer_LegalIndex{LegalIndex: message.GetDefaultIndex()},
		}))
		return
	}
	if c.inbox.closes(message) {
		c.player.skip(prompt)
		return
	}
	action := c.player.answer(prompt)
	answer := answerMessage(message.GetPromptId(), prompt, action, c.player.orders(prompt))
	if time.Since(came) >= limit {
		c.inbox.settle()
	}
	// A late answer is sent too, for the referee to count, but not after the end.
	if prompt.HasChoice() && !c.inbox.closes(message) {
		for _, text := range c.player.notes.take() {
			note := &pb.PlayRequest_Note{Note: &pb.Note{Text: text}}
			c.send(&pb.PlayRequest{Message: note})
		}
	}
	if !c.inbox.isOver() {
		c.send(answering(answer))
	}
}

func (c *conversation) takeNews(message *pb.PlayResponse) {
	switch arm := message.Message.(type) {
	case *pb.PlayResponse_Welcome:
		welcome, err := welcomeFrom(arm.Welcome)
		if err != nil {
			c.player.passedOver("welcome: " + err.Error())
			return
		}
		c.player.welcome(welcome)
	case *pb.PlayResponse_Rejection:
		c.player.rejected(rejectionFrom(arm.Rejection))
	case *pb.PlayResponse_HandOver:
		result, err := handResultFrom(arm.HandOver)
		if err != nil {
			c.player.passedOver("hand_over: " + err.Error())
			return
		}
		c.player.handOver(result)
	case *pb.PlayResponse_MatchOver:
		c.player.matchOver(matchResultFrom(arm.MatchOver))
	default:
		c.player.passedOver("a message of a new kind")
	}
}

func (c *conversation) send(request *pb.PlayRequest) {
	if !c.isCut {
		c.isCut = c.wire.Send(request) != nil
	}
}

func answering(answer *pb.Answer) *pb.PlayRequest {
	return &pb.PlayRequest{Message: &pb.PlayRequest_Answer{Answer: answer}}
}

func joining(bot Bot) *pb.PlayRequest {
	base := bot.base()
	name := base.Name
	if name == "" {
		name = typeName(bot)
	}
	return &pb.PlayRequest{Message: &pb.PlayRequest_Join{Join: &pb.Join{
		ProtocolVersion: protocolVersion,
		BotName:         oneLine(name),
		BotVersion:      oneLine(base.Version),
		Sdk:             library,
	}}}
}

// whyEnded puts the end of a stream in words.
func whyEnded(err error) error {
	if errors.Is(err, io.EOF) {
		return errEndedEarly
	}
	found := status.Convert(err)
	return errors.New(codeName(found.Code()) + ": " + found.Message())
}

// codeNames are the codes as gRPC itself writes them; Go's library has names of its own.
var codeNames = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
	"ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
	"OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

func codeName(code codes.Code) string {
	if int(code) < len(codeNames) {
		return codeNames[code]
	}
	return code.String()
}
