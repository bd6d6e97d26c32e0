package passes

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
)

// Pass is a transformation.
type Pass struct {
	Name string
	Does string // in a few words
	run  func(*draft)
}

// All returns the passes in the order in which they work best together.
func All() []Pass {
	return []Pass{
		{"unroll", "copy the bodies of loops with constant bounds", unroll},
		{"constants", "replace variables with known values", constants},
		{"scalars", "dissolve choices between the cells of an array", scalars},
		{"slice", "remove what no error depends on", slice},
		{"dead", "remove assignments and variables that nobody reads", dead},
		{"merge", "join steps that no other thread notices", merge},
		{"await", "make waiting loops assumptions", await},
		{Webs, "split variables that are used for several things", webs},
	}
}

// Names returns the names of all passes, in their order.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Webs is the name of the pass that splits variables. It makes programs larger, and is run where that pays only.
const Webs = "webs"

// Default returns the names of the passes that are run unless one chooses.
func Default() []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return name == Webs })
}

// Parse reads a list of passes: "all" for those that are run by default, "none", or names with commas. A list of
// names is run in the order given.
func Parse(list string) ([]string, error) {
	switch list {
	case "all":
		return Default(), nil
	case "none":
		return []string{}, nil
	}
	names := strings.Split(list, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if _, err := find(names[i]); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// Known returns an error for a name that no pass has.
func Known(names []string) error {
	for _, name := range names {
		if _, err := find(name); err != nil {
			return err
		}
	}
	return nil
}

func find(name string) (Pass, error) {
	all := All()
	if i := slices.IndexFunc(all, func(p Pass) bool { return p.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Pass{}, fmt.Errorf("there is no pass %q (the passes are %s)", name, strings.Join(Names(), ", "))
}

// Result is a transformed program and how it relates to the original one.
type Result struct {
	Program *ir.Program
	// Origin has, for each edge, the edges of the original program that it stands
	// for: a path of the same thread.
	Origin map[*ir.Edge][]*ir.Edge
}

// Run applies the passes one after another. It is deterministic.
func Run(p *ir.Program, names []string) (*Result, error) {
	if err := p.Single(); err != nil {
		return nil, err
	}
	d := newDraft(p)
	for _, name := range names {
		pass, err := find(name)
		if err != nil {
			return nil, err
		}
		pass.run(d)
		d.tidy()
	}
	return &Result{Program: d.p, Origin: d.origin}, nil
}

// Lift returns the steps of the original program that steps of the transformed
// one stand for.
func (r *Result) Lift(edges []*ir.Edge) []*ir.Edge {
	var out []*ir.Edge
	for _, e := range edges {
		out = append(out, r.Origin[e]...)
	}
	return out
}
