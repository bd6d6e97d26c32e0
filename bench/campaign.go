package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"comus/bench/slurm"
	"comus/internal/whole"
)

// Slurm says how runs are made by the scheduler of a cluster. They are submitted as arrays ([batch]); a task writes its
// result to a file in the output folder, which all machines have to share, and comus bench collects it from there: it
// alone writes to the file of results, and takes one result for each run. Nothing is lost if comus bench is killed: what was
// submitted goes on, and the next call finds it by its name.
type Slurm struct {
	Flags  []string // more flags of sbatch
	AtOnce int      // runs at a time; 0: as many as there is room for
	// Poll is how often the scheduler is asked; 0: every 5 seconds. Lag is how long the result of a task that has ended may
	// take to appear in the shared folder; 0: a minute, as NFS may.
	Poll, Lag time.Duration
}

// maxTries bounds how often a run is submitted whose task is lost, in one call.
const maxTries = 3

// What the scheduler allows a run beyond its limits, which are kept by the task itself, and exactly: its own are the wall
// behind it.
const (
	extraTime   = 30 * time.Second
	extraMemory = 256 << 20
)

// campaign is a measurement by a scheduler.
type campaign struct {
	*benchmark
	Slurm
	dir     string // for batches
	worker  Program
	wanted  map[Key]job
	tries   map[Key]int
	batches []*batch
	// ended is when a task was first seen to have ended without a result, or to be unknown to the scheduler.
	ended map[lost]time.Time
	quiet bool // the scheduler did not answer, which has been told
}

// lost is a task that has perhaps left no result.
type lost struct {
	batch string
	n     int
}

// campaign has the scheduler make runs.
func (b *benchmark) campaign(ctx context.Context, jobs []job) error {
	c := &campaign{benchmark: b, Slurm: *b.Slurm, wanted: map[Key]job{}, tries: map[Key]int{}, ended: map[lost]time.Time{}}
	if c.Poll == 0 {
		c.Poll = 5 * time.Second
	}
	if c.Lag == 0 {
		c.Lag = time.Minute
	}
	for _, j := range jobs {
		c.wanted[b.key(j)] = j
	}
	out, err := filepath.Abs(b.Dir)
	if err != nil {
		return err
	}
	b.Dir = out // the tasks' too
	c.dir = filepath.Join(out, slurmFolder)
	if c.batches, err = openBatches(c.dir); err != nil {
		return err
	}
	if err := c.collect(); err != nil {
		return err
	}
	err = c.watch(ctx, jobs)
	if ctx.Err() != nil && len(c.wanted) > 0 {
		b.screen.printf("the scheduler goes on with what is submitted: the same command collects it, scancel --name=%s ends it", strings.Join(c.open(), ","))
	}
	return err
}

