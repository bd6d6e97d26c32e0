package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"comus/cfront"
	"comus/check"
	"comus/comus"
	"comus/internal/whole"
	"comus/replay"
	"comus/report/execution"
	"comus/seqmc"
	"comus/specialise"
)

// replayCommand returns "comus replay".
func (c *command) replayCommand() *cobra.Command {
	var witness, dir fileFlag
	var property string
	cmd := &cobra.Command{
		Use:   "replay prog.c --witness FILE -o DIR",
		Short: "Write a C program that runs a violation for real",
		Long: `replay writes the program with a scheduler woven in and its inputs fixed: compiled
with gcc it runs, with real threads, the interleaving that comus found, and fails
the assertion. FILE is what --certificate wrote for UNSAFE. DIR gets the program,
its runtime and a Makefile that builds ./replay. A program that comes out of step
with the execution ends with code 3 and says where.

make SANITIZE=thread (address, undefined, leak) builds it with that sanitizer of gcc,
make run SANITIZE=... runs it, too. An execution that ends in a data race ends in its
two accesses, of which ThreadSanitizer reports the lines; errors of memory are for
AddressSanitizer, overflow for UndefinedBehaviorSanitizer. In a deadlock the program
hangs; when nothing has moved for 2 seconds it says where each thread waits and
ends with code 5 (with COMUS_HANG=1 in the environment it stays). Code 6: it went on
behind an error that needs a sanitizer to be noticed.`,
		Example: `  comus --certificate cex.json prog.c
  comus replay prog.c --witness cex.json -o out
  make -C out && out/replay
  comus --check race --certificate race.json prog.c
  comus replay prog.c --witness race.json -o out && make -C out run SANITIZE=thread`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || witness == "" || dir == "" {
				return errors.New("usage: comus replay prog.c --witness FILE -o DIR")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return c.replay(args[0], string(witness), property, string(dir))
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&witness, "witness", "the certificate of UNSAFE, a `file`")
	f.VarP(&dir, "output", "o", "the `folder` to write to")
	f.StringVar(&property, "check", "", "of several executions, the one that violates this `property` (default the first)")
	c.limitFlags(f)
	return cmd
}

// replay weaves the execution of a certificate into a program.
func (c *command) replay(file, witness, property, dir string) error {
	if err := readable(file); err != nil {
		return err
	}
	if err := notPipe(file, true); err != nil {
		return err
	}
	var files []replay.File
	violated := ""
	done, err := c.within(func(ctx context.Context) (err error) {
		files, violated, err = weave(ctx, file, witness, property)
		return err
	})
	if !done {
		return err
	}
	if err := writeFiles(dir, files, file); err != nil {
		return err
	}
	run := filepath.Join(dir, "replay")
	if !strings.Contains(run, "/") {
		run = "./" + run
	}
	if s := judges[violated]; s[0] != "" {
		_, err = fmt.Fprintf(c.con, "%s: written; make -C %s SANITIZE=%s run has %s judge it\n", dir, shellWord(dir), s[0], s[1])
		return err
	}
	_, err = fmt.Fprintf(c.con, "%s: written; make -C %s && %s runs it\n", dir, shellWord(dir), shellWord(run))
	return err
}

// judges are the sanitizers that notice the violation of a property.
var judges = map[string][2]string{
	specialise.Race:      {"thread", "ThreadSanitizer"},
	specialise.Memory:    {"address", "AddressSanitizer"},
	specialise.Leak:      {"leak", "LeakSanitizer"},
	specialise.Overflows: {"undefined", "UndefinedBehaviorSanitizer"},
}

// weave returns the files of the program that runs an execution, which it checks first: the first one, or that which
// violates a property, and which one.
func weave(ctx context.Context, file, witness, property string) (files []replay.File, violated string, err error) {
	set, err := readCertificates(witness)
	if err != nil {
		return nil, "", err
	}
	unsafe := slices.DeleteFunc(slices.Clone(set.Certificates), func(c *check.Certificate) bool { return c.Verdict != seqmc.Unsafe.String() })
	if len(unsafe) == 0 {
		return nil, "", fmt.Errorf("%s: the certificate is for %s; only an execution (UNSAFE) can be replayed", witness, set.Certificates[0].Verdict)
	}
	for _, cert := range unsafe {
		res, err := comus.Check(ctx, file, cert)
		switch {
		case isRejection(err):
			return nil, "", fmt.Errorf("%s: the certificate was rejected: %w", witness, err)
		case err != nil:
			return nil, "", err
		case property == "" || property == execution.Property(res.Trace):
			files, err = wovenOf(ctx, file, cert)
			return files, execution.Property(res.Trace), err
		}
	}
	return nil, "", fmt.Errorf("%s: the certificate has no execution that violates %q", witness, property)
}

// wovenOf weaves an execution that was checked.
func wovenOf(ctx context.Context, file string, cert *check.Certificate) ([]replay.File, error) {
	how, asked, err := comus.SourceOptions(cert.Program, cfront.Options{})
	if err != nil {
		return nil, err
	}
	if asked.AtomicStatements {
		return nil, errors.New("cannot replay: the execution takes statements for single steps, which they are not in C (--atomic=statement)")
	}
	source, err := comus.Open(ctx, comus.File(file), how)
	if err != nil {
		return nil, err
	}
	if cert.Execution != nil {
		w, err := source.WeaveRun(ctx, cert.Execution)
		if err != nil {
			return nil, err
		}
		return w.Files, nil
	}
	r, err := source.Read(ctx, asked)
	if err != nil {
		return nil, err
	}
	r.Program.Renumber()
	sched, err := cert.Schedule.Execution(r.Program)
	if err != nil {
		return nil, err
	}
	return replay.Weave(ctx, source.Program(), r.Program, sched)
}

// writeFiles writes files to a folder, which it makes if need be. It writes over no file
// but those of an earlier replay, and not over the program that they are made from.
func writeFiles(dir string, files []replay.File, source string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fileError(dir, err)
	}
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		if err := apart([]string{name}, source); err != nil {
			return err
		}
		if !replaceable(name) {
			return fmt.Errorf("%s: is there already, and not from comus replay; give another folder to -o", name)
		}
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

// replaceable reports whether there is no such file, or one whose first line says that
// comus replay wrote it.
func replaceable(name string) bool {
	if st, err := os.Stat(name); err != nil || !st.Mode().IsRegular() {
		return errors.Is(err, os.ErrNotExist)
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(replay.Marker)+len("/* "))
	n, _ := io.ReadFull(f, start) // nothing is a foreign file, too
	return strings.Contains(string(start[:n]), replay.Marker)
}

// shellWord quotes a word for the shell where it has to be.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

var plainWord = regexp.MustCompile(`^[\w./+:@,][\w./+:@,-]*$`)
