package arena

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// notes are lines for the author's log that wait for the next answer to take them along. A referee
// counts the messages that a bot sends for each prompt, and a bot that sends too many has lost: what
// is too much is not sent at all.
type notes struct {
	mu      sync.Mutex // a goroutine of the bot's may have something to note
	waiting []string
	most    int // that may go with an answer; none before the first welcome
	bytes   int
	dropped int
}

// allow sets what is taken from now on; one of the messages for a prompt is the answer.
func (n *notes) allow(budget FaultBudget) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.most = max(0, budget.MessagesPerPrompt-1)
	n.bytes = max(0, budget.NoteBytes)
}

// add notes a text, as one line that is no longer than allowed.
func (n *notes) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.waiting) >= n.most {
		n.dropped++
		return
	}
	n.waiting = append(n.waiting, cut(oneLine(text), n.bytes))
}

// take returns the notes that wait, which are sent now.
func (n *notes) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	taken := n.waiting
	n.waiting = nil
	return taken
}

// What ends a line somewhere: in a terminal, in an editor, in another language.
var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\v", " ", "\f", " ",
	"\x1c", " ", "\x1d", " ", "\x1e", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// oneLine is a text without line ends, and in proper UTF-8: the protocol has no other strings.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "?")
	return lineEnds.Replace(strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"))
}

// cut shortens a text to so many bytes, or a few less where a character would be cut in two.
func cut(text string, size int) string {
	if len(text) <= size {
		return text
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size]
}
