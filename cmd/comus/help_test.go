package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestFlagGroups finds each flag of a verification in one group of comus help.
func TestFlagGroups(t *testing.T) {
	var listed []string
	for _, g := range append(slices.Clone(flagGroups), experimentGroups...) {
		listed = append(listed, g.flags...)
	}
	root := (&command{con: newConsole(nil, nil)}).root()
	root.InitDefaultHelpFlag()
	var want []string
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			want = append(want, f.Name)
		}
	})
	slices.Sort(listed)
	slices.Sort(want)
	if !slices.Equal(listed, want) {
		t.Errorf("the groups have\n%q, the command line has\n%q", listed, want)
	}
}

// TestHelpFitsAScreen counts the lines of comus --help, and their columns.
func TestHelpFitsAScreen(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"-h"}, {"help"}} {
		var out, errs bytes.Buffer
		if code := run(args, &out, &errs); code != 0 || errs.Len() > 0 {
			t.Fatalf("%q: exit code %d, %s", args, code, &errs)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) > 40 {
			t.Errorf("%q: %d lines", args, len(lines))
		}
		for _, l := range lines {
			if len(l) > helpWidth {
				t.Errorf("%q: a line of %d columns: %s", args, len(l), l)
			}
		}
	}
}
