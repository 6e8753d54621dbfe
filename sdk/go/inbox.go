package arena

import (
	"sync"
	"time"

	pb "millearena.example/arena/internal/millearenapb"
)

// quiet is how long nothing must have come until nothing more is thought to be on its way.
const quiet = 5 * time.Millisecond

// mail is a message, and when it came.
type mail struct {
	message *pb.PlayResponse
	came    time.Time
}

// inbox has the messages that have come and that nobody has looked at. One goroutine fills it, so
// that a message is stamped when it comes, whatever the bot is at; the bot's takes from it.
type inbox struct {
	mu      sync.Mutex
	waiting []mail
	end     error         // why nothing more comes
	stirred chan struct{} // full when something has happened since it was last looked at
}

func newInbox() *inbox { return &inbox{stirred: make(chan struct{}, 1)} }

// fill reads messages until there are no more.
func (in *inbox) fill(read func() (*pb.PlayResponse, error)) {
	for {
		message, err := read()
		in.mu.Lock()
		if err != nil {
			in.end = err
		} else {
			in.waiting = append(in.waiting, mail{message, time.Now()})
		}
		in.mu.Unlock()
		select {
		case in.stirred <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// next is the next message; when there are no more, the error says why.
func (in *inbox) next() (mail, error) {
	for {
		if one, err, found := in.take(); found {
			return one, err
		}
		<-in.stirred
	}
}

func (in *inbox) take() (one mail, err error, found bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.waiting) == 0 {
		return mail{}, in.end, in.end != nil
	}
	one = in.waiting[0]
	in.waiting = in.waiting[1:]
	return one, nil, true
}

// settle waits until nothing has come for a moment. To be called after a thought that was longer
// than its prompt allows: what was sent meanwhile may lie in the socket still.
func (in *inbox) settle() {
	for !in.ended() {
		select {
		case <-in.stirred:
		case <-time.After(quiet):
			return
		}
	}
}

func (in *inbox) ended() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.end != nil
}

// closes tells whether what waits closes a prompt.
func (in *inbox) closes(prompt *pb.Prompt) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, one := range in.waiting {
		switch arm := one.message.Message.(type) {
		case *pb.PlayResponse_Rejection: // it names its prompt
			if arm.Rejection.GetPromptId() == prompt.GetPromptId() {
				return true
			}
		case *pb.PlayResponse_Prompt, *pb.PlayResponse_HandOver, *pb.PlayResponse_Welcome,
			*pb.PlayResponse_MatchOver: // sent only when the last prompt is closed
			return true
		}
	}
	return false
}

// isOver tells whether what waits ends the match, or the stream has ended.
func (in *inbox) isOver() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.waiting) == 0 {
		return in.end != nil
	}
	return in.waiting[len(in.waiting)-1].message.GetMatchOver() != nil
}
