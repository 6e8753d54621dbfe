package arena

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// programs are the Go programs in README.md.
func programs(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, block := range regexp.MustCompile("(?ms)^```go\n(.*?)^```").FindAllSubmatch(text, -1) {
		found = append(found, string(block[1]))
	}
	if len(found) != 2 {
		t.Fatalf("README.md has %d programs in Go, not 2", len(found))
	}
	return found
}

// filled is a file of the template for a new bot called hasty, with its SDK here.
func filled(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("template", name))
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("__name__", "hasty", "__stem__", "hasty", "__Class__", "HastyBot",
		"./sdk", here).Replace(string(text))
}

// newBot writes a bot's folder.
func newBot(t *testing.T, program string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"hasty_bot.go": program, "go.mod": filled(t, "go.mod"), "go.sum": filled(t, "go.sum"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// tool runs the go command in a folder.
func tool(t *testing.T, folder string, words ...string) {
	t.Helper()
	command := exec.Command("go", words...)
	command.Dir = folder
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(words, " "), err, said)
	}
}

func TestProgramsOfTheReadmePlay(t *testing.T) {
	for at, program := range programs(t) {
		folder := newBot(t, program)
		tool(t, folder, "vet", ".")
		tool(t, folder, "build", "-o", "bot", ".")
		there := &referee{told: script()}
		command := exec.Command(filepath.Join(folder, "bot"))
		command.Env = []string{"ARENA_ADDRESS=" + serve(t, "unix", there)}
		var log bytes.Buffer
		command.Stderr = &log
		if err := command.Run(); err != nil {
			t.Fatalf("program %d: %v\n%s", at, err, log.String())
		}
		var notes, answers []string
		for len(there.heard) > 0 {
			request := <-there.heard
			if note := request.GetNote(); note != nil {
				notes = append(notes, note.GetText())
			} else if answer := request.GetAnswer(); answer != nil {
				answers = append(answers, answer.GetPromptId())
			}
		}
		same(t, "answers", answers, []string{"a"})
		wanted := [][]string{nil, {"seat 0 of "}}[at] // what 10 bytes hold
		same(t, "notes", notes, wanted)
	}
}

func TestTheTemplateIsTheBotOfTheReadme(t *testing.T) {
	program := filled(t, "__stem___bot.go")
	if program != programs(t)[0] {
		t.Error("the first program of README.md is not template/__stem___bot.go")
	}
	folder := newBot(t, program)
	test := filled(t, "__stem___bot_test.go")
	if err := os.WriteFile(filepath.Join(folder, "hasty_bot_test.go"), []byte(test), 0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, folder, "test", ".")
}

func TestAProgramWithoutARefereeSaysWhy(t *testing.T) {
	folder := newBot(t, programs(t)[0])
	tool(t, folder, "build", "-o", "bot", ".")
	said, err := exec.Command(filepath.Join(folder, "bot")).CombinedOutput()
	ended, _ := err.(*exec.ExitError)
	want := "arena_sdk: ARENA_ADDRESS is not set; start the bot with `arena match`\n"
	if ended == nil || ended.ExitCode() != 1 || string(said) != want {
		t.Errorf("%v: %s", err, said)
	}
}
