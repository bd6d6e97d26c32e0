package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"comus/comus"
	"comus/ir/cgen"
	"comus/ir/passes"
	"comus/memory"
	"comus/query"
	"comus/replay"
	"comus/specialise"
)

// command is one run of the command line.
type command struct {
	con  *console
	code int // exit code of a run without error

	timeout   timeoutFlag
	sanitize  timeoutFlag
	memory    sizeFlag
	logLevel  levelFlag
	quiet     bool
	json      bool
	stats     bool
	verbose   bool
	profile   profileFlags
	show      showFlag
	force     bool // files are written over
	cert      fileFlag
	annotated annotations
	html      fileFlag
	witness   fileFlag
	order     []string
	daemons   []string
	asked     asked
	dataModel *choiceFlag
	overflow  *choiceFlag
	orders    *choiceFlag // what memory orders mean
	atomic    *choiceFlag
	strategy  *choiceFlag
	seqmc     *choiceFlag
	tool      toolFlags
	opts      comus.Options
	in        inputs
	send      bool           // the result is for a process that runs a portfolio
	reading   string         // where that tells what it has read
	given     *pflag.FlagSet // the flags of a verification
	// maxThreads is the flag of that name, of a verification.
	maxThreads *pflag.Flag
}

// root returns the command line.
func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "comus [flags] prog.c ...",
		Short: "Verify a multi-threaded C program",
		Long: `comus decides whether an assertion of a multi-threaded C program (pthreads) can
fail, in any interleaving and for any input. --check and --property ask about other
properties, too: data races, deadlocks, memory, overflow, locks; each gets a verdict.
Every verdict is confirmed before it is printed: SAFE by re-proving a certificate,
UNSAFE by replaying the execution.

The last line of standard output is exactly SAFE, UNSAFE, or UNKNOWN: reason.
Exit codes: 0 SAFE, 10 UNSAFE, 20 UNKNOWN, 2 wrong input, 70 internal error.
` + gccHelp,
		Example: `  comus examples/peterson.c
  comus --timeout 60s --certificate proof.json prog.c
  comus -I include -DNDEBUG=0 main.c queue.c
  bear -- make && comus -p .
  comus check prog.c proof.json`,
		Args:              cobra.ArbitraryArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && len(c.in.flags) == 0 && c.in.database == "" {
				c.code = exitUsage
				if cmd.Flags().NFlag() > 0 {
					return noProgram(cmd)
				}
				c.con.errorf("%s", shortUsage)
				return nil
			}
			if err := mayBeCommand(cmd, args); err != nil {
				return err
			}
			return c.verify(args)
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(helpCommand())
	c.verifyFlags(root.Flags())
	root.Flags().SortFlags = false
	verdicts := []*cobra.Command{root, c.checkCommand(), c.scanCommand(), c.exploreCommand(), c.boolCommand(), c.benchCommand()}
	for _, cmd := range verdicts {
		c.commonFlags(cmd.Flags())
	}
	root.AddCommand(verdicts[1:]...)
	root.AddCommand(c.genCommand(), c.replayCommand(), c.translateCommand(), c.versionCommand())
	if man := c.manCommand(); man != nil {
		root.AddCommand(man)
	}
	complete(root)
	briefly(root)
	return root
}

const shortUsage = `usage: comus [flags] prog.c ...          verify a program
       comus [flags] -p FOLDER           that of a compile_commands.json
       comus scan FOLDER                 look for data races in whole programs
       comus check prog.c CERTIFICATE    check a certificate
       comus replay prog.c ... --witness FILE -o DIR  run a violation with gcc
       comus translate [flags] prog.c    write a sequential C program
       comus explore [flags] prog.c      visit all states of a small program
       comus bool [flags] prog.bp        decide a concurrent Boolean program
       comus gen [KIND] [flags]          print a program to try comus on
       comus bench SUITE [flags]         measure verifiers on many programs
       comus version
comus help flags lists the flags.`

