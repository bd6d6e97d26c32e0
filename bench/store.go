package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// resultsFile is the file in the output folder to which every run is appended.
const resultsFile = "results.jsonl"

// Key is what a run's result depends on. A result with the same key is not
// measured again.
type Key struct {
	Task    string  `json:"task"`
	Hash    string  `json:"hash"` // of the program
	Config  string  `json:"config"`
	Tool    string  `json:"tool,omitempty"` // fingerprint of the comus binary
	Run     int     `json:"run"`
	Timeout float64 `json:"timeout"` // seconds
	Memory  int64   `json:"memory"`
	// What is asked, where the suite says so.
	Property  string `json:"property,omitempty"`
	DataModel string `json:"data_model,omitempty"`
}

// Result is one run.
type Result struct {
	Key
	Expect      string    `json:"expect"`
	Verdict     string    `json:"verdict"`
	Reason      string    `json:"reason,omitempty"`
	Violated    []string  `json:"violated,omitempty"` // the properties that comus says are
	Began       time.Time `json:"began"`
	Seconds     float64   `json:"seconds"` // by the clock, from the process's start to its end
	CPUSeconds  float64   `json:"cpu_seconds"`
	MemoryBytes int64     `json:"memory_bytes"` // largest size
	Exit        int       `json:"exit"`         // exit code, -1 after a signal
	// Of a run that a scheduler made: the node where, and its batch and number in it, which no other result has.
	Node       string  `json:"node,omitempty"`
	Batch      string  `json:"batch,omitempty"`
	Counts     *Counts `json:"counts,omitempty"`
	Components Seconds `json:"components,omitempty"`
}

// Wrong tells whether the verdict contradicts the expected one.
func (r *Result) Wrong() bool { return wrong(r.Verdict, r.Expect) }

// store keeps results in a file with a JSON object a line.
type store struct {
	mu      sync.Mutex
	file    *os.File
	results map[Key]*Result
}

// openStore opens a file of results, or makes it. No other process can open it
// meanwhile.
func openStore(name string) (*store, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	for try := 0; err == syscall.EWOULDBLOCK && try < 5; try++ { // who asks for the status has it for a moment
		time.Sleep(100 * time.Millisecond)
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s is in use by another comus bench (%w)", name, err)
	}
	s := &store{file: f, results: map[Key]*Result{}}
	if err := s.load(); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

// load reads the file, and cuts off a last line that was not written to its end.
func (s *store) load() error {
	results, whole, err := readResults(s.file)
	if err != nil {
		return err
	}
	s.results = results
	if st, err := s.file.Stat(); err != nil || st.Size() == whole {
		return err
	}
	return s.file.Truncate(whole)
}

// readResults reads a file of results, without a last line that was not written to its end, and returns how long it is
// without. Of several results with the same key the last one counts.
func readResults(f *os.File) (out map[Key]*Result, whole int64, err error) {
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, 0, err
	}
	out = map[Key]*Result{}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r := new(Result)
		if err := json.Unmarshal(line, r); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: not a result: %w", f.Name(), n, err)
		}
		out[r.Key] = r
	}
	return out, int64(len(text)), nil
}

// get returns the result of a run.
func (s *store) get(k Key) (*Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.results[k]
	return r, ok
}

// add appends a result.
func (s *store) add(r *Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[r.Key] = r
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// close closes the file; it may be called again.
func (s *store) close() error {
	if err := s.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
