package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"comus/comus"
	"comus/internal/whole"
	"comus/ir/cgen"
	"comus/ir/passes"
	"comus/memory"
	"comus/sequentialize"
	"comus/specialise"
)

// translateCommand returns "comus translate".
func (c *command) translateCommand() *cobra.Command {
	method := choice(sequentialize.Methods...)
	target := choice(cgen.TargetNames...)
	var o sequentialize.Options
	var out fileFlag
	names := []string{}
	cmd := &cobra.Command{
		Use:   "translate [flags] prog.c ...",
		Short: "Translate a multi-threaded program into a sequential one",
		Long: `translate writes a sequential C program that simulates the threads, for any verifier
of sequential C:

  lazy       Lazy-CSeq: all executions of --rounds rounds; main runs once more after the
             last round; loops are unwound --unwind times
  unbounded  UL-CSeq: all executions
  eager      Lal and Reps: all executions of --rounds rounds; loops stay, unless
             --unwind is given

Memory is sequentially consistent. A program with weaker memory orders is refused, unless
--memory-model=sc is given. Threads are interrupted between single accesses to shared memory.
--atomic=statement gives the papers' coarser reading.`,
		Example: `  comus translate --method lazy --unwind 2 --rounds 2 --target cbmc -o seq.c prog.c
  cbmc seq.c`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && len(c.in.flags) == 0 && c.in.database == "" {
				return errors.New("usage: comus translate [flags] FILE.c, one or more")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if method.value == "eager" && !cmd.Flags().Changed("unwind") {
				o.Unwind = 0
			}
			if method.value == "unbounded" && cmd.Flags().Changed("rounds") {
				return errors.New("comus: unbounded has no --rounds")
			}
			t, err := cgen.TargetNamed(target.value)
			if err != nil {
				return err
			}
			o.Method, o.Target = method.value, t
			if err := o.Check(); err != nil {
				return fmt.Errorf("comus: %w", err)
			}
			return c.translate(args, string(out), names, o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(method, "method", "the sequentialization: "+method.list())
	f.IntVar(&o.Unwind, "unwind", 2, "iterations of each loop, and recursive calls within one another")
	f.IntVar(&o.Rounds, "rounds", 3, "rounds of the round-robin schedule")
	f.Var(target, "target", "the verifier the C is for: "+target.list())
	f.VarP(&out, "output", "o", "write to this `file` instead of standard output")
	c.sourceFlags(f)
	f.Var(c.dataModel, "data-model", "widths of C's types: "+c.dataModel.list())
	f.Var(c.orders, "memory-model", "what memory orders mean: a program with weak orders is translated for sc only: "+c.orders.list())
	f.Var(c.overflow, "overflow", "signed overflow is assumed absent, an error, or wraps: "+c.overflow.list())
	f.Var(c.atomic, "atomic", "what no other thread interrupts: "+c.atomic.list())
	c.asked.define(f)
	f.IntVar(&c.opts.Question.MaxThreads, "max-threads", 3, "threads created by a loop without constant bounds")
	f.Var((*passesFlag)(&names), "passes", "simplifications of the program first, in order: all, none (the default), or names")
	c.limitFlags(f)
	c.forceFlag(f)
	return cmd
}

// translate writes the translation of the program of some files.
func (c *command) translate(files []string, out string, names []string, o sequentialize.Options) error {
	units, err := c.units(files)
	if err != nil {
		return err
	}
	if err := c.claim([]output{{flag: "-o", file: out, kind: aTranslation}}, c.inputs(units, string(c.asked.property))...); err != nil {
		return err
	}
	c.opts.Question.Unwind, c.opts.Question.UnrollLimit = max(1, o.Unwind), 64
	read, err := c.options()
	if err != nil {
		return err
	}
	var text string
	done, err := c.within(func(ctx context.Context) error {
		source, err := comus.Open(ctx, units, read.Source)
		if err != nil {
			return err
		}
		res, err := source.Read(ctx, read.Question)
		if err != nil {
			return err
		}
		if read.Question.Memory != memory.SC && slices.Contains(res.Program.Assumptions, specialise.AssumeOrder) {
			return errors.New(title(units) + ": the program has weaker memory orders than seq_cst, and the translation is for sequential consistency (hint: --memory-model sc)")
		}
		simpler, err := passes.Run(res.Program, names)
		if err != nil {
			return err
		}
		if text, err = sequentialize.Translate(simpler.Program, o); err != nil {
			return errors.New(title(units) + ": " + err.Error())
		}
		return nil
	})
	if !done {
		return err
	}
	if out == "" {
		_, err = fmt.Fprint(c.con, text)
		return err
	}
	if err := whole.WriteFile(out, []byte(text)); err != nil {
		return fileError(out, err)
	}
	return nil
}