// commonFlags defines the flags of all commands that decide programs.
func (c *command) commonFlags(f *pflag.FlagSet) {
	c.limitFlags(f)
	c.logLevel = levelFlag{hclog.Off}
	c.jsonFlag(f)
	f.BoolVarP(&c.quiet, "quiet", "q", false, "print the verdict only")
	f.Var(&c.logLevel, "log-level", "log to standard error: off, error, warn, info, debug or trace")
}

// limitFlags defines the limits that supervise and within know.
func (c *command) limitFlags(f *pflag.FlagSet) {
	c.timeout = timeoutFlag{15 * time.Minute, "15m"}
	f.Var(&c.timeout, "timeout", "give up after this time (60s, 5m, or seconds; 0: never)")
	f.Var(&c.memory, "memory", "give up above this much memory (4GB, 512MiB, or bytes)")
}

// sanitizeFlag defines --sanitize.
func (c *command) sanitizeFlag(f *pflag.FlagSet) {
	c.sanitize = timeoutFlag{replay.JudgeTime, replay.JudgeTime.String()}
	f.Var(&c.sanitize, "sanitize", "let gcc and its sanitizers judge runs of the whole program that have a race or a deadlock, or fail an assertion, for this time at most (0: not at all)")
}

// jsonFlag defines --json.
func (c *command) jsonFlag(f *pflag.FlagSet) {
	f.BoolVar(&c.json, "json", false, "print one JSON object instead of text")
}

