package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"comus/cfront"
	gcc "comus/cfront/command"
	"comus/comus"
	"comus/internal/whole"
	"comus/report/annotate"
	"comus/report/html"
	"comus/report/scanreport"
	"comus/report/scanreport/cache"
	"comus/report/suppress"
	"comus/seqmc"
)

// scanFlags are the flags of "comus scan".
type scanFlags struct {
	annotated               annotations
	html                    fileFlag
	baseline, writeBaseline fileFlag
	jobs, limit             int
	decide                  timeoutFlag
	decideGiven             bool
	all, certify, asserted  bool
	signals                 bool
	deadlocks               bool
	cache                   fileFlag
}

// outputs are the files that are written.
func (f *scanFlags) outputs() []output {
	return []output{f.annotated.output(), {flag: "--write-baseline", file: string(f.writeBaseline), kind: aBaseline}, f.html.pageOutput()}
}

// scanCommand returns "comus scan".
func (c *command) scanCommand() *cobra.Command {
	var fl scanFlags
	cmd := &cobra.Command{
		Use:   "scan FOLDER|compile_commands.json|FILE.c ...",
		Short: "Look for data races in whole programs",
		Long: `scan analyses whole programs for data races. It neither unrolls nor inlines anything. For each
piece of shared memory, it looks for a reason that excludes races: a lock protects it, only one
thread accesses it at a time, or nobody writes it while there are several threads. If it finds
no reason, it reports suspects: pairs of accesses, the most likely ones first. A suspect may be
impossible. A list without suspects is not a proof, and is not certified (comus prog.c gives
proofs). Runs of the program and the engines try to decide suspects for some seconds, with
--decide for longer (0: not at all). --assertions and --deadlocks look at more than races.

In a folder, scan reads all files *.c, or those that its compile_commands.json names. A file
that defines main (or what --entry names) is a program. The files that define the names which
it uses belong to it, and so do the files that define the names which these use, and so on.

A comment in the source suppresses a suspect, with a reason, on the line of one of its accesses
or alone on the line before:

  hits++; // comus: ignore race: a statistic, it may be wrong by a few

--write-baseline writes the suspects to a file. With --baseline, the suspects in this file are
known. Known and suppressed suspects do not count for the exit code:
0 nothing found, 10 suspects, 20 not analysed to the end, 2 something cannot be read,
70 internal error.
` + gccHelp,
		Example: `  comus scan src -Iinclude
  bear -- make && comus scan compile_commands.json --html scan.html
  comus scan . --baseline known.json --sarif scan.sarif`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && len(c.in.flags) == 0 && c.in.database == "" {
				return errors.New("usage: comus scan [flags] FOLDER|compile_commands.json|FILES")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			fl.decideGiven = cmd.Flags().Changed("decide")
			return c.scan(args, &fl)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	fl.annotated.define(f)
	f.Var(&fl.html, "html", "write a page to read the result in a browser to this `file` or folder")
	f.Var(&fl.baseline, "baseline", "suspects that are in this `file` are known: they do not count")
	f.Var(&fl.writeBaseline, "write-baseline", "write what is suspected now to this `file`, for --baseline")
	f.IntVar(&fl.limit, "limit", 100, "print at most this many lines on suspects of each program (0: any number)")
	f.BoolVar(&fl.all, "all", false, "print every suspect, not only the first of each location; known and suppressed ones, too")
	f.IntVar(&fl.jobs, "jobs", min(runtime.NumCPU(), 4), "programs side by side, and suspects of one where there are fewer programs")
	fl.decide = timeoutFlag{0, ""}
	f.BoolVar(&fl.asserted, "assertions", false, "also look at assertions: one that the analysis of values does not prove is a suspect, too")
	f.BoolVar(&fl.deadlocks, "deadlocks", false, "also look at lock orders: threads that may wait for one another for good are suspects, too")
	f.BoolVar(&fl.signals, "signals", true, "also look at handlers of signals: what a handler and a thread that it may interrupt access is a suspect, too, unless it is atomic or a volatile sig_atomic_t")
	f.BoolVar(&fl.certify, "certify", false, "have the checker verify why locations are race-free, and mark those that it confirms")
	f.Var(&fl.decide, "decide", "decide suspects by runs and by engines, each for this time (0: not at all); without this flag, all suspects of a program have 3 s, with --cache or --library none")
	c.sanitizeFlag(f)
	f.Var(&fl.cache, "cache", "keep what is found out in this `folder`: a program that has not changed is not analysed again")
	f.BoolVar(&c.in.library, "library", false, "files without an entry are a library: others call its visible functions, one at a time, with any arguments")
	c.sourceFlags(f)
	f.Var(c.dataModel, "data-model", "widths of C's types; -m32 and -m64 set them, too: "+c.dataModel.list())
	c.profile.define(f)
	c.forceFlag(f)
	return cmd
}

// garbage is how much of what scans keep is made anew before the collector runs, in percent: most of it lives to the end, so that looking at it often
// is for nothing. --memory still holds: near the limit the collector runs more often.
const garbage = 200

// garbageRead is the same while programs are read, which is little memory and lives as long, too. With a cache it may be all there is to do.
const garbageRead = 800

// scan scans programs and prints what is found.
func (c *command) scan(operands []string, fl *scanFlags) error {
	units, known, err := c.scanBegin(operands, fl)
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(garbageRead))
	}
	run := &scanRun{c: c, how: c.source(), units: units, jobs: fl.jobs, certify: fl.certify, asserted: fl.asserted, signals: fl.signals, deadlocks: fl.deadlocks, each: fl.decide.d, files: map[string]bool{}, warned: map[string]bool{}}
	if !fl.decideGiven && fl.cache == "" && !c.in.library { // what is kept does not depend on time
		run.briefly = decidesBriefly
	}
	if fl.cache != "" {
		if run.kept, err = cache.Open(string(fl.cache)); err != nil {
			return fmt.Errorf("comus: --cache: %w", fileError(string(fl.cache), err))
		}
		run.keepUnits()
	}
	start := time.Now()
	res, err := c.profiled(func(ctx context.Context) (*comus.Result, error) {
		return &comus.Result{Verdict: seqmc.Safe}, run.all(ctx) // nobody is told this verdict: the work has come to its end
	})
	if err != nil {
		return err
	}
	reason := ""
	if res.Verdict != seqmc.Safe {
		reason = res.Reason
	}
	s, warnings, crashed := run.end(reason)
	s.Asserted, s.Ordered, s.Signals, s.Briefly = fl.asserted, fl.deadlocks, fl.signals, run.briefly > 0
	s.Took = time.Since(start)
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("comus: %w", err)
	}
	comments, err := suppress.Read(run.sources(), suppressible())
	if err != nil { // in a header: those of units were read before the work
		s.Failed = append(s.Failed, strings.Split(err.Error(), "\n")...)
	}
	s.Judge(dir, comments, known)
	c.code = scanExit(s)
	if crashed {
		c.code = exitInternal
	}
	if err := c.scanWrite(s, fl, dir); err != nil {
		return err
	}
	return c.scanPrint(s, fl, append(slices.Clone(c.in.warnings), warnings...))
}

