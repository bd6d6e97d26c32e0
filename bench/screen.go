package bench

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// screen shows progress and messages.
type screen struct {
	mu       sync.Mutex
	bar      *progressbar.ProgressBar // nil: no terminal
	messages io.Writer                // nil: none
	closed   chan struct{}
}

// newScreen returns a screen for a number of runs, some of them done before.
func newScreen(terminal, messages io.Writer, runs, before int) *screen {
	s := &screen{messages: messages, closed: make(chan struct{})}
	if before > 0 {
		s.printf("%d of %d runs are there already", before, runs)
	}
	if terminal == nil || before == runs {
		return s
	}
	s.bar = progressbar.NewOptions(runs,
		progressbar.OptionSetWriter(terminal),
		progressbar.OptionSetWidth(25),
		progressbar.OptionShowCount(),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionClearOnFinish())
	_ = s.bar.Set(before) // it is for show
	go s.tick()
	return s
}

// tick keeps the time on the screen going.
func (s *screen) tick() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-s.closed:
			return
		case <-tick.C:
			s.mu.Lock()
			if s.bar != nil {
				_ = s.bar.RenderBlank()
			}
			s.mu.Unlock()
		}
	}
}

// start tells which run begins.
func (s *screen) start(j job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar != nil {
		s.bar.Describe(fmt.Sprintf("%s, %s", j.task.Name, j.config.Name))
	}
}

// end tells that a run has ended.
func (s *screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar != nil {
		_ = s.bar.Add(1)
	}
}

// live prints a line above the progress bar, if there is one.
func (s *screen) live(line string) {
	if s.bar != nil {
		s.printf("%s", line)
	}
}

// printf prints a line above the progress bar.
func (s *screen) printf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.messages == nil {
		return
	}
	if s.bar != nil {
		_ = s.bar.Clear()
	}
	fmt.Fprintf(s.messages, format+"\n", args...)
	if s.bar != nil {
		_ = s.bar.RenderBlank()
	}
}

// close removes the progress bar.
func (s *screen) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar != nil {
		_ = s.bar.Clear()
		s.bar = nil
		close(s.closed)
	}
}
