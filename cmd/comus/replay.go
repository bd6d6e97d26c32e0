package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"comus/check"
	"comus/comus"
	"comus/replay"
	"comus/seqmc"
)

// replayCommand returns "comus replay".
func (c *command) replayCommand() *cobra.Command {
	var witness, dir string
	cmd := &cobra.Command{
		Use:   "replay prog.c --witness FILE -o DIR",
		Short: "Write a C program that runs a violation for real",
		Long: `replay writes the program with a scheduler woven in and its inputs fixed: compiled
with gcc it runs, with real threads, the interleaving that comus found, and fails
the assertion. FILE is what --certificate wrote for UNSAFE. DIR gets the program,
its runtime and a Makefile that builds ./replay. A program that comes out of step
with the execution ends with code 3 and says where.`,
		Example: `  comus --certificate cex.json prog.c
  comus replay prog.c --witness cex.json -o out
  make -C out && out/replay`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || witness == "" || dir == "" {
				return errors.New("usage: comus replay prog.c --witness FILE -o DIR")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return c.replay(args[0], witness, dir) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&witness, "witness", "", "the certificate of UNSAFE, a `file`")
	f.StringVarP(&dir, "output", "o", "", "the `folder` to write to")
	return cmd
}

// replay weaves the execution of a certificate into a program.
func (c *command) replay(file, witness, dir string) error {
	f, err := os.Open(witness)
	if err != nil {
		return fileError(witness, err)
	}
	defer f.Close()
	cert, err := check.Read(io.LimitReader(f, maxCertificate))
	if err != nil {
		return fileError(witness, err)
	}
	if _, err := os.Stat(file); err != nil {
		return fileError(file, err)
	}
	if cert.Verdict != seqmc.Unsafe.String() {
		return fmt.Errorf("%s: the certificate is for %s; only an execution (UNSAFE) can be replayed", witness, cert.Verdict)
	}
	if _, err := comus.Check(context.Background(), file, cert); isRejection(err) {
		return fmt.Errorf("%s: the certificate was rejected: %w", witness, err)
	} else if err != nil {
		return err
	}
	files, err := replay.Weave(file, cert)
	if err != nil {
		return err
	}
	if err := writeFiles(dir, files, file); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.con, "%s: written; make -C %s && %s runs it\n", dir, dir, filepath.Join(dir, "replay"))
	return err
}

// writeFiles writes files to a folder, which it makes if need be. It does not
// write over the program they are made from.
func writeFiles(dir string, files []replay.File, source string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fileError(dir, err)
	}
	from, err := os.Stat(source)
	if err != nil {
		return fileError(source, err)
	}
	for _, f := range files {
		if st, err := os.Stat(filepath.Join(dir, f.Name)); err == nil && os.SameFile(st, from) {
			return fmt.Errorf("%s: is the program itself; give another folder to -o", filepath.Join(dir, f.Name))
		}
	}
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		if err := os.WriteFile(name, f.Text, 0o644); err != nil {
			return fileError(name, err)
		}
	}
	return nil
}