// verifyFlags defines the flags of a verification.
func (c *command) verifyFlags(f *pflag.FlagSet) {
	c.strategy = choice(comus.Strategies()...)
	c.seqmc = choice("spacer", "cbmc", "seahorn", "command")
	c.dataModel = choice("LP64", "ILP32")
	c.overflow = choice("assume", "check", "wrap")
	c.orders = choice(memory.RC11.String(), memory.SC.String(), memory.TSO.String(), memory.PSO.String())
	c.atomic = choice("step", "statement")
	f.Var(&c.cert, "certificate", "write the evidence for SAFE or UNSAFE to this `file`")
	c.annotated.define(f)
	f.Var(&c.html, "html", "write a page to read the result in a browser to this `file` or folder")
	f.Var(&c.witness, "witness", "write a witness for SAFE or UNSAFE, which other tools read, to this `file`")
	c.forceFlag(f)
	c.statsFlags(f)
	f.Var(&c.show, "show", "print intermediate stages: "+strings.Join(showStages, ", ")+" (several with commas)")
	f.Var(c.strategy, "strategy", "how to verify: "+c.strategy.list())
	c.sanitizeFlag(f)
	f.Var(c.seqmc, "seqmc", "sequential model checker: "+c.seqmc.list())
	f.StringVar(&c.tool.line, "seqmc-command", "", "the verifier of --seqmc command: a `command`, {file} stands for the C file")
	f.StringVar(&c.tool.safe, "seqmc-safe", "", "what that command prints for SAFE, a regular `expression`")
	f.StringVar(&c.tool.unsafe, "seqmc-unsafe", "", "what it prints for UNSAFE, a regular `expression`")
	f.StringVar(&c.tool.dialect, "seqmc-dialect", "", "the C it reads: "+strings.Join(cgen.TargetNames, ", "))
	f.StringSliceVar(&c.order, "order", nil, "order of the `threads` in the hierarchy, by function, with commas")
	c.sourceFlags(f)
	f.Var(c.dataModel, "data-model", "widths of C's types; -m32 and -m64 set them, too: "+c.dataModel.list())
	f.Var(c.orders, "memory-model", "what memory orders mean: C11's as repaired by RC11, sequential consistency, or the store buffers of the machine: "+c.orders.list())
	f.Var(c.overflow, "overflow", "signed overflow is assumed absent, an error, or wraps: "+c.overflow.list())
	f.Var(c.atomic, "atomic", "what no other thread interrupts: "+c.atomic.list())
	c.asked.define(f)
	f.BoolVar(&c.opts.All, "all", false, "look for all violations, not only for the first of each property")
	f.StringSliceVar(&c.daemons, "daemon", nil, "`functions` whose threads may wait for ever, with commas")
	f.IntVar(&c.opts.Question.Unwind, "unwind", 8, "recursive calls of one function within one another")
	f.IntVar(&c.opts.Question.MaxThreads, "max-threads", 3, "threads created by a loop without constant bounds; unless given, more are tried")
	c.maxThreads = f.Lookup("max-threads")
	f.IntVar(&c.opts.Question.MaxAllocs, "max-allocs", 3, "objects allocated by a call in a loop without constant bounds")
	f.IntVar(&c.opts.Question.UnrollLimit, "unroll", 64, "largest loop with constant bounds to unroll")
	f.Var((*passesFlag)(&c.opts.Passes), "passes", "simplifications of the program, in order: all (but "+passes.Webs+"), none, or "+strings.Join(passes.Names(), ", "))
	f.BoolVar(&c.opts.NoSeed, "no-seed", false, "start env_move as plain havoc")
	f.BoolVar(&c.opts.NoResources, "no-resources", false, "look for no invariants of what locks protect and of each thread by itself")
	f.BoolVar(&c.opts.Resources.NoGuesses, "no-guesses", false, "find invariants of locks and of single threads by Spacer alone")
	f.BoolVar(&c.opts.Resources.NoRanges, "no-ranges", false, "guess no intervals for invariants of locks and of single threads")
	f.BoolVar(&c.opts.Resources.NoWatch, "no-watch", false, "put no variables into these invariants that other threads may change at any time")
	f.BoolVar(&c.opts.NoEvery, "no-every", false, "look for no proof for every number of threads")
	f.BoolVar(&c.opts.Every.NoBounds, "no-bounds", false, "compute no bounds for every number of threads")
	f.BoolVar(&c.opts.Every.NoCensus, "no-census", false, "look for no equalities between variables and numbers of threads")
	f.BoolVar(&c.opts.Every.NoLemmas, "no-lemmas", false, "try no candidates about two threads among any number")
	f.BoolVar(&c.opts.Every.NoPairs, "no-pairs", false, "look for no invariants of two threads among any number")
	f.BoolVar(&c.opts.Every.NoPlaced, "no-placed", false, "look for no invariants of a thread that know where the others are")
	f.BoolVar(&c.opts.NoCells, "no-cells", false, "look for no facts about one cell of an array that stands for all")
	f.BoolVar(&c.opts.Question.NoSummaries, "no-summaries", false, "do not follow what memory holds that is allocated any number of times")
	f.BoolVar(&c.opts.NoRelational, "no-relational", false, "look for no bounds of sums of variables")
	f.BoolVar(&c.opts.NoConcretize, "no-concretize", false, "do not search a real execution for an abstract counterexample, only question it step by step")
	f.BoolVar(&c.opts.NoDemand, "no-demand", false, "compute facts about all threads at once, not about neighbours first")
	f.BoolVar(&c.opts.Query.NoGeneralize, "no-generalize", false, "do not generalise refinements")
	f.BoolVar(&c.opts.Query.NoProject, "no-project", false, "do not eliminate the caller's variables from queries")
	f.BoolVar(&c.opts.Query.NoBatch, "no-batch", false, "go back to the sequential checker after each answer")
	f.BoolVar(&c.opts.Query.NoMultiPath, "no-multipath", false, "answer a query with one path of the environment")
	f.BoolVar(&c.opts.Query.NoCache, "no-cache", false, "do not use answers of earlier queries")
	f.BoolVar(&c.opts.Query.NoParallel, "no-parallel", false, "run one sequential check at a time")
	f.BoolVar(&c.opts.Query.NoGuide, "no-guide", false, "ask about one path of the main thread to the violation")
	f.BoolVar(&c.opts.NoSimulate, "no-simulate", false, "make no runs with random schedules")
	f.BoolVar(&c.send, "send", false, "print the result for a portfolio")
	f.BoolVar(&c.opts.Exact, "exact", false, "look for violations without approximations only")
	_ = f.MarkHidden("send")
	f.StringVar(&c.reading, "reading", "", "what the portfolio has read")
	_ = f.MarkHidden("reading")
	_ = f.MarkHidden("exact")
	f.StringVar(&c.opts.Question.About, "about", "", "the pairs of places that data races are asked about, for a portfolio")
	_ = f.MarkHidden("about")
	f.StringVar(&c.opts.Question.AnyReads, "any-reads", "", "the relaxed reads that return any value, for a portfolio")
	_ = f.MarkHidden("any-reads")
	f.IntVar(&c.opts.Question.Cut, "cut", 0, "how much is left out of the program, for a portfolio")
	_ = f.MarkHidden("cut")
	c.given = f
	f.BoolVar(&c.opts.NoReduction, "no-reduction", false, "switch threads at every location")
}

