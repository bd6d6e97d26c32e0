package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"comus/bench"
	"comus/examples/gen"
	"comus/task"
)

// exitWrong is the exit code of "comus bench" after a wrong verdict.
const exitWrong = 1

// benchFlags are the flags of "comus bench".
type benchFlags struct {
	configs      []string
	html         fileFlag
	ablate       []string
	jobs, repeat int
	only, dir    string
	maxInput     int
	executor     *choiceFlag
	slurm        string
}

// benchCommand returns "comus bench".
func (c *command) benchCommand() *cobra.Command {
	b := benchFlags{executor: choice("local", "slurm")}
	cmd := &cobra.Command{
		Use:   "bench SUITE",
		Short: "Measure verifiers on a suite of programs with known verdicts",
		Long: `bench runs every program of a suite with every configuration, each in a process of
its own within --timeout and --memory, and writes tables (Markdown, CSV, JSON) and
plots (SVG). A run that is in the output folder already is not repeated.

SUITE is a folder of C programs, or one such program. Each has its verdict in the first
line (// expect: SAFE) or in the folder's INDEX.tsv: path, tab, true or false, and perhaps
tab, property, tab, LP64 or ILP32. The property is named as --check or SV-COMP names it.
Or SUITE is made by the generators: fig5 and fig6 (the paper's), scale (more threads),
growth (small steps, for the exponent of the time), local (properties of two threads among
more and more others), families (locks, buffers, threads that are alike, accounts, lists),
relay (3 to 48 stages), varied (the same programs, written in other ways). "bool" measures
comus bool on models of a driver, with more and more threads and contexts (--timeout is
for each run). --max-input is for verifiers whose integers have some bits: these see
overflows where comus assumes that there are none.

A configuration is a strategy and flags of comus without their dashes, with commas. Or it
is cmd: and a foreign command, in which {file} stands for the program and {threads} or
{threads+N} for its number of threads. ";; name=NAME" after it names it in the tables.
";; safe=REGEXP" and ";; unsafe=REGEXP" find the verdicts of a command (default: those of
CBMC). --ablate measures each configuration of comus once more without each of some
techniques, which the flags that begin with --no- name: --ablate census,lemmas is for
--no-census and for --no-lemmas.

With --executor slurm, the scheduler of a cluster makes the runs, on machines that share
the output folder. The command waits for the results. If it is killed, the runs go on, and
the same command collects them. bench status FOLDER tells how far it is.

The exit code is 0, or 1 if a verdict was wrong (or 2 after an error, 20 if the
measurement was interrupted: the same command continues it).`,
		Example: `  comus bench fig5 --timeout 60s --repeat 3
  comus bench examples --config modular --config modular,no-seed
  comus bench fig5 --max-input 1000 --config modular --config 'cmd:cbmc --unwind {threads+1} --no-unwinding-assertions --no-standard-checks {file}'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("usage: comus bench [flags] SUITE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.claimFolder(b.dir, "-o", aMeasurement); err != nil {
				return err
			}
			if err := c.claim([]output{b.html.pageOutput()}, args[0]); err != nil {
				return err
			}
			if args[0] == bench.BoolSuite {
				return c.benchBool(b)
			}
			return c.bench(args[0], b, cmd.Flags().Changed("jobs"))
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&b.configs, "config", []string{"modular"}, "a `configuration` to measure (may be repeated)")
	f.StringSliceVar(&b.ablate, "ablate", nil, "`techniques` to measure each configuration without, one at a time")
	f.StringVarP(&b.dir, "output", "o", "bench-results", "`folder` for results, tables and plots")
	f.Var(&b.html, "html", "write a page with the tables and plots to this `file` or folder, too")
	f.IntVar(&b.repeat, "repeat", 1, "runs of each program; the tables have the medians")
	f.IntVar(&b.jobs, "jobs", 1, "runs at a time; more than one disturb each other's times")
	f.StringVar(&b.only, "only", "", "only the programs whose names match this `regexp`")
	f.IntVar(&b.maxInput, gen.FlagMaxInput, 0, "the largest `input` of generated programs, so that no int overflows (0: any int)")
	f.Var(b.executor, "executor", "what makes the runs, this machine or a cluster: "+b.executor.list())
	f.StringVar(&b.slurm, "slurm", "", "more `flags` for sbatch, such as '--partition=long --cpus-per-task=4'")
	c.forceFlag(f)
	f.SortFlags = false
	cmd.AddCommand(c.benchStatusCommand(), c.benchTaskCommand())
	return cmd
}

// bench runs a suite and writes what comes out. limited tells whether --jobs was given.
func (c *command) bench(suite string, b benchFlags, limited bool) error {
	opts, err := c.benchOptions(suite, b)
	if err == nil {
		opts.Slurm, err = b.scheduler(limited)
	}
	if err != nil {
		return fmt.Errorf("comus: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	rep, err := bench.Run(ctx, opts)
	interrupted := ctx.Err() != nil
	if rep == nil || err != nil && !interrupted {
		return fmt.Errorf("comus: %w", err)
	}
	files, err := rep.Write(b.dir)
	if err != nil {
		return fmt.Errorf("comus: %w", err)
	}
	if b.html != "" {
		if err := writeBench(b.html, rep); err != nil {
			return err
		}
		page, _ := b.html.page()
		files = append(files, page)
	}
	switch {
	case c.json:
		err = rep.JSON(c.con)
	case !c.quiet:
		if err = rep.Markdown(c.con); err == nil {
			_, err = fmt.Fprintf(c.con, "Written: %s\n", strings.Join(files, ", "))
		}
	}
	if interrupted {
		c.con.errorf("interrupted: the same command continues")
		c.code = exitUnknown
	}
	for _, line := range rep.Wrong() {
		c.con.errorf("%s", line)
		c.code = exitWrong
	}
	return err
}

// checkFlags refuses flags that a verification would refuse.
func checkFlags(flags []string) error {
	c := &command{con: newConsole(io.Discard, io.Discard)}
	if err := c.root().ParseFlags(flags); err != nil {
		return err
	}
	_, err := c.options()
	return err
}

// ablated returns the configurations, each of comus followed by those without a technique.
func (b benchFlags) ablated() []string {
	var out []string
	for _, text := range b.configs {
		out = append(out, text)
		main, _, _ := strings.Cut(text, ";;")
		if main = strings.TrimSpace(main); strings.HasPrefix(main, "cmd:") {
			continue
		}
		for _, technique := range trimmed(b.ablate) {
			out = append(out, main+",no-"+technique)
		}
	}
	return out
}

// benchOptions finds the suite and reads the configurations.
func (c *command) benchOptions(suite string, b benchFlags) (bench.Options, error) {
	o := bench.Options{Timeout: c.timeout.d, Memory: c.memory.bytes, Jobs: b.jobs, Repeat: b.repeat, Dir: b.dir}
	if b.jobs < 1 || b.repeat < 1 {
		return o, errors.New("--jobs and --repeat must be at least 1")
	}
	for _, text := range b.ablated() {
		config, err := bench.ParseConfig(text)
		if err != nil {
			return o, err
		}
		if err := checkFlags(config.Flags()); err != nil {
			return o, fmt.Errorf("configuration %q: %s", text, strings.TrimPrefix(err.Error(), "comus: ")) // also --help is one
		}
		o.Configs = append(o.Configs, config)
	}
	exe, err := os.Executable()
	if err != nil {
		return o, err
	}
	o.Comus = bench.Program{Path: exe, Name: os.Args[0]}
	if !c.quiet {
		o.Messages = c.con.during(true)
		if c.con.terminal {
			o.Terminal = c.con.err
		}
	}
	if bench.IsNamed(suite) {
		if err := bench.Begin(b.dir, suite); err != nil {
			return o, err
		}
		o.Suite, err = bench.Generate(suite, filepath.Join(b.dir, "programs"), func(in bench.Instance) (string, error) {
			o := gen.Options{Threads: in.Threads, Unsafe: in.Unsafe, Ring: in.Ring, Local: in.Local, Size: in.Size, Iterations: in.Iterations}
			if in.Vary != "" {
				o.Vary = strings.Split(in.Vary, ",")
			}
			if gen.Has(in.Kind, gen.FlagMaxInput) {
				o.MaxInput = b.maxInput
			}
			return gen.Generate(in.Kind, o)
		})
	} else if b.maxInput != 0 {
		err = fmt.Errorf("--%s is for generated suites only: %s", gen.FlagMaxInput, strings.Join(bench.Names, ", "))
	} else if _, err = os.Stat(suite); err == nil || task.IsPattern(suite) {
		o.Suite, err = bench.LoadSuite(suite)
	} else {
		err = fmt.Errorf("%w (suites by name: %s)", fileError(suite, err), strings.Join(append(slices.Clone(bench.Names), bench.BoolSuite), ", "))
	}
	if err != nil {
		return o, err
	}
	if b.only != "" {
		re, err := regexp.Compile(b.only)
		if err != nil {
			return o, fmt.Errorf("--only: %w", err)
		}
		if err := o.Suite.Keep(re); err != nil {
			return o, err
		}
	}
	return o, nil
}
