// Package bench measures verifiers on suites of programs with known verdicts:
// every task of a [Suite] with every [Config], each run in a process group of its
// own that is killed as a whole at the limits of time and memory. This machine makes
// the runs, or those of a cluster ([Slurm]). Runs are appended to a file as they end,
// so that an interrupted measurement goes on where it stopped. From the runs it makes
// a [Report], which is written as CSV, JSON, a Markdown table beside the figures
// published for CoMuS, and plots.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Options says what to run, how, and where to put the results.
type Options struct {
	Suite   *Suite
	Configs []*Config
	Timeout time.Duration // for one run; 0: none
	Memory  int64         // for one run, in bytes; 0: no limit
	Jobs    int           // runs at a time; below 1: one
	Repeat  int           // runs of each task with each configuration; below 1: one
	Dir     string        // output folder

	// Comus is the command that a configuration of comus runs: a program and the
	// name it is called by.
	Comus Program

	// Slurm, if it is not nil, has the scheduler of a cluster make the runs: see [Slurm].
	Slurm *Slurm

	// Terminal shows a progress bar, Messages gets a line for whatever the user
	// should know at once. Both may be nil.
	Terminal, Messages io.Writer
}

// Program is an executable file and what it is called by (argument 0).
type Program struct{ Path, Name string }

// job is one run to make.
type job struct {
	task   *Task
	config *Config
	number int // 1, 2, …, Repeat
}

// Run makes the runs that Dir does not have yet and returns the report on all of
// them. When ctx ends, it kills what is running and returns the report on what
// there is, together with the cause.
func Run(ctx context.Context, o Options) (*Report, error) {
	o.Jobs, o.Repeat = max(o.Jobs, 1), max(o.Repeat, 1)
	if err := o.check(); err != nil {
		return nil, err
	}
	store, err := openStore(filepath.Join(o.Dir, resultsFile))
	if err != nil {
		return nil, err
	}
	defer store.close()
	tool, err := fingerprint(o.Comus.Path)
	if err != nil {
		return nil, err
	}
	b := &benchmark{Options: o, store: store, tool: tool}
	if err := b.writePlan(); err != nil {
		return nil, err
	}
	jobs := b.missing()
	b.screen = newScreen(o.Terminal, o.Messages, len(b.jobs()), len(b.jobs())-len(jobs))
	if len(o.Suite.Skipped) > 0 {
		b.screen.printf("skipped, without a verdict: %s", strings.Join(o.Suite.Skipped, ", "))
	}
	if o.Slurm != nil {
		err = b.campaign(ctx, jobs)
	} else {
		err = b.runAll(ctx, jobs)
	}
	b.screen.close()
	return b.report(), errors.Join(err, store.close())
}

// check refuses what cannot be run.
func (o *Options) check() error {
	if o.Suite == nil || len(o.Suite.Tasks) == 0 {
		return errors.New("no task to run")
	}
	if len(o.Configs) == 0 {
		return errors.New("no configuration to run")
	}
	names := map[string]bool{}
	for _, c := range o.Configs {
		if names[slug(c.Name)] { // it names files
			return fmt.Errorf("two configurations are named %q: name them with ';; name=…'", c.Name)
		}
		names[slug(c.Name)] = true
		if c.Foreign {
			if _, err := exec.LookPath(c.args[0]); err != nil {
				return fmt.Errorf("configuration %s: %w", c.Name, err)
			}
		}
	}
	tasks := map[string]bool{}
	for _, t := range o.Suite.Tasks {
		if tasks[t.Name] {
			return fmt.Errorf("%s has two tasks %s", o.Suite.Name, t.Name)
		}
		tasks[t.Name] = true
		for _, c := range o.Configs {
			if t.Threads == 0 && c.needsThreads() {
				return fmt.Errorf("configuration %s needs the number of threads, which is not known for %s", c.Name, t.Name)
			}
			if t.Property != "" && c.asks() {
				return fmt.Errorf("configuration %s says what is asked about, and so does the suite for %s", c.Name, t.Name)
			}
		}
	}
	return os.MkdirAll(o.Dir, 0o755)
}

// benchmark is one call of Run.
type benchmark struct {
	Options
	store  *store
	screen *screen
	tool   string // fingerprint of the comus under test
}

// jobs returns all runs. Repetitions come last, so that there is an answer for
// everything early on, and configurations side by side, so that a slow phase of
// the machine hits all of them.
func (b *benchmark) jobs() []job {
	var jobs []job
	for n := 1; n <= b.Repeat; n++ {
		for _, t := range b.Suite.Tasks {
			for _, c := range b.Configs {
				jobs = append(jobs, job{t, c, n})
			}
		}
	}
	return jobs
}

// missing returns the runs that the store does not have, and those that failed: it
// may have been for something that is repaired now.
func (b *benchmark) missing() []job {
	var jobs []job
	for _, j := range b.jobs() {
		if r, ok := b.store.get(b.key(j)); !ok || r.Verdict == VerdictError {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// key returns what a run is found by: everything that its result depends on.
func (b *benchmark) key(j job) Key {
	k := Key{Task: j.task.Name, Hash: j.task.Hash, Config: j.config.Text, Run: j.number,
		Timeout: b.Timeout.Seconds(), Memory: b.Memory, Property: j.task.Property, DataModel: j.task.DataModel}
	if !j.config.Foreign {
		k.Tool = b.tool
	}
	return k
}

// runAll makes runs, several at a time, until all are made or ctx ends.
func (b *benchmark) runAll(ctx context.Context, jobs []job) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan job)
	var workers sync.WaitGroup
	for range min(b.Jobs, max(len(jobs), 1)) {
		workers.Go(func() {
			for j := range queue {
				if err := b.run(ctx, j); err != nil {
					cancel(err)
				}
			}
		})
	}
feed:
	for _, j := range jobs {
		select {
		case queue <- j:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// run makes one run and stores its result, unless ctx ends before.
func (b *benchmark) run(ctx context.Context, j job) error {
	if ctx.Err() != nil {
		return nil
	}
	b.screen.start(j)
	defer b.screen.end()
	r, err := b.order(j, b.Comus.Path).run(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	return b.take(r, j)
}

// take stores the result of a run.
func (b *benchmark) take(r *Result, j job) error {
	if err := b.store.add(r); err != nil {
		return err
	}
	if r.Wrong() {
		b.screen.live(wrongLine(r.Task, j.config.Name, r.Verdict, r.Expect))
	}
	return nil
}

// logs returns the beginning of the names of the files with what a run prints.
func (b *benchmark) logs(j job) string {
	return filepath.Join(b.Dir, "logs", slug(j.config.Name), fmt.Sprintf("%s.%d", fileName(j.task.Name), j.number))
}

// wrongLine words a wrong verdict.
func wrongLine(task, config, verdict, expect string) string {
	return fmt.Sprintf("wrong verdict: %s: %s says %s, expected is %s", task, config, verdict, expect)
}

// ownGrace is how long after its own limit of time comus may still print what it
// has.
const ownGrace = 3 * time.Second

// milli returns a time in seconds, to the millisecond.
func milli(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

// fileName makes a file name of a task's name, a different one for each.
func fileName(task string) string {
	name := slug(task)
	if name != task {
		name += "-" + hash([]byte(task))[:6]
	}
	return name
}

// slug makes a file name of a name.
func slug(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '-'
	}, name), "-.")
}