// statsFlags defines the flags that show what a verification or a check takes.
func (c *command) statsFlags(f *pflag.FlagSet) {
	f.BoolVar(&c.stats, "stats", false, "print statistics: sizes, counts, time and calls of each component")
	f.BoolVar(&c.verbose, "verbose", false, "also show the steps of executions that the program may not have")
	c.profile.define(f)
}

// options returns the options of the verification.
func (c *command) options() (comus.Options, error) {
	o := c.opts
	if o.Question.MaxThreads < 1 {
		return o, errors.New("comus: --max-threads must be at least 1")
	}
	if o.Question.MaxAllocs < 1 {
		return o, errors.New("comus: --max-allocs must be at least 1")
	}
	if o.Question.UnrollLimit < 1 {
		return o, errors.New("comus: --unroll must be at least 1")
	}
	if o.Question.Unwind < 1 {
		return o, errors.New("comus: --unwind must be at least 1")
	}
	var err error
	if o.Question.Check, err = c.asked.checks(c.in.entry); err != nil {
		return o, err
	}
	o.Source = c.source()
	switch c.overflow.value {
	case "check": // as --check overflow, and what else is asked about
		o.Question.Check.Overflow = true
	case "wrap":
		o.Question.Overflow = specialise.OverflowWrap
	}
	if o.Question.Memory, err = memory.ParseModel(c.orders.value); err != nil {
		return o, err
	}
	o.Question.AtomicStatements = c.atomic.value == "statement"
	o.Order = trimmed(c.order)
	o.Question.Daemons = strings.Join(trimmed(c.daemons), ",")
	if o.Question.Check.Race && o.Question.AtomicStatements {
		return o, errors.New("comus: --check race is about steps of the program, which --atomic=statement is not")
	}
	if c.strategy != nil {
		o.Strategy = c.strategy.value
		o.NoSimulate = o.NoSimulate || c.seqmc.value != "spacer" // the checker alone
	}
	o.Log = c.logger()
	o.Memory, o.Alone, o.Sanitize = c.memory.bytes, c.send, c.sanitize.d
	if o.Checker, err = c.checker(o.Log); err != nil {
		return o, err
	}
	if c.strategy != nil && len(c.show) == 0 && c.profile == (profileFlags{}) && !c.send {
		o.Command, err = c.again()
	}
	return o, err
}

// again returns the command line for a process that runs one engine: the flags that were
// given and say how to verify.
func (c *command) again() ([]string, error) {
	self := "/proc/self/exe" // also if the file was removed or replaced meanwhile
	if _, err := os.Stat(self); err != nil {
		if self, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	argv := []string{self, os.Args[0], "--send"}
	if c.memory.bytes > 0 {
		argv = append(argv, "--memory="+c.memory.text)
	}
	own := []string{"timeout", "memory", "json", "quiet", "log-level", "certificate", "force", "html", "witness", "output", "cpuprofile", "memprofile", "stats", "verbose", "strategy", "sarif", "format", "seqmc", "send", "reading",
		"check", "property", "about", "any-reads", "cut", "sanitize"} // a process is told what it is asked about
	if c.given == nil { // comus check has no flags of a verification
		c.given = pflag.NewFlagSet("", pflag.ContinueOnError)
	}
	c.given.Visit(func(f *pflag.Flag) {
		if slices.Contains(own, f.Name) || f.Value == c.overflow && c.overflow.value == "check" {
			return
		}
		if f.Name == "model" {
			for _, m := range c.in.models {
				argv = append(argv, "--model="+m)
			}
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			argv = append(argv, "--"+f.Name+"="+strings.Join(list.GetSlice(), ","))
			return
		}
		argv = append(argv, "--"+f.Name+"="+f.Value.String())
	})
	return append(argv, c.in.flags...), nil
}

// logger returns the logger that --log-level asks for, or nil.
func (c *command) logger() hclog.Logger {
	if c.logLevel.level == hclog.Off {
		return nil
	}
	return hclog.New(&hclog.LoggerOptions{Name: "comus", Level: c.logLevel.level, Output: c.con.during(true)})
}

// trimmed returns names without the spaces around them.
func trimmed(names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, strings.TrimSpace(name))
	}
	return out
}

