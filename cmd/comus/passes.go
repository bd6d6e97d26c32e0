package main

import (
	"fmt"
	"slices"
	"strings"

	"comus/comus"
	"comus/ir"
	"comus/ir/passes"
)

// passesFlag is a list of passes; nil for the default ones.
type passesFlag []string

func (f *passesFlag) Type() string { return "passes" }

func (f *passesFlag) String() string {
	switch {
	case *f == nil:
		return "all"
	case len(*f) == 0:
		return "none"
	}
	return strings.Join(*f, ",")
}

// Set reads "all", "none" or names with commas.
func (f *passesFlag) Set(s string) error {
	names, err := passes.Parse(s)
	if err == nil {
		*f = names
	}
	return err
}

// passStages are the stages of --show that print the program around a pass.
func passStages() []string {
	stages := []string{"ir:all"}
	for _, name := range passes.Names() {
		stages = append(stages, "ir:"+name)
	}
	return stages
}

// passes prints the program before and after the passes to show, and after all of
// them, and returns the latter.
func (s *shower) passes(p *ir.Program, opts comus.Options) (*ir.Program, error) {
	names := opts.Passes
	if names == nil {
		names = passes.Default()
	}
	after := func(n int) (*ir.Program, error) {
		r, err := passes.Run(p, names[:n])
		if err != nil {
			return nil, err
		}
		r.Program.Renumber()
		return r.Program, nil
	}
	for _, stage := range s.stages {
		name, ok := strings.CutPrefix(stage, "ir:")
		if !ok || name == "all" {
			continue
		}
		i := slices.Index(names, name)
		if i < 0 {
			return nil, fmt.Errorf("comus: --show=%s: this pass is not applied (--passes)", stage)
		}
		for k, what := range []string{"before", "after"} {
			q, err := after(i + k)
			if err != nil {
				return nil, err
			}
			s.section(fmt.Sprintf("ir %s %s", what, name), q.String())
		}
	}
	q, err := after(len(names))
	if err == nil && s.wants("ir:all") {
		s.section("ir after all passes", q.String())
	}
	return q, err
}
