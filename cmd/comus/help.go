package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shortHelp is what comus --help prints: it fits a screen. The flags are in comus help flags and comus help experiments.
const shortHelp = `comus decides whether an assertion of a multi-threaded C program (pthreads) can
fail, in any interleaving and for any input. --check asks about other properties:
data races, deadlocks, memory, leaks, overflow, locks. Every verdict is confirmed:
SAFE by re-proving a certificate, UNSAFE by replaying the execution.

Usage:
  comus [flags] prog.c ...     verify a program; flags of gcc are taken as gcc takes them
  comus [flags] -p FOLDER      the program of a compile_commands.json

Examples:
  comus examples/peterson.c
  comus --check race,deadlock --timeout 60s -I include main.c queue.c
  bear -- make && comus -p .

The last line of standard output is exactly SAFE, UNSAFE, or UNKNOWN: reason.
Exit codes: 0 SAFE, 10 UNSAFE, 20 UNKNOWN, 2 wrong input, 70 internal error.

Commands:
%s
Some flags:
%s
More:
  comus help flags             all flags, by purpose
  comus help experiments       flags that switch parts of comus off, or show them
  comus help COMMAND           a command
`

// someFlags are the flags of shortHelp.
var someFlags = []string{"check", "timeout", "certificate", "html", "json"}

// flagGroup are the flags of a verification that serve one purpose.
type flagGroup struct {
	purpose string
	flags   []string
}

// flagGroups has all flags of a verification but those for experiments, in the order of docs/usage.md.
var flagGroups = []flagGroup{
	{"Which program", []string{"compile-commands", "entry", "model", "unknown-functions", "no-host-compiler", "data-model"}},
	{"What to ask", []string{"check", "property", "all", "daemon"}},
	{"What the language means, and what may fail", []string{"memory-model", "overflow", "atomic", "may-fail", "assume"}},
	{"Bounds", []string{"timeout", "memory", "max-threads", "max-allocs", "unroll", "unwind"}},
	{"What is reported", []string{"json", "quiet", "stats", "verbose", "format", "log-level", "help"}},
	{"What is written to files", []string{"certificate", "witness", "html", "sarif", "force"}},
	{"How to verify", []string{"strategy", "sanitize", "seqmc", "seqmc-command", "seqmc-safe", "seqmc-unsafe", "seqmc-dialect", "order"}},
}

// experimentGroups has the flags for experiments.
var experimentGroups = []flagGroup{
	{"Stages and profiles", []string{"show", "passes", "cpuprofile", "memprofile"}},
	{"Switches: these flags change what comus tries, not what it may answer", []string{"no-simulate", "no-reduction", "no-seed", "no-demand", "no-relational", "no-resources", "no-guesses", "no-ranges", "no-watch",
		"no-every", "no-bounds", "no-census", "no-lemmas", "no-pairs", "no-placed", "no-cells", "no-summaries", "no-concretize", "no-generalize", "no-project", "no-batch", "no-multipath", "no-cache",
		"no-parallel", "no-guide"}},
}

// topics are the pages of comus help that are no commands.
var topics = map[string][]flagGroup{"flags": flagGroups, "experiments": experimentGroups}

// helpCommand is cobra's, but knows topics, and fails for a command that there is not.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "help [command]",
		Short:     "Help about any command",
		ValidArgs: []string{"flags", "experiments"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && topics[args[0]] != nil {
				cmd.Root().InitDefaultHelpFlag()
				_, err := fmt.Fprint(cmd.OutOrStdout(), grouped(cmd.Root().Flags(), topics[args[0]]))
				return err
			}
			of, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("comus: there is no command '%s' (comus --help lists them)", strings.Join(args, " "))
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
}

// briefly makes a command print shortHelp, and those below it cobra's help.
func briefly(root *cobra.Command) {
	usual := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd != root {
			usual(cmd, args)
			return
		}
		var commands strings.Builder
		for _, sub := range root.Commands() {
			if !sub.Hidden && sub.Name() != "help" {
				fmt.Fprintf(&commands, "  %-28s %s\n", sub.Name(), sub.Short)
			}
		}
		fmt.Fprintf(cmd.OutOrStdout(), shortHelp, commands.String(), usages(root.Flags(), someFlags))
	})
}

// grouped words groups of flags.
func grouped(f *pflag.FlagSet, groups []flagGroup) string {
	var out []string
	for _, g := range groups {
		out = append(out, g.purpose+":\n"+usages(f, g.flags))
	}
	return strings.Join(out, "\n")
}

// usages words some flags as cobra does, in this order.
func usages(f *pflag.FlagSet, names []string) string {
	some := pflag.NewFlagSet("", pflag.ContinueOnError)
	some.SortFlags = false
	for _, name := range names {
		some.AddFlag(f.Lookup(name))
	}
	return some.FlagUsagesWrapped(helpWidth)
}

// helpWidth is how many columns the lines of help flags have.
const helpWidth = 110
