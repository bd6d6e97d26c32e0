package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"comus/comus"
	"comus/ir/passes"
	"comus/seqmc"
)

// exploreFlags are the flags of comus explore.
type exploreFlags struct {
	reduce               *choiceFlag
	maxStates, maxInputs int
	passes               passesFlag
	cert                 fileFlag
}

// maxInputs bounds --max-inputs: the values are listed.
const maxInputs = 1 << 24

// exploreCommand returns "comus explore". It has the flags of a verification that
// say how C is read, which must have been defined.
func (c *command) exploreCommand() *cobra.Command {
	x := &exploreFlags{reduce: choice("auto", "on", "off"), passes: passesFlag{}}
	cmd := &cobra.Command{
		Use:   "explore [flags] prog.c ...",
		Short: "Decide a small program by visiting all its states",
		Long: `explore visits every reachable state of a program, step by step, the nearest first.
It decides programs with finitely many states exactly. SAFE says how many states there
are. UNSAFE prints an execution with the fewest steps. A program with inputs of more
values than --max-inputs, or with more states than --max-states, gives UNKNOWN.

--reduce=on leaves out interleavings that differ only in the order of independent
steps. The verdict is the same, and there are fewer states. The execution of UNSAFE may
then be longer than the shortest. --reduce=auto begins with this after a million states.

If the program has weak memory orders, explore visits its execution graphs instead. A
graph says which write each atomic access reads, and in which order writes come. --stats
counts them for any program.

explore confirms UNSAFE by replaying the execution. It confirms SAFE by a second pass: the
interpreter of the reference semantics takes all steps from all states again, and each has
to lead to a state that was visited. There is no certificate of SAFE.`,
		Example: `  comus explore examples/counter_race.c
  comus explore --reduce on --max-states 50000000 --memory 4GB prog.c`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && len(c.in.flags) == 0 && c.in.database == "" {
				return errors.New("usage: comus explore [flags] FILE.c, one or more")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return c.explore(args, x) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(x.reduce, "reduce", "leave out interleavings that differ in independent steps only: "+x.reduce.list())
	f.IntVar(&x.maxStates, "max-states", 10_000_000, "give up after this many states")
	f.IntVar(&x.maxInputs, "max-inputs", 256, "give up at an input or uninitialised variable with more values")
	f.Var(&x.cert, "certificate", "write the execution of UNSAFE to this `file`")
	c.annotated.define(f)
	f.Var(&c.html, "html", "write a page to read the result in a browser to this `file` or folder")
	c.sourceFlags(f)
	f.Var(c.dataModel, "data-model", "widths of C's types: "+c.dataModel.list())
	f.Var(c.orders, "memory-model", "what memory orders mean: "+c.orders.list())
	f.BoolVar(&c.stats, "stats", false, "count the execution graphs of the program in its memory model")
	f.Var(c.overflow, "overflow", "signed overflow is assumed absent, an error, or wraps: "+c.overflow.list())
	f.Var(c.atomic, "atomic", "what no other thread interrupts: "+c.atomic.list())
	c.asked.define(f)
	f.IntVar(&c.opts.Question.Unwind, "unwind", 8, "recursive calls of one function within one another")
	f.IntVar(&c.opts.Question.MaxThreads, "max-threads", 3, "threads created by a loop without constant bounds")
	f.IntVar(&c.opts.Question.MaxAllocs, "max-allocs", 3, "objects allocated by a call in a loop without constant bounds")
	f.IntVar(&c.opts.Question.UnrollLimit, "unroll", 64, "largest loop with constant bounds to unroll")
	f.Var(&x.passes, "passes", "simplifications of the program, in order: all (but "+passes.Webs+"), none, or "+strings.Join(passes.Names(), ", "))
	c.profile.define(f)
	c.forceFlag(f)
	return cmd
}

// explore explores the program of some files and prints the verdict.
func (c *command) explore(files []string, x *exploreFlags) error {
	read, err := c.options()
	switch {
	case err != nil:
		return err
	case x.maxStates < 1:
		return errors.New("comus: --max-states must be at least 1")
	case x.maxInputs < 1 || x.maxInputs > maxInputs:
		return fmt.Errorf("comus: --max-inputs must be between 1 and %d", maxInputs)
	}
	units, err := c.begin(files, files, output{flag: "--certificate", file: string(x.cert), kind: aCertificate})
	if err != nil {
		return err
	}
	start := time.Now()
	opts := comus.ExploreOptions{Source: read.Source, Question: read.Question, Passes: x.passes, MaxStates: x.maxStates, MaxInputs: x.maxInputs, Graphs: c.stats,
		MaxBytes: c.memory.bytes / 2, // tables need twice their size while they grow
		Reduce:   map[string]comus.Reduction{"auto": comus.ReduceAuto, "on": comus.ReduceOn, "off": comus.ReduceOff}[x.reduce.value]}
	if c.con.terminal && !c.quiet {
		opts.Observe = func(met, done int) {
			c.con.progress(fmt.Sprintf("%d states, %d of them done, %.0f s", met, done, time.Since(start).Seconds()))
		}
	}
	results := make(chan *comus.ExploreResult, 1) // not a variable: the work may outlive its supervision
	res, err := c.profiled(func(ctx context.Context) (*comus.Result, error) {
		source, err := comus.Open(ctx, units, opts.Source)
		if err != nil {
			return nil, err
		}
		res, err := source.Explore(ctx, opts)
		if err != nil {
			return nil, err
		}
		results <- res
		return &res.Result, nil
	})
	if err != nil {
		return err
	}
	r := &exploreReport{report: report{title: title(units), file: units[0].File, res: res, asked: opts.Question.Check.Names()}}
	select {
	case r.explored = <-results:
	default:
		r.explored = &comus.ExploreResult{}
	}
	res.Engine = "explore"
	if err := r.write(string(x.cert), c.words(files)); err != nil {
		return err
	}
	if err := newPages(c.html).write(&r.report); err != nil {
		return err
	}
	return c.present(&r.report, r.text, r.json)
}

// exploreReport is what comus explore prints before its verdict.
type exploreReport struct {
	report
	explored *comus.ExploreResult // empty if the exploration did not come to an end
}

// text prints the report for people.
func (r *exploreReport) text(w io.Writer) {
	res, x := r.res, r.explored
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	r.outcome(w)
	r.verdicts(row)
	row("engine", "%s", res.Engine)
	if x.States > 0 {
		row("states", "%d (%d bytes each)%s", x.States, x.Bytes/int64(x.States), r.reduction())
	}
	if g := x.Graphs; g != nil {
		more := ""
		if !g.Complete {
			more = "; there may be more: " + g.Why
		}
		row("graphs", "%s of executions that end, %d in which threads are blocked%s", count(g.Executions, "execution graph"), g.Blocked, more)
	}
	r.assumptions(row)
	switch {
	case res.Verdict == seqmc.Safe && x.States == 0:
		row("evidence", "all execution graphs visited once more, in another order, in %s", seconds(res.CheckTime))
	case res.Verdict == seqmc.Safe:
		row("evidence", "all %s visited, re-checked with the interpreter in %s", count(x.States, "state"), seconds(res.CheckTime))
	case res.Verdict == seqmc.Unsafe && x.States == 0:
		row("execution", "a run of the whole program, replayed")
	case res.Verdict == seqmc.Unsafe:
		fewest := ""
		if x.Shortest {
			fewest = ", the fewest possible"
		}
		row("execution", "%s with those not shown%s, replayed", count(len(res.Trace.Steps), "step"), fewest)
		if r.certificate != "" {
			row("written to", "%s", r.certificate)
		}
	}
	r.suspicion(row)
	if r.page != "" {
		row("page", "%s", r.page)
	}
	row("time", "%s", seconds(res.Elapsed))
}

// reduction says which interleavings the states are those of.
func (r *exploreReport) reduction() string {
	if r.explored.Reduced {
		return ", independent steps in one order only"
	}
	return ", all interleavings"
}

// jsonExploration is the object that comus explore --json prints: that of a
// verification, and what is known of the states.
type jsonExploration struct {
	jsonReport
	Graphs     int   `json:"graphs"` // of executions that end
	Blocked    int   `json:"blocked_graphs"`
	States     int   `json:"states"`
	StateBytes int64 `json:"state_bytes"` // of all stored states together
	Reduced    bool  `json:"reduced"`
	Steps      int   `json:"steps"`    // UNSAFE: of the execution, with those not shown
	Shortest   bool  `json:"shortest"` // UNSAFE: no execution has fewer
}

// json prints the report as one object.
func (r *exploreReport) json(w io.Writer) error {
	res, x := r.res, r.explored
	out := jsonExploration{States: x.States, StateBytes: x.Bytes, Reduced: x.Reduced, Steps: len(res.Trace.Steps), Shortest: x.Shortest,
		jsonReport: jsonReport{File: r.file, Verdict: res.Verdict.String(), Engine: res.Engine,
			Seconds: rounded(res.Elapsed), CheckSeconds: rounded(res.CheckTime), MemoryBytes: peakMemory(),
			Assumptions: append([]string{}, res.Assumptions...), Warnings: append([]string{}, res.Warnings...),
			Certificate: r.certificate, Counterexample: []jsonStep{}, Components: jsonComponents(res.Components)}}
	if x.Graphs != nil {
		out.Graphs, out.Blocked = x.Graphs.Executions, x.Graphs.Blocked
	}
	r.jsonOutcome(&out.jsonReport)
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