// queryEvents combines observers.
func queryEvents(fs ...func(query.Event)) func(query.Event) {
	return func(e query.Event) {
		for _, f := range fs {
			if f != nil {
				f(e)
			}
		}
	}
}

// choiceFlag is a flag with a fixed set of values, the first of them the default.
type choiceFlag struct {
	values []string
	value  string
	given  bool
}

func choice(values ...string) *choiceFlag { return &choiceFlag{values: values, value: values[0]} }

func (f *choiceFlag) list() string   { return strings.Join(f.values, ", ") }
func (f *choiceFlag) String() string { return f.value }
func (f *choiceFlag) Type() string   { return "name" }

// Set accepts one of the values, in any case.
func (f *choiceFlag) Set(s string) error {
	i := slices.IndexFunc(f.values, func(v string) bool { return strings.EqualFold(v, s) })
	if i < 0 {
		return fmt.Errorf("must be one of %s", f.list())
	}
	f.value, f.given = f.values[i], true
	return nil
}

// timeoutFlag is a duration, in seconds if it has no unit.
type timeoutFlag struct {
	d    time.Duration
	text string // with its unit, as it was given
}

func (f *timeoutFlag) String() string { return f.text }
func (f *timeoutFlag) Type() string   { return "time" }

// Set reads "60s" or "60".
func (f *timeoutFlag) Set(s string) error {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		s += "s"
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return errors.New("must be a time such as 60s, 5m or 90")
	}
	*f = timeoutFlag{d, s}
	return nil
}

// sizeFlag is a number of bytes; 0 is no limit.
type sizeFlag struct {
	bytes int64
	text  string
}

func (f *sizeFlag) String() string { return f.text }
func (f *sizeFlag) Type() string   { return "size" }

// Set reads "4GB" (decimal), "4GiB" or "4G" (binary), or bytes.
func (f *sizeFlag) Set(s string) error {
	number := strings.TrimRight(s, "kKmMgGtTiIbB")
	unit := strings.ToUpper(s[len(number):])
	shift := strings.Index("KMGT", strings.TrimRight(unit, "IB"))
	factor := 1.0
	switch {
	case unit == "" || unit == "B":
	case shift < 0 || len(strings.TrimRight(unit, "IB")) != 1:
		return errSize
	case strings.HasSuffix(unit, "B") && !strings.HasSuffix(unit, "IB"):
		factor = math.Pow(1000, float64(shift+1))
	default:
		factor = math.Pow(1024, float64(shift+1))
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n*factor >= 1 && n*factor < 1<<62) {
		return errSize
	}
	*f = sizeFlag{int64(n * factor), s}
	return nil
}

var errSize = errors.New("must be a size such as 4GB or 512MiB")

// levelFlag is a log level.
type levelFlag struct{ level hclog.Level }

func (f *levelFlag) String() string { return f.level.String() }
func (f *levelFlag) Type() string   { return "level" }

// Set reads a level's name.
func (f *levelFlag) Set(s string) error {
	l := hclog.LevelFromString(s)
	if l == hclog.NoLevel {
		return errors.New("must be one of off, error, warn, info, debug, trace")
	}
	f.level = l
	return nil
}
