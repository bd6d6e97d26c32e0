package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"comus/cfront"
	gcc "comus/cfront/command"
	"comus/check"
	"comus/comus"
	"comus/comus/validate"
	"comus/internal/whole"
	"comus/replay"
	"comus/replay/repeat"
	"comus/report/execution"
	"comus/seqmc"
	"comus/specialise"
	"comus/witness"
)

// replayFlags are the flags of "comus replay".
type replayFlags struct {
	evidence, dir fileFlag
	property      string
	given         *pflag.FlagSet
}

// replayCommand returns "comus replay".
func (c *command) replayCommand() *cobra.Command {
	var fl replayFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] prog.c ... --witness FILE -o DIR",
		Short: "Write a C program that runs a violation for real",
		Long: `replay writes the program with fixed inputs and a scheduler woven in. gcc compiles it. The
result runs, with real threads, the interleaving that comus found, and fails the assertion.
FILE is what comus --certificate or --witness wrote for UNSAFE. Give the program as you gave it
then: its files, -p, --model, and the flags of gcc. DIR gets the program, its runtime and a
Makefile that builds ./replay. If the program comes out of step with the execution, it ends with
code 3 and says where.

A certificate has each step of the execution. A witness (YAML) has some points of an execution.
replay looks for an execution along these points, as comus check does.

make SANITIZE=thread (address, undefined, leak) builds it with that sanitizer of gcc. make
run SANITIZE=... runs it, too. ThreadSanitizer reports the lines of the two accesses of a data
race, AddressSanitizer memory errors, UndefinedBehaviorSanitizer overflow. In a deadlock the
program hangs. If no thread has moved for 2 seconds, it says where each thread waits, and ends
with code 5. (With COMUS_HANG=1 in the environment, it keeps hanging.) Code 6 means that the
program went on after the error, because only a sanitizer would notice it.

If memory orders let a thread read an older value than the last one, no turns of the threads bring
that about. If x86 may show it (--memory-model tso), replay has gcc compile the program as it is, runs
it again and again with real threads for the time of --sanitize, and says how often the assertion
failed. DIR gets a Makefile that does the same.
` + gccHelp,
		Example: `  comus --certificate cex.json prog.c
  comus replay prog.c --witness cex.json -o out
  make -C out && out/replay
  comus --check race --certificate race.json -Iinclude main.c queue.c
  comus replay -Iinclude main.c queue.c --witness race.json -o out && make -C out run SANITIZE=thread`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && len(c.in.flags) == 0 && c.in.database == "" || fl.evidence == "" || fl.dir == "" {
				return errors.New("usage: comus replay [flags] prog.c ... --witness FILE -o DIR")
			}
			if _, err := specialise.ChecksNamed([]string{cmp.Or(fl.property, specialise.Assert)}); err != nil {
				return fmt.Errorf("comus: --check: %w", err)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return c.replay(args, &fl) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&fl.evidence, "witness", "the certificate or the witness of UNSAFE, a `file`")
	f.VarP(&fl.dir, "output", "o", "the `folder` to write to")
	f.StringVar(&fl.property, "check", "", "of several executions, the one that violates this `property` (default the first)")
	c.readingFlags(f)
	c.limitFlags(f)
	c.sanitize = timeoutFlag{replay.JudgeTime, replay.JudgeTime.String()}
	f.Var(&c.sanitize, "sanitize", "run the program again and again, where no turns of its threads bring the execution about, for this time (0: not at all)")
	c.forceFlag(f)
	fl.given = f
	return cmd
}

// replay weaves the execution of a certificate into a program.
func (c *command) replay(operands []string, fl *replayFlags) error {
	c.given = fl.given
	units, err := c.units(operands)
	if err != nil {
		return err
	}
	for _, file := range paths(units) {
		if err := notPipe(file, true); err != nil {
			return err
		}
	}
	dir := string(fl.dir)
	if err := c.claimReplay(dir, append(replay.FileNames(units[0].File), repeat.Names...), c.inputs(units, string(fl.evidence))); err != nil {
		return err
	}
	var woven *comus.Woven
	var seen repeat.Report
	violated := ""
	done, err := c.within(func(ctx context.Context) (err error) {
		if woven, violated, err = c.weave(ctx, units, fl); err == nil && woven.Repeats != nil {
			seen = c.repeats(ctx, woven.Repeats)
		}
		return err
	})
	if !done {
		return err
	}
	for _, w := range c.in.warnings {
		c.con.errorf("%s", w)
	}
	if err := writeFiles(dir, woven.Files); err != nil {
		return err
	}
	run := filepath.Join(dir, "replay")
	if !strings.Contains(run, "/") {
		run = "./" + run
	}
	if woven.Repeats != nil {
		return c.showRepeats(dir, run, woven.Note, seen)
	}
	if s := judges[violated]; s[0] != "" {
		_, err = fmt.Fprintf(c.con, "%s: written; make -C %s SANITIZE=%s run has %s judge it\n", dir, shellWord(dir), s[0], s[1])
		return err
	}
	_, err = fmt.Fprintf(c.con, "%s: written; make -C %s && %s runs it\n", dir, shellWord(dir), shellWord(run))
	return err
}

