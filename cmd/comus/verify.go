package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"comus/cfront"
	gcc "comus/cfront/command"
	"comus/check"
	"comus/comus"
	"comus/internal/timing"
	"comus/query"
	"comus/report/annotate"
	"comus/seqmc"
	"comus/witness"
)

// verify verifies the program of some files and prints the verdict.
func (c *command) verify(operands []string) error {
	files, expected, err := c.task(operands)
	if err != nil {
		return err
	}
	opts, err := c.options()
	if err != nil {
		return err
	}
	units, err := c.begin(operands, files, output{flag: "--certificate", file: string(c.cert), kind: aCertificate}, output{flag: "--witness", file: string(c.witness), kind: aWitness})
	if err != nil {
		return err
	}
	pages := newPages(c.html)
	writer := c.witnessWriter(units, &opts)
	opts.Operands = append([]string{}, files...)
	opts.Grow = !c.maxThreads.Changed
	show := &shower{stages: c.show, out: c.con.during(c.json), moves: map[int]string{}}
	start := time.Now()
	opts.Observe = queryEvents(show.event, c.progressEvents(start))
	opts.Running = c.progressPortfolio(start)
	if c.con.terminal && !c.quiet && !c.send {
		opts.Found = func(p comus.PropertyResult) { c.con.errorf("%s", foundLine(p)) }
	}
	opts.Timings = timing.New()
	res, err := c.profiled(func(ctx context.Context) (*comus.Result, error) {
		opts.Source.Timings = opts.Timings
		source, err := c.open(ctx, units, opts.Source)
		if err != nil {
			return nil, err
		}
		if err := show.source(ctx, source, opts); err != nil {
			return nil, err
		}
		res, err := source.Verify(ctx, opts)
		if err == nil {
			pages.proofs(ctx, source, res)
		}
		return res, err
	})
	if err != nil {
		return err
	}
	if c.send {
		c.code = resultCode(res)
		return res.Send(c.con)
	}
	if res.Components == nil { // it did not come to an end
		res.Components = opts.Timings.Components()
	}
	r := &report{title: title(units), file: units[0].File, res: res, stats: c.stats, verbose: c.verbose, asked: opts.Question.Check.Names()}
	c.compare(expected, res)
	if err := r.write(string(c.cert), c.words(operands)); err != nil {
		return err
	}
	if err := pages.write(r); err != nil {
		return err
	}
	if err := c.writeWitness(writer, res, opts); err != nil {
		return err
	}
	return c.finish(r)
}

// open reads the source, or takes what the portfolio that this process works for has read.
func (c *command) open(ctx context.Context, units []gcc.Invocation, how cfront.Options) (*comus.Source, error) {
	if c.send && c.reading != "" {
		return comus.OpenSerialised(units, how, c.reading)
	}
	return comus.Open(ctx, units, how)
}

// begin finds out before the work what would keep a program from being read, and the files
// that are asked for from being written, as far as that can be seen. It returns the units.
func (c *command) begin(operands, files []string, outputs ...output) ([]gcc.Invocation, error) {
	units, err := c.units(files)
	if err != nil {
		return nil, err
	}
	for _, file := range paths(units) {
		if err := notPipe(file, c.html != "" || slices.ContainsFunc(outputs, func(o output) bool { return o.file != "" })); err != nil {
			return nil, err
		}
	}
	outputs = append(append(outputs, c.annotated.output(), c.html.pageOutput()), c.profile.outputs()...)
	return units, c.claim(outputs, c.inputs(units, append(slices.Clone(operands), string(c.asked.property))...)...)
}

// inputs returns the names of the files that a run reads, as far as the command line names them.
func (c *command) inputs(units []gcc.Invocation, more ...string) []string {
	out := slices.Concat(paths(units), c.in.models, more)
	if c.in.database != "" {
		more = append(slices.Clone(more), string(c.in.database))
	}
	for _, folder := range more {
		out = append(out, folder, filepath.Join(folder, "compile_commands.json")) // if it is no folder, there is no such file
	}
	return out
}

// finish prints a report and sets the exit code.
func (c *command) finish(r *report) error { return c.present(r, r.text, r.json) }

// present prints a report, in one of two forms or as lines for editors, and sets the exit code.
func (c *command) present(r *report, text func(io.Writer), json func(io.Writer) error) error {
	res := r.res
	res.Warnings = append(c.in.warnings, res.Warnings...)
	if c.annotated.wanted() {
		r.found = r.findings()
		res.Warnings = append(res.Warnings, suppressed(r.found)...)
	}
	if !c.quiet {
		for _, w := range res.Warnings {
			c.con.errorf("%s", w)
		}
	}
	c.code = resultCode(res)
	if err := c.annotated.write(r, c.code); err != nil {
		return err
	}
	switch {
	case c.json:
		return json(c.con)
	case c.quiet:
	case c.annotated.format.value == "gcc":
		if err := annotate.GCC(c.con, r.found); err != nil {
			return err
		}
	default:
		text(c.con)
	}
	_, err := fmt.Fprintln(c.con, verdictLine(res.Verdict, res.Reason))
	return err
}

