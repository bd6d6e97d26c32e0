package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"comus/bench/slurm"
	"comus/internal/whole"
)

// planFile is the file in the output folder that says what the last call of Run is about.
const planFile = "plan.json"

// plan is what is measured.
type plan struct {
	Suite    string `json:"suite"`
	Executor string `json:"executor"`
	Runs     []Key  `json:"runs"`
}

// IsOutput tells whether a folder is an output folder of comus bench.
func IsOutput(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, planFile))
	var p plan
	return err == nil && json.Unmarshal(text, &p) == nil && p.Suite != "" && p.Executor != ""
}

// Begin makes the output folder of a suite, and has it be known as one before anything is in it.
func Begin(dir, suite string) error {
	if IsOutput(dir) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.Marshal(plan{Suite: suite, Executor: "local"})
	if err != nil {
		return err
	}
	return whole.WriteFile(filepath.Join(dir, planFile), text)
}

// writePlan writes what this call is about.
func (b *benchmark) writePlan() error {
	p := plan{Suite: b.Suite.Name, Executor: "local"}
	if b.Slurm != nil {
		p.Executor = "slurm"
	}
	for _, j := range b.jobs() {
		p.Runs = append(p.Runs, b.key(j))
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return whole.WriteFile(filepath.Join(b.Dir, planFile), text)
}

// Status is how far a measurement has come.
type Status struct {
	Suite    string         `json:"suite"`
	Executor string         `json:"executor"`
	Runs     int            `json:"runs"` // all of them
	Done     int            `json:"done"` // those with a result
	Verdicts map[string]int `json:"verdicts"`
	Wrong    []string       `json:"wrong"`
	// Waiting is, of a scheduler, the number of results that are not collected yet.
	Waiting int `json:"waiting"`
	// Tasks are the scheduler's, those without a result, by state. Lost are those that it does not know.
	Tasks map[string]int `json:"tasks"`
	Lost  int            `json:"lost"`
	// Scheduler says why it does not tell, "" if it does.
	Scheduler string  `json:"scheduler,omitempty"`
	Active    bool    `json:"active"` // a comus bench is at work on it
	CPU       float64 `json:"cpu_seconds"`
}

// ReadStatus returns the status of the measurement in an output folder. It disturbs nothing.
func ReadStatus(ctx context.Context, dir string) (*Status, error) {
	text, err := os.ReadFile(filepath.Join(dir, planFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: is no output folder of comus bench: there is no %s", dir, planFile)
	}
	var p plan
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, planFile), err)
	}
	s := &Status{Suite: p.Suite, Executor: p.Executor, Runs: len(p.Runs), Verdicts: map[string]int{}, Wrong: []string{}, Tasks: map[string]int{}}
	f, err := os.Open(filepath.Join(dir, resultsFile))
	switch {
	case errors.Is(err, fs.ErrNotExist) && p.Suite == BoolSuite:
		return nil, fmt.Errorf("%s: is of comus bench %s, which keeps no runs to tell of", dir, BoolSuite)
	case errors.Is(err, fs.ErrNotExist): // it was stopped before the first one
		return s, nil
	case err != nil:
		return nil, err
	}
	defer f.Close()
	s.Active = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	results, _, err := readResults(f)
	if err != nil {
		return nil, err
	}
	for _, k := range p.Runs {
		if r, ok := results[k]; ok {
			s.Done++
			s.Verdicts[r.Verdict]++
			s.CPU += r.CPUSeconds
			if r.Wrong() {
				s.Wrong = append(s.Wrong, wrongLine(r.Task, r.Config, r.Verdict, r.Expect))
			}
		}
	}
	slices.Sort(s.Wrong)
	return s, s.askScheduler(ctx, filepath.Join(dir, slurmFolder), results)
}

// askScheduler looks at the batches in a folder, and asks the scheduler about those that are open.
func (s *Status) askScheduler(ctx context.Context, dir string, stored map[Key]*Result) error {
	batches, err := openBatches(dir)
	if err != nil || len(batches) == 0 {
		return err
	}
	var names []string
	for _, b := range batches {
		names = append(names, b.name)
		done, err := b.finished()
		if err != nil {
			return err
		}
		for _, n := range done {
			b.over[n] = true
			if r, ok := stored[b.orders[n].Key]; !ok || r.Verdict == VerdictError && r.Batch != b.ref(n) {
				s.Waiting++
			}
		}
	}
	tasks, err := slurm.Tasks(ctx, names)
	if err != nil {
		s.Scheduler = err.Error()
	}
	for _, b := range batches {
		for n := range b.orders {
			switch t, known := tasks[b.name][n]; {
			case b.over[n]:
			case known:
				s.Tasks[string(t.State)]++
			case err == nil:
				s.Lost++
			}
		}
	}
	return nil
}

// Text writes the status for people.
func (s *Status) Text(w io.Writer) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("suite", "%s, by executor %s", s.Suite, s.Executor)
	row("done", "%d of %d runs%s; %.0f s of processors", s.Done, s.Runs, counted(s.Verdicts), s.CPU)
	if s.Waiting > 0 {
		row("to collect", "%d results", s.Waiting)
	}
	if len(s.Tasks) > 0 {
		row("tasks", "%s", strings.TrimPrefix(counted(s.Tasks), ": "))
	}
	if s.Lost > 0 {
		row("lost", "%d tasks, which the scheduler does not know", s.Lost)
	}
	if s.Scheduler != "" {
		row("scheduler", "%s", s.Scheduler)
	}
	switch {
	case s.Active:
		row("comus bench", "is at work")
	case s.Done < s.Runs:
		row("comus bench", "is not at work: the same command continues")
	}
	for _, line := range s.Wrong {
		fmt.Fprintln(w, line)
	}
}

// counted returns numbers by name: ": SAFE 3, UNSAFE 2".
func counted(numbers map[string]int) string {
	var out []string
	for name, n := range numbers {
		out = append(out, fmt.Sprintf("%s %d", name, n))
	}
	if out == nil {
		return ""
	}
	slices.Sort(out)
	return ": " + strings.Join(out, ", ")
}
