package arena

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

const longestCause = 200

// failures counts what the methods of a bot panic with, by method, and writes the traces to its log.
type failures struct {
	log    io.Writer
	strict bool // the first one ends the run
	order  []string
	counts map[string]int
	last   map[string]string
}

// strictFailure is what the first failure panics with in strict play.
type strictFailure string

func newFailures(log io.Writer, strict bool) *failures {
	return &failures{
		log: log, strict: strict, counts: map[string]int{}, last: map[string]string{},
	}
}

// guard calls a method of the bot and takes what it panics with; it tells whether it came through.
func (f *failures) guard(method string, do func()) (ok bool) {
	defer func() {
		if cause := recover(); cause != nil {
			f.take(method, fmt.Sprintf("panic: %v", cause), steps(string(debug.Stack())))
		}
	}()
	do()
	return true
}

// take counts a failure, and writes why it was and where.
func (f *failures) take(method, cause, trace string) {
	if f.counts[method] == 0 {
		f.order = append(f.order, method)
	}
	f.counts[method]++
	fmt.Fprintf(f.log, "%s: %s\n%s", method, cause, trace)
	cause = strings.Join(strings.Fields(strings.ToValidUTF8(cause, "?")), " ")
	if len(cause) > longestCause {
		cause = cut(cause, longestCause-3) + "..."
	}
	f.last[method] = cause
	if f.strict {
		panic(strictFailure(fmt.Sprintf("%s raised %s", method, cause)))
	}
}

// summary says what there was, a phrase for each method.
func (f *failures) summary() []string {
	var phrases []string
	for _, method := range f.order {
		phrase := fmt.Sprintf("%s raised %s (last: %s)",
			method, soMany(f.counts[method], "time"), f.last[method])
		if method == "Choose" || method == "Respond" {
			phrase += "; default actions were played"
		}
		phrases = append(phrases, phrase)
	}
	return phrases
}

// steps leaves of a stack what the author knows: from where it panicked up to his own method.
func steps(stack string) string {
	if _, below, found := strings.Cut(stack, "\npanic("); found {
		stack = below
		for range 2 { // the rest of panic's own two lines
			_, stack, _ = strings.Cut(stack, "\n")
		}
	}
	own, _, _ := strings.Cut(stack, "millearena.example/arena.(*failures).guard(")
	lines := strings.Split(strings.TrimRight(own, "\n"), "\n")
	if len(lines) > 2 && strings.HasPrefix(lines[len(lines)-2], "millearena.example/arena.") {
		lines = lines[:len(lines)-2] // the function that guard was given
	}
	return strings.Join(lines, "\n") + "\n"
}

func soMany(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", count, noun)
}