// progressPortfolio returns an observer that shows which engines are at work.
func (c *command) progressPortfolio(start time.Time) func(engines []string) {
	if !c.con.terminal || c.quiet || c.logger() != nil {
		return nil
	}
	return func(engines []string) {
		c.con.progress(fmt.Sprintf("%s, %.0f s", strings.Join(engines, ", "), time.Since(start).Seconds()))
	}
}

// progressEvents returns an observer that shows progress on the terminal, nil
// when there is none or logs go there.
func (c *command) progressEvents(start time.Time) func(query.Event) {
	if !c.con.terminal || c.quiet || c.logger() != nil {
		return nil
	}
	return func(e query.Event) {
		c.con.progress(fmt.Sprintf("iteration %d, level %d: %d sequential checks, %d queries, %d refinements, %.0f s",
			e.Stats.Iterations, e.Level, e.Stats.Checks, e.Stats.Queries, e.Stats.Refinements, time.Since(start).Seconds()))
	}
}

// checkCommand returns "comus check".
func (c *command) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [flags] prog.c ... CERTIFICATE|WITNESS",
		Short: "Check a certificate that --certificate wrote, or a witness",
		Long: `check reads the program and the certificate and confirms the verdict without the
engines that found it: a proof with plain satisfiability queries, an execution by
replaying it. A certificate that does not prove its verdict gives UNKNOWN. If a file has
certificates of several properties, all of them are checked. Give the program as you gave it
to comus: its files, -p, --model, and the flags of gcc. The certificate has the other flags
that say how it is read (--data-model, --entry, --assume and the like).

Instead of a certificate there may be a witness in format 2 (YAML), by --witness or by
another tool. For a violation, check looks for an execution along its waypoints. For
correctness, it proves the invariants, and the property with them.
` + gccHelp,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 && (len(args) == 0 || c.in.database == "" && len(c.in.flags) == 0) {
				return errors.New("usage: comus check [flags] prog.c ... CERTIFICATE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			return c.check(cmd.Flags(), args[:last], args[last])
		},
	}
	c.readingFlags(cmd.Flags())
	c.annotated.define(cmd.Flags())
	c.statsFlags(cmd.Flags())
	c.forceFlag(cmd.Flags())
	return cmd
}

// check checks the evidence in a file for the program of others.
func (c *command) check(given *pflag.FlagSet, files []string, certFile string) error {
	c.given = given
	units, err := c.units(files)
	if err != nil {
		return err
	}
	for _, file := range paths(units) {
		if err := notPipe(file, true); err != nil {
			return err
		}
	}
	if err := c.claim(append(c.profile.outputs(), c.annotated.output()), c.inputs(units, certFile)...); err != nil {
		return err
	}
	kind, claims := "", ""
	res, err := c.profiled(func(ctx context.Context) (*comus.Result, error) {
		text, err := readEvidence(certFile) // within --timeout: it may be a pipe
		if err != nil {
			return nil, err
		}
		if witness.IsWitness(text) {
			w, err := witness.Read(certFile, text)
			if err != nil {
				return nil, err
			}
			kind, claims = "witness", seqmc.Safe.String()
			if w.IsViolation() {
				claims = seqmc.Unsafe.String()
			}
			return c.checkWitness(ctx, units, certFile, given, w)
		}
		set, err := check.ReadSet(bytes.NewReader(text))
		if err != nil {
			return nil, fileError(certFile, err)
		}
		about := set.Certificates[0].Program
		if err := c.sameReading(certFile, given, about); err != nil {
			return nil, err
		}
		res, err := comus.CheckSet(ctx, units, cfront.Options{Models: c.in.models}, set)
		if isRejection(err) {
			return &comus.Result{Verdict: seqmc.Unknown, Engine: "check", Reason: "the certificate was rejected: " + err.Error() + c.readWith(about)}, nil
		}
		return res, c.readOtherwise(err, about)
	})
	if err != nil {
		return err
	}
	return c.finish(&report{title: title(units), file: units[0].File, res: res, stats: c.stats, verbose: c.verbose, checked: certFile, kind: kind, claims: claims})
}

// readEvidence reads a file that --certificate wrote, or a witness.
func readEvidence(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fileError(file, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxCertificate))
	if err != nil {
		return nil, fileError(file, err)
	}
	return text, nil
}

// maxCertificate bounds the size of a certificate that is read.
const maxCertificate = 1 << 30
