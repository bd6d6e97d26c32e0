package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"comus/boolprog"
	"comus/boolprog/bdd"
	"comus/boolprog/cba"
	"comus/boolprog/interp"
	"comus/comus"
	"comus/seqmc"
)

// boolCommand returns "comus bool".
func (c *command) boolCommand() *cobra.Command {
	o := cba.Options{}
	method := choice("lazy", "eager", "sequential")
	cmd := &cobra.Command{
		Use:   "bool [flags] prog.bp",
		Short: "Decide a concurrent Boolean program under a bound on contexts",
		Long: `bool decides whether an assertion of a concurrent Boolean program can fail within
K rounds of its threads. The threads take turns in the order of their declaration,
and each has at most K execution contexts. Procedures may be recursive.

UNSAFE prints an execution, which was replayed. If there is no error within K
contexts, the verdict is UNKNOWN, or SAFE for a program with one thread.
docs/boolean-programs.md has the language.`,
		Example: `  comus bool --contexts 2 examples/boolprog/bluetooth.bp
  comus bool --contexts 3 --method eager prog.bp`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("usage: comus bool [flags] prog.bp")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			o.Method = map[string]cba.Method{"lazy": cba.Lazy, "eager": cba.Eager, "sequential": cba.Sequential}[method.value]
			return c.boolean(args[0], o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.Contexts, "contexts", 2, fmt.Sprintf("execution contexts of each thread, at most %d", cba.MaxContexts))
	f.Var(method, "method", "how the contexts are put together: "+method.list())
	f.IntVar(&o.MaxNodes, "max-nodes", 50_000_000, "give up above this many BDD nodes, of about 32 bytes each (0: never)")
	return cmd
}

// boolean decides the Boolean program in a file and prints the verdict.
func (c *command) boolean(file string, o cba.Options) error {
	if o.Contexts < 1 || o.Contexts > cba.MaxContexts {
		return fmt.Errorf("comus: --contexts must be from 1 to %d", cba.MaxContexts)
	}
	if o.MaxNodes < 0 {
		return errors.New("comus: --max-nodes must not be negative")
	}
	results := make(chan *cba.Result, 1) // not a variable: the work may outlive its supervision
	res, err := c.supervise(func(ctx context.Context) (*comus.Result, error) {
		p, err := boolprog.ParseFile(file)
		if err != nil {
			return nil, err
		}
		found, err := cba.Analyze(ctx, p, o)
		var broken *cba.InternalError
		var limit *bdd.LimitError
		switch {
		case errors.As(err, &broken):
			return nil, &crashError{broken.Error()}
		case errors.As(err, &limit):
			return &comus.Result{Verdict: seqmc.Unknown, Reason: limit.Error()}, nil
		case err != nil:
			return nil, err
		}
		results <- found
		return boolVerdict(found, o), nil
	})
	if err != nil {
		return err
	}
	r := &boolReport{file: file, res: res, options: o}
	select {
	case r.found = <-results:
	default:
		r.found = &cba.Result{}
	}
	c.code = exitCode(res.Verdict)
	if c.json {
		return r.json(c.con)
	}
	if !c.quiet {
		if err := r.text(c.con); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(c.con, verdictLine(res.Verdict, res.Reason))
	return err
}

// boolVerdict returns what an analysis says about the program.
func boolVerdict(found *cba.Result, o cba.Options) *comus.Result {
	switch {
	case found.Unsafe:
		return &comus.Result{Verdict: seqmc.Unsafe}
	case found.Complete:
		return &comus.Result{Verdict: seqmc.Safe}
	}
	return &comus.Result{Verdict: seqmc.Unknown, Reason: fmt.Sprintf("no error within %s of each thread", count(o.Contexts, "context"))}
}

// boolReport is what comus bool prints before its verdict.
type boolReport struct {
	file    string
	res     *comus.Result
	options cba.Options
	found   *cba.Result // empty if the analysis did not come to an end
}

// text prints the report for people.
func (r *boolReport) text(w io.Writer) error {
	what := "no assertion can fail"
	switch {
	case r.found.Unsafe:
		what = "an assertion can fail, by these steps:"
	case r.res.Verdict == seqmc.Unknown:
		what = "not decided"
	}
	fmt.Fprintf(w, "%s: %s\n", r.file, what)
	if r.found.Unsafe {
		tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintf(tab, "\n  round\tthread\tline\tstatement\teffect\n")
		for _, s := range boolTrace(r.found.Execution) {
			thread := "initially\t\t"
			if s.Line > 0 {
				thread = fmt.Sprintf("%d %s\t%d\t%s", s.Thread, s.ThreadName, s.Line, s.Statement)
			}
			fmt.Fprintf(tab, "  %d\t%s\t%s\n", s.Round, thread, strings.Join(s.Changes, ", "))
		}
		if err := tab.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("engine", "%s", r.engine())
	if r.found.Unsafe {
		row("execution", "%s in %s of each thread, replayed", count(len(r.found.Execution.Steps), "step"), count(r.found.Contexts, "context"))
	}
	if r.found.Nodes > 0 {
		row("BDD nodes", "%d", r.found.Nodes)
	}
	row("time", "%s", seconds(r.res.Elapsed))
	return nil
}

// engine names the analysis.
func (r *boolReport) engine() string {
	return fmt.Sprintf("Boolean program, %s, at most %s of each thread", r.options.Method, count(r.options.Contexts, "context"))
}

// jsonBool is the object that comus bool --json prints.
type jsonBool struct {
	File     string     `json:"file"`
	Verdict  string     `json:"verdict"`
	Reason   string     `json:"reason"` // "" unless the verdict is UNKNOWN
	Method   string     `json:"method"`
	Contexts int        `json:"contexts"` // of each thread, at most
	Nodes    int        `json:"bdd_nodes"`
	Seconds  float64    `json:"seconds"`
	Memory   int64      `json:"memory_bytes"`
	Steps    []boolStep `json:"counterexample"`
}

// boolStep is a step of an execution; the first one, without a line, is its start.
type boolStep struct {
	Round      int      `json:"round"`
	Thread     int      `json:"thread"`
	ThreadName string   `json:"thread_name"`
	Line       int      `json:"line"`
	Column     int      `json:"column"`
	Statement  string   `json:"statement"`
	Changes    []string `json:"changes"`
}

// json prints the report as one object.
func (r *boolReport) json(w io.Writer) error {
	out := jsonBool{File: r.file, Verdict: r.res.Verdict.String(), Method: r.options.Method.String(), Contexts: r.options.Contexts,
		Nodes: r.found.Nodes, Seconds: rounded(r.res.Elapsed), Memory: peakMemory(), Steps: []boolStep{}}
	if r.res.Verdict == seqmc.Unknown {
		out.Reason = oneLine(r.res.Reason)
	}
	if r.found.Unsafe {
		out.Steps = boolTrace(r.found.Execution)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// boolTrace returns the steps of an execution that are statements, with what they
// change.
func boolTrace(x *interp.Execution) []boolStep {
	p := x.Program
	first := boolStep{Round: 1}
	for i, name := range p.Globals {
		first.Changes = append(first.Changes, fmt.Sprintf("%s = %d", name, digit(x.Globals[i])))
	}
	steps := []boolStep{first}
	globals := x.Globals
	stacks := make([][]boolFrame, len(p.Threads))
	for i, f := range p.Threads {
		stacks[i] = []boolFrame{{f, x.Vars[i]}}
	}
	for _, s := range x.Steps {
		stack := stacks[s.Thread]
		step := boolStep{Round: s.Round, Thread: s.Thread, ThreadName: p.Threads[s.Thread].Name, Changes: changes(p.Globals, globals, s.Globals)}
		globals = s.Globals
		switch {
		case s.Edge == nil:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			step.Statement, step.Line, step.Column = "end of "+top.proc.Name, top.proc.Nodes[top.proc.Exit].Pos.Line, top.proc.Nodes[top.proc.Exit].Pos.Col
		case s.Edge.Callee != nil:
			f := s.Edge.Callee
			stack = append(stack, boolFrame{f, s.Vars})
			for i := range f.Params {
				step.Changes = append(step.Changes, fmt.Sprintf("%s = %d", f.Vars[i], digit(s.Vars[i])))
			}
		}
		if s.Edge != nil {
			step.Statement, step.Line, step.Column = s.Edge.Text, s.Edge.Pos.Line, s.Edge.Pos.Col
		}
		if (s.Edge == nil || s.Edge.Callee == nil) && len(stack) > 0 {
			top := &stack[len(stack)-1]
			step.Changes = append(step.Changes, changes(top.proc.Vars, top.vars, s.Vars)...)
			top.vars = s.Vars
		}
		stacks[s.Thread] = stack
		if step.Statement != "" {
			steps = append(steps, step)
		}
	}
	return steps
}

// boolFrame is a procedure that runs, with its variables.
type boolFrame struct {
	proc *boolprog.Proc
	vars []bool
}

// changes lists the variables that have changed.
func changes(names []string, before, after []bool) []string {
	l := []string{}
	for i, name := range names {
		if before[i] != after[i] {
			l = append(l, fmt.Sprintf("%s: %d -> %d", name, digit(before[i]), digit(after[i])))
		}
	}
	return l
}

// digit writes a value as 0 or 1.
func digit(v bool) int {
	if v {
		return 1
	}
	return 0
}