// watch submits runs that nobody is making and collects their results, until there is one of each.
func (c *campaign) watch(ctx context.Context, jobs []job) error {
	for len(c.wanted) > 0 {
		tasks, err := slurm.Tasks(ctx, c.open())
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && len(c.batches) == 0:
			return err
		case err != nil: // it may be away for a while
			if !c.quiet {
				c.screen.printf("%v: asking again", err)
			}
			c.quiet = true
		default:
			c.quiet = false
			if err := c.settle(tasks); err != nil {
				return err
			}
			if err := c.submit(ctx, c.idle(jobs)); err != nil {
				return err
			}
		}
		if len(c.wanted) > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(c.Poll):
			}
		}
		if err := c.collect(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// open returns the names of the batches of which something is expected.
func (c *campaign) open() []string {
	var out []string
	for _, b := range c.batches {
		if slices.Contains(b.over, false) {
			out = append(out, b.name)
		}
	}
	return out
}

// collect takes the results that are there.
func (c *campaign) collect() error {
	for _, b := range c.batches {
		done, err := b.finished()
		if err != nil {
			return err
		}
		for _, n := range done {
			if b.over[n] {
				continue
			}
			r, err := b.result(n)
			if err != nil {
				return err
			}
			if err := c.finish(b, n, r); err != nil {
				return err
			}
		}
		if err := b.close(); err != nil {
			return err
		}
	}
	return nil
}

// finish takes the result of an order, unless there is one of its run: a task that was given up may still have ended, and
// comus bench may have been killed right after it had stored this one. A failed run is made again by the next call.
func (c *campaign) finish(b *batch, n int, r *Result) error {
	b.over[n] = true
	r.Batch = b.ref(n)
	if was, ok := c.store.get(r.Key); ok && (was.Verdict != VerdictError || was.Batch == r.Batch) {
		return nil
	}
	j, ok := c.wanted[r.Key]
	if !ok { // of another suite, perhaps
		return c.store.add(r)
	}
	delete(c.wanted, r.Key)
	c.screen.end()
	return c.take(r, j)
}

// settle decides about the tasks that have ended without a result.
func (c *campaign) settle(tasks map[string]map[int]slurm.Task) error {
	for _, b := range c.batches {
		for n, o := range b.orders {
			t, known := tasks[b.name][n]
			if b.over[n] || known && !t.State.Ended() {
				continue
			}
			at := lost{b.name, n}
			if _, seen := c.ended[at]; !seen {
				c.ended[at] = time.Now()
			}
			if time.Since(c.ended[at]) < c.Lag {
				continue
			}
			if err := c.giveUp(b, n, o, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// giveUp expects nothing of a task any more: the scheduler has killed it, which is an answer, or it is lost, and its run is
// made again unless that has happened too often.
func (c *campaign) giveUp(b *batch, n int, o *order, t slurm.Task) error {
	r := &Result{Key: o.Key, Expect: o.Expect, Began: time.Now().UTC().Truncate(time.Second), Exit: -1, Node: t.Node}
	what := string(t.State)
	if what == "" {
		what = "the scheduler does not know it any more"
	}
	switch {
	case t.State == slurm.TimedOut:
		r.Verdict, r.Seconds = VerdictTimeout, o.Timeout
	case t.State == slurm.OutOfMemory:
		r.Verdict = VerdictMemory
	case t.State == slurm.Cancelled:
		r.Verdict, r.Reason = VerdictError, "cancelled"
	case c.tries[o.Key]+1 < maxTries:
		b.over[n] = true
		if _, ok := c.wanted[o.Key]; ok {
			c.tries[o.Key]++
			c.screen.printf("%s, %s: lost (%s): is submitted again", o.Task, o.Config, what)
		}
		return b.close()
	default:
		r.Verdict, r.Reason = VerdictError, fmt.Sprintf("lost %d times (%s)", maxTries, what)
	}
	return errors.Join(c.finish(b, n, r), b.close())
}

// idle returns the runs that are wanted and that no open batch has an order for.
func (c *campaign) idle(jobs []job) []job {
	busy := map[Key]bool{}
	for _, b := range c.batches {
		for n, o := range b.orders {
			if !b.over[n] {
				busy[o.Key] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(jobs), func(j job) bool {
		k := c.key(j)
		_, wanted := c.wanted[k]
		return busy[k] || !wanted
	})
}

// submit hands runs to the scheduler.
func (c *campaign) submit(ctx context.Context, jobs []job) error {
	if len(jobs) == 0 {
		return nil
	}
	most, err := slurm.MaxTasks(ctx)
	if err != nil {
		return err
	}
	if c.worker.Path == "" {
		if err := c.copyComus(); err != nil {
			return err
		}
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	for part := range slices.Chunk(jobs, most) {
		var orders []*order
		for _, j := range part {
			o := c.order(j, c.worker.Path)
			if o.Text, err = fingerprint(o.File); err != nil {
				return err
			}
			orders = append(orders, o)
		}
		name := fmt.Sprintf("comus-%s-%s", time.Now().UTC().Format("20060102-150405"), rand.Text()[:6])
		b, err := newBatch(c.dir, name, orders, c.worker)
		if err != nil {
			return err
		}
		a := slurm.Array{Name: name, Tasks: len(orders), AtOnce: c.AtOnce, Dir: here, Flags: c.Flags,
			Output: filepath.Join(b.dir, "task-%a.log"), Script: filepath.Join(b.dir, scriptFile)}
		if c.Timeout > 0 {
			a.Time = c.Timeout + ownGrace + extraTime
		}
		if c.Memory > 0 {
			a.Memory = c.Memory + c.Memory/10 + extraMemory
		}
		id, err := slurm.Submit(ctx, a)
		if ctx.Err() != nil {
			return context.Cause(ctx) // perhaps it is submitted: then the next call finds it by its name
		}
		if err != nil {
			return errors.Join(err, os.RemoveAll(b.dir))
		}
		c.batches = append(c.batches, b)
		c.screen.printf("submitted: %d runs as job %s, %s", len(orders), id, name)
	}
	return nil
}

// copyComus copies the comus under test to where all machines see it and nobody replaces it meanwhile.
func (c *campaign) copyComus() error {
	c.worker = Program{filepath.Join(c.dir, "comus-"+c.tool), c.Comus.Name}
	if now, err := fingerprint(c.worker.Path); err == nil && now == c.tool {
		return nil
	}
	text, err := os.ReadFile(c.Comus.Path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		return err
	}
	if err := whole.WriteFile(c.worker.Path, text); err != nil {
		return err
	}
	return os.Chmod(c.worker.Path, 0o755)
}
