package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"comus/bench"
	"comus/examples/gen"
	"comus/ir/passes"
	"comus/specialise"
)

// complete says what a shell may offer after each flag and command. It is called when all of them are there.
func complete(root *cobra.Command) {
	for _, cmd := range append(root.Commands(), root) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if values := valuesOf(f); values != nil {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, values) // it fails for a flag that there is not, or has one
			}
		})
	}
	extensions := map[string][]string{"comus": {"c", "i"}, "check": {"c", "i", "json"}, "explore": {"c", "i"},
		"translate": {"c", "i"}, "replay": {"c", "i"}, "bool": {"bp"}}
	for _, cmd := range append(root.Commands(), root) {
		switch ext := extensions[cmd.Name()]; {
		case ext != nil:
			cmd.ValidArgsFunction = cobra.FixedCompletions(ext, cobra.ShellCompDirectiveFilterFileExt)
		case cmd.Name() == "gen":
			cmd.ValidArgsFunction = first(kinds())
		case cmd.Name() == "scan": // files and folders
			cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
		case cmd.Name() == "bench": // or a folder
			cmd.ValidArgsFunction = cobra.FixedCompletions(append(slices.Clone(bench.Names), bench.BoolSuite), cobra.ShellCompDirectiveDefault)
		case cmd.Name() == "version":
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// completion is a function that offers words.
type completion = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// valuesOf returns what to offer after a flag; nil for names of files, and what nobody can guess.
func valuesOf(f *pflag.Flag) completion {
	switch v := f.Value.(type) {
	case *choiceFlag:
		return cobra.FixedCompletions(v.values, cobra.ShellCompDirectiveNoFileComp)
	case *checksFlag:
		return listed(append(slices.Clone(specialise.CheckNames), specialise.AllChecks))
	case *passesFlag:
		return listed(append(passes.Names(), "all", "none"))
	case *showFlag:
		stages := append(slices.Clone(showStages), passStages()...)
		return listed(slices.DeleteFunc(stages, func(s string) bool { return s == "ir:PASS" }))
	case *levelFlag:
		return cobra.FixedCompletions([]string{"off", "error", "warn", "info", "debug", "trace"}, cobra.ShellCompDirectiveNoFileComp)
	case *timeoutFlag, *sizeFlag:
		return cobra.NoFileCompletions
	}
	switch f.Value.Type() {
	case "int", "bool", "stringSlice":
		return cobra.NoFileCompletions
	}
	return nil
}

// listed offers the next word of a list with commas, of those that it does not have yet.
func listed(words []string) completion {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var out []string
		for _, w := range words {
			if !slices.Contains(strings.Split(before, ","), w) {
				out = append(out, before+w)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// first offers words for the first argument, and nothing for others.
func first(words []string) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// kinds returns the kinds of programs that comus gen prints, each with what it is.
func kinds() []string {
	var out []string
	for _, k := range gen.Kinds() {
		out = append(out, k.Name+"\t"+k.Summary)
	}
	return out
}
