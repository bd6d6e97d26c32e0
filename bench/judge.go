package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"comus/internal/child"
)

// The verdicts of a run.
const (
	VerdictSafe    = "SAFE"
	VerdictUnsafe  = "UNSAFE"
	VerdictUnknown = "UNKNOWN"
	VerdictTimeout = "TIMEOUT"
	VerdictMemory  = "MEMORY"
	VerdictError   = "ERROR" // the command failed
)

// decided tells whether a verdict is an answer.
func decided(verdict string) bool { return verdict == VerdictSafe || verdict == VerdictUnsafe }

// wrong tells whether a verdict is an answer that is not the expected one.
func wrong(verdict, expect string) bool { return decided(verdict) && verdict != expect }

// Counts is the work that comus reports. A foreign command reports none.
type Counts struct {
	SequentialChecks int `json:"sequential_checks"`
	Iterations       int `json:"iterations"`
	Queries          int `json:"queries"`
	Refinements      int `json:"refinements"`
	Promises         int `json:"promises"`
	SolverCalls      int `json:"solver_calls"`
}

// judgeComus takes a verdict from the object that comus --json has printed.
func judgeComus(r *Result, end *child.Ending) {
	var report struct {
		Verdict string
		Reason  string
		Counts
		Components map[string]struct{ Seconds float64 }
		// MemoryBytes counts the engines of a portfolio, which have process groups of their own.
		MemoryBytes int64 `json:"memory_bytes"`
		Properties  []struct{ Name, Verdict string }
	}
	out, err := readEnd(end.Stdout)
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	codes := map[string]int{VerdictSafe: 0, VerdictUnsafe: 10, VerdictUnknown: 20}
	code, known := codes[report.Verdict]
	switch {
	case err != nil || !known || code != end.Exit:
		r.Verdict, r.Reason = VerdictError, failure(end)
		return
	case report.Verdict == VerdictUnknown && strings.HasPrefix(report.Reason, "timeout after "):
		r.Verdict = VerdictTimeout
	case report.Verdict == VerdictUnknown && strings.HasSuffix(report.Reason, " of memory needed"):
		r.Verdict = VerdictMemory
	default:
		r.Verdict, r.Reason = report.Verdict, report.Reason
	}
	for _, p := range report.Properties {
		if p.Verdict == VerdictUnsafe {
			r.Violated = append(r.Violated, p.Name)
		}
	}
	r.Counts = &report.Counts
	r.MemoryBytes = max(r.MemoryBytes, report.MemoryBytes)
	r.Components = Seconds{}
	for name, c := range report.Components {
		r.Components[name] = c.Seconds
	}
}

// judge takes a verdict from what a foreign command has printed.
func (c *Config) judge(r *Result, end *child.Ending) {
	out, err := readEnd(end.Stdout)
	text, err2 := readEnd(end.Stderr)
	if err := errors.Join(err, err2); err != nil {
		r.Verdict, r.Reason = VerdictError, err.Error()
		return
	}
	out = append(append(out, '\n'), text...)
	safe, unsafe := c.safe.Match(out), c.unsafe.Match(out)
	switch {
	case safe && unsafe:
		r.Verdict, r.Reason = VerdictUnknown, "the output matches the patterns of both verdicts"
	case safe:
		r.Verdict = VerdictSafe
	case unsafe:
		r.Verdict = VerdictUnsafe
	case end.Exit != 0:
		r.Verdict, r.Reason = VerdictError, failure(end)
	default:
		r.Verdict, r.Reason = VerdictUnknown, "the output matches no verdict's pattern"
	}
}

// failure words why a command has failed: by its last line on standard error.
func failure(end *child.Ending) string {
	text, _ := readEnd(end.Stderr)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	what := strings.TrimSpace(lines[len(lines)-1])
	if what == "" {
		what = "no verdict"
	}
	if len(what) > 500 {
		what = what[:500] + "…"
	}
	return fmt.Sprintf("%s (exit code %d)", what, end.Exit)
}

// maxRead bounds how much of an output is read; more of it is not needed for a
// verdict, which comes last.
const maxRead = 64 << 20

// readEnd reads a file, of a large one the end.
func readEnd(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.Size() > maxRead {
		if _, err := f.Seek(-maxRead, io.SeekEnd); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(io.LimitReader(f, maxRead))
}