// scanBegin finds out before the work what is scanned, and what would keep files from being read or written.
func (c *command) scanBegin(operands []string, fl *scanFlags) ([]gcc.Invocation, *scanreport.Baseline, error) {
	if fl.jobs < 1 {
		return nil, nil, errors.New("comus: --jobs must be at least 1")
	}
	if fl.limit < 0 {
		return nil, nil, errors.New("comus: --limit must be at least 0")
	}
	units, err := c.scanUnits(operands)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range paths(units) {
		if err := notPipe(file, true); err != nil {
			return nil, nil, err
		}
	}
	if err := c.claim(append(c.profile.outputs(), fl.outputs()...), c.inputs(units, operands...)...); err != nil {
		return nil, nil, err
	}
	if _, err := suppress.Read(paths(units), suppressible()); err != nil {
		return nil, nil, &cfront.Error{Err: err}
	}
	if fl.baseline == "" {
		return units, nil, nil
	}
	known, err := scanreport.ReadBaseline(string(fl.baseline))
	return units, known, err
}

// scanExit returns the exit code of a scan.
func scanExit(s *scanreport.Report) int {
	switch {
	case len(s.Failed) > 0:
		return exitUsage
	case s.Count()[scanreport.New]+s.Unlisted() > 0:
		return exitUnsafe
	case s.Unfinished() > 0:
		return exitUnknown
	}
	return exitSafe
}

// scanWrite writes the files that were asked for.
func (c *command) scanWrite(s *scanreport.Report, fl *scanFlags, dir string) error {
	if fl.annotated.sarif != "" {
		log := annotate.Log{Version: version(), Arguments: os.Args[1:], Dir: dir, Exit: c.code, Findings: s.Annotated(), Verdicts: s.Notifications()}
		if err := whole.Write(string(fl.annotated.sarif), log.Write); err != nil {
			return fileError(string(fl.annotated.sarif), err)
		}
	}
	if fl.html != "" {
		page := html.Scan{Report: s, Version: version(), Created: time.Now()}
		if err := writePage(fl.html, page.Write); err != nil {
			return err
		}
	}
	switch {
	case fl.writeBaseline == "":
	case s.Unfinished() > 0 || len(s.Failed) > 0:
		s.Notes = append(s.Notes, fmt.Sprintf("%s: no baseline is written, since not everything was analysed", fl.writeBaseline))
	default:
		if err := s.Baseline().Write(string(fl.writeBaseline)); err != nil {
			return fileError(string(fl.writeBaseline), err)
		}
	}
	return nil
}

// scanPrint prints the report. Its last line says what was found, in all forms but JSON.
func (c *command) scanPrint(s *scanreport.Report, fl *scanFlags, warnings []string) error {
	if !c.quiet {
		for _, w := range warnings {
			c.con.errorf("%s", annotate.OneLine(w))
		}
	}
	for _, f := range s.Failed {
		c.con.errorf("%s", annotate.OneLine(f))
	}
	var err error
	switch {
	case c.json:
		return s.JSON(c.con, scanreport.Head{Version: version(), Exit: c.code})
	case c.quiet:
	case fl.annotated.format.value == "gcc":
		err = annotate.GCC(c.con, s.Annotated())
	default:
		err = s.Text(c.con, fl.limit, fl.all)
	}
	if err == nil {
		_, err = fmt.Fprintln(c.con, s.Conclusion())
	}
	return err
}
