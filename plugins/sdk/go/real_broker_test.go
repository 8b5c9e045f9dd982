package callbroker

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A realBroker is the program CALLBROKER, or .build/debug/callbroker of this repository, which serves in
// a folder of its own until the test ends.
type realBroker struct {
	t         *testing.T
	folder    string
	path      string
	arguments []string
	process   *exec.Cmd
}

func newRealBroker(t *testing.T, arguments ...string) *realBroker {
	folder := t.TempDir()
	b := &realBroker{t: t, folder: folder, path: filepath.Join(folder, "broker.sock"), arguments: arguments}
	b.start()
	t.Cleanup(func() {
		b.process.Process.Signal(os.Interrupt)
		b.process.Wait()
	})
	return b
}

// start serves with the state that there was before, if there was one.
func (b *realBroker) start() {
	program := os.Getenv("CALLBROKER")
	if program == "" {
		program = "../../../.build/debug/callbroker"
	}
	program, err := filepath.Abs(program)
	must(b.t, err)
	b.process = exec.Command(program, append([]string{"serve", "--socket", b.path, "--state-dir",
		filepath.Join(b.folder, "state")}, b.arguments...)...)
	log, err := b.process.StderrPipe()
	must(b.t, err)
	must(b.t, b.process.Start())
	lines := bufio.NewScanner(log)
	for lines.Scan() && !strings.Contains(lines.Text(), "listening on ") {
	}
	must(b.t, lines.Err())
	go func() {
		for lines.Scan() { // what it logs is read, so that it is never in its way
		}
	}()
}

// kill ends it as a crash would.
func (b *realBroker) kill() {
	b.process.Process.Kill()
	b.process.Wait()
}

// A stage has a broker whose clock the test moves, a user, and what providers were asked for.
type stage struct {
	t         *testing.T
	broker    *realBroker
	user      *Client
	performed chan []any
}

func newStage(t *testing.T) *stage {
	s := &stage{t: t, broker: newRealBroker(t, "--test-mode"), performed: make(chan []any, 99)}
	options := s.options()
	options.Roles = []string{"controller", "observer", "admin"}
	s.user = s.enter(NewClient("user", options))
	return s
}

func (s *stage) options() Options {
	return Options{Socket: s.broker.path, First: time.Millisecond, Longest: 10 * time.Millisecond,
		Timeout: ceiling}
}

func (s *stage) enter(client *Client) *Client {
	s.t.Helper()
	must(s.t, client.Open(background))
	s.t.Cleanup(client.Close)
	return client
}

// done asks as the user, and waits until it is completed.
func (s *stage) done(result Object, err error) {
	s.t.Helper()
	must(s.t, err)
	equal(s.t, result["state"], "completed")
}

func (s *stage) ask(method string, params Object) Object {
	s.t.Helper()
	result, err := s.user.Request(background, method, params)
	must(s.t, err)
	return result
}
