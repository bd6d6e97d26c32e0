package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"comus/examples/gen"
)

// genCommand returns "comus gen".
func (c *command) genCommand() *cobra.Command {
	var opts gen.Options
	cmd := &cobra.Command{
		Use:   "gen [KIND]",
		Short: "Print a C program with any number of threads, safe or unsafe",
		Long: `gen prints a C program of a kind, with any number of threads, for measuring
verifiers. Its first line has the verdict: // expect: SAFE or UNSAFE. Without KIND,
gen lists the kinds. --vary writes the same program in another way, which should
make little difference to a verifier: main starts the threads in the other order
(reverse), each thread starts the next (chain), functions are declared in the other
order (backward), all names are different (names), another thread asserts (main,
threads). A kind may have more ways. The kinds, and the values of --vary that they take:

` + kindList(),
		Example: `  comus gen mat --threads 4 > mat4.c
  comus gen fib --threads 3 --ring --unsafe > ring3.c
  comus gen mat --threads 8 --local --max-input 1000 > local8.c
  comus gen relay --threads 50 --vary chain,names > relay50.c`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("usage: comus gen [KIND] [flags]")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			text := kindList()
			if len(args) > 0 {
				for name, value := range map[string]int{gen.FlagColumns: opts.Columns, gen.FlagIterations: opts.Iterations, gen.FlagSize: opts.Size} {
					if cmd.Flags().Changed(name) && value < 1 {
						return fmt.Errorf("comus: --%s must be at least 1", name)
					}
				}
				var err error
				if text, err = gen.Generate(args[0], opts); err != nil {
					return fmt.Errorf("comus: %w", err)
				}
			}
			_, err := fmt.Fprint(c.con, text)
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&opts.Threads, "threads", 2, "number of threads, without main")
	f.BoolVar(&opts.Unsafe, "unsafe", false, "the form in which an assertion can fail")
	f.BoolVar(&opts.Ring, gen.FlagRing, false, "fib: a ring instead of a chain")
	f.IntVar(&opts.Columns, gen.FlagColumns, 0, "mat: number of columns (default: as many as rows)")
	f.IntVar(&opts.Iterations, gen.FlagIterations, 0, "fib, alike, ticket: how often each thread does its work (default 2, 1, 1)")
	f.IntVar(&opts.Size, gen.FlagSize, 0, "relay: how many numbers are sent; buffer: cells; accounts: accounts; list: nodes of each producer (default 1, 4, 3, no limit)")
	f.StringSliceVar(&opts.Vary, gen.FlagVary, nil, "other `ways` to write it, with commas")
	f.BoolVar(&opts.Local, gen.FlagLocal, false, "mat, pas, long: a property of the first two threads only (mat: 3 columns by default)")
	f.IntVar(&opts.MaxInput, gen.FlagMaxInput, 0, "mat, long, tree, pipe: the largest `input`, so that no int overflows (0: any int)")
	return cmd
}

// kindList returns the kinds of programs, one a line.
func kindList() string {
	var b strings.Builder
	for _, k := range gen.Kinds() {
		fmt.Fprintf(&b, "%-8s %s", k.Name, k.Summary)
		for i, flag := range k.Flags {
			b.WriteString([]string{" (--", ", --"}[min(i, 1)] + flag)
		}
		if len(k.Flags) > 0 {
			b.WriteString(")")
		}
		fmt.Fprintf(&b, "\n         --vary %s\n", strings.Join(k.Vary, ","))
	}
	return b.String()
}