// repeats runs a program again and again, for the time of --sanitize.
func (c *command) repeats(ctx context.Context, p *repeat.Program) repeat.Report {
	if c.sanitize.d <= 0 {
		return repeat.Report{Why: "--sanitize 0 says so"}
	}
	within := c.sanitize.d
	if end, ok := ctx.Deadline(); ok {
		within = min(within, time.Until(end)*2/3)
	}
	r, err := p.Run(ctx, within)
	if err != nil {
		r.Why = err.Error()
	}
	return r
}

// showRepeats says how often an outcome was seen that no turns of the threads bring about.
func (c *command) showRepeats(dir, run, note string, seen repeat.Report) error {
	if note != "" {
		fmt.Fprintf(c.con, "%s\n", note)
	}
	fmt.Fprintf(c.con, "%s: written; make -C %s && %s runs the program itself again and again, as no turns of the threads bring the execution about\n", dir, shellWord(dir), shellWord(run))
	text := "on this machine, the failed assertion was " + seen.Text
	if seen.Why != "" {
		text = "the program was not run: " + seen.Why
	}
	_, err := fmt.Fprintln(c.con, text)
	return err
}

// judges are the sanitizers that notice the violation of a property.
var judges = map[string][2]string{
	specialise.Race:      {"thread", "ThreadSanitizer"},
	specialise.Memory:    {"address", "AddressSanitizer"},
	specialise.Leak:      {"leak", "LeakSanitizer"},
	specialise.Overflows: {"undefined", "UndefinedBehaviorSanitizer"},
}

// weave returns the program that runs an execution, which it checks first: the first one, or that which
// violates a property, and which one.
func (c *command) weave(ctx context.Context, units []gcc.Invocation, fl *replayFlags) (w *comus.Woven, violated string, err error) {
	name := string(fl.evidence)
	text, err := readEvidence(name)
	if err != nil {
		return nil, "", err
	}
	if witness.IsWitness(text) {
		return c.weaveWitness(ctx, units, fl, text)
	}
	set, err := check.ReadSet(bytes.NewReader(text))
	if err != nil {
		return nil, "", fileError(name, err)
	}
	unsafe := slices.DeleteFunc(slices.Clone(set.Certificates), func(c *check.Certificate) bool { return c.Verdict != seqmc.Unsafe.String() })
	if len(unsafe) == 0 {
		return nil, "", fmt.Errorf("%s: the certificate is for %s; only an execution (UNSAFE) can be replayed", name, set.Certificates[0].Verdict)
	}
	if err := c.sameReading(name, fl.given, unsafe[0].Program); err != nil {
		return nil, "", err
	}
	given := cfront.Options{Models: c.in.models}
	for _, cert := range unsafe {
		res, err := comus.CheckUnits(ctx, units, given, cert)
		switch {
		case isRejection(err):
			return nil, "", fmt.Errorf("%s: the certificate was rejected: %w%s", name, err, c.readWith(cert.Program))
		case err != nil:
			return nil, "", c.readOtherwise(err, cert.Program)
		case fl.property == "" || fl.property == execution.Property(res.Trace):
			w, err = comus.WeaveUnits(ctx, units, given, cert)
			return w, execution.Property(res.Trace), err
		}
	}
	return nil, "", fmt.Errorf("%s: the certificate has no execution that violates %q", name, fl.property)
}

// weaveWitness is weave for a witness: an execution that goes by its waypoints is looked for.
func (c *command) weaveWitness(ctx context.Context, units []gcc.Invocation, fl *replayFlags, text []byte) (*comus.Woven, string, error) {
	name := string(fl.evidence)
	w, err := witness.Read(name, text)
	if err != nil {
		return nil, "", err
	}
	if !w.IsViolation() {
		return nil, "", fmt.Errorf("%s: the witness is one of correctness; only an execution (UNSAFE) can be replayed", name)
	}
	opts, err := c.witnessOptions(units, name, fl.given, w)
	if err != nil {
		return nil, "", err
	}
	return validate.Weave(ctx, units, name, w, fl.property, opts)
}

// claimReplay is claim for the files of a folder.
func (c *command) claimReplay(dir string, names, inputs []string) error {
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return fileError(dir, syscall.ENOTDIR)
	}
	var outputs []output
	for _, n := range names {
		outputs = append(outputs, output{flag: "-o", file: filepath.Join(dir, n), kind: aReplay, makes: true})
	}
	return c.claim(outputs, inputs...)
}

// writeFiles writes files to a folder, which it makes if need be.
func writeFiles(dir string, files []replay.File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fileError(dir, err)
	}
	for i, f := range files {
		name := filepath.Join(dir, f.Name)
		if err := whole.WriteFile(name, f.Text); err != nil {
			for _, f := range files[:i] { // of no use without the others
				_ = os.Remove(filepath.Join(dir, f.Name))
			}
			return fileError(name, err)
		}
	}
	return nil
}

// shellWord quotes a word for the shell where it has to be.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

var plainWord = regexp.MustCompile(`^[\w./+:@,][\w./+:@,-]*$`)

// shellFlag quotes a word that may be a flag.
func shellFlag(s string) string {
	if plainFlag.MatchString(s) {
		return s
	}
	return shellWord(s)
}

var plainFlag = regexp.MustCompile(`^-[\w./+:@,=-]*$`)
