package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagText is a flag in a text for people, with its value. Behind a space, only small letters are one.
var flagText = regexp.MustCompile(`(?:^|[^\w-])--([a-z][a-z-]*[a-z])(?:(=)([\w,-]+)| ([a-z][a-z,-]*[a-z])|)`)

// noValues are words that follow flags in sentences.
var noValues = []string{"and", "or", "both", "command", "has", "needs", "asks", "names", "is", "says", "lists", "writes", "wrote", "takes", "with", "would", "must", "as"}

// foreign are flags of other programs.
var foreign = []string{"version", "wrap", "no-standard-checks", "no-unwinding-assertions", "help", "no", "lang", "name", "sysroot", "partition", "cpus-per-task"}

// foreignCode has folders whose texts are command lines for other programs, and not for people.
var foreignCode = []string{"seqmc", "internal", "bench/slurm", "cfront/command"}

// allFlags returns the flags of all commands, by name.
func allFlags() map[string][]*pflag.Flag {
	out := map[string][]*pflag.Flag{}
	c := &command{con: newConsole(nil, nil)}
	var of func(cmd *cobra.Command)
	of = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { out[f.Name] = append(out[f.Name], f) })
		for _, sub := range cmd.Commands() {
			of(sub)
		}
	}
	of(c.root())
	return out
}

// hasList tells whether the values of a flag are words that there are only some of.
func hasList(f *pflag.Flag) bool {
	switch f.Value.(type) {
	case *choiceFlag, *checksFlag, *assumeFlag, *passesFlag, *showFlag:
		return true
	}
	return false
}

// wrongFlags returns what a text says of flags that there are not, or of values that they do not take.
func wrongFlags(text string, flags map[string][]*pflag.Flag) []string {
	var out []string
	for _, m := range flagText.FindAllStringSubmatch(text, -1) {
		name, value := m[1], m[3]+m[4]
		fs := flags[name]
		if len(fs) == 0 {
			if !slices.Contains(foreign, name) {
				out = append(out, "--"+name)
			}
			continue
		}
		if value == "" || m[2] == "" && slices.Contains(noValues, strings.TrimSuffix(value, ",")) {
			continue
		}
		takes := func(f *pflag.Flag) bool { return !hasList(f) || f.Value.Set(strings.TrimSuffix(value, ",")) == nil }
		if slices.ContainsFunc(fs, hasList) {
			fs = slices.DeleteFunc(slices.Clone(fs), func(f *pflag.Flag) bool { return !hasList(f) })
		}
		if !slices.ContainsFunc(fs, takes) {
			out = append(out, "--"+name+m[2]+value)
		}
	}
	return out
}

// TestHints looks at all texts in the source and in the documentation for flags, and values of flags, that there are not.
func TestHints(t *testing.T) {
	flags := allFlags()
	for text, want := range map[string]int{"(--check=threads asks about that)": 1, "--check=locks and --check race": 0, "--no-such": 1, "use --strategy nothing": 1} {
		if got := wrongFlags(text, flags); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel("../..", path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || slices.Contains(foreignCode, rel) || strings.HasPrefix(d.Name(), ".") && rel != "." || rel == "bin"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "--") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if s, err := strconv.Unquote(lit.Value); err == nil {
				for _, w := range wrongFlags(s, flags) {
					t.Errorf("%s: there is no %s, in %q", rel, w, s)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
