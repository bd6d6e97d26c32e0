package bench

import (
	"fmt"
	"slices"
)

// Names lists the suites that [Generate] makes.
var Names = []string{"fig5", "fig6", "scale"}

// IsNamed tells whether [Generate] makes a suite of this name.
func IsNamed(name string) bool { return slices.Contains(Names, name) }

// placed is a program and its column in the table of its suite.
type placed struct {
	Instance
	column string
}

// name returns the name of the program's task and file.
func (p placed) name() string {
	verdict := "safe"
	if p.Unsafe {
		verdict = "unsafe"
	}
	if p.column == "ring" || p.column == "chain" {
		return fmt.Sprintf("%s-%s-%d-%s", p.Kind, p.column, p.Threads, verdict)
	}
	return fmt.Sprintf("%s-%d-%s", p.Kind, p.Threads, verdict)
}

// named returns the programs of a suite, nil if there is none of that name.
func named(suite string) []placed {
	switch suite {
	case "fig5": // the rows of the paper's Fig. 5
		return slices.Concat(both("mat", 2, 3, 4, 5, 6), both("pas", 2, 3, 4, 5), both("long", 2, 3, 4, 5),
			[]placed{{Instance{Kind: "pet", Threads: 2}, "safe"}})
	case "fig6": // Fig. 6 without the rings that no tool solves, and longer chains
		return slices.Concat(fib("ring", 2, 3, 4, 5), fib("chain", 2, 3, 4, 5, 6, 7, 10, 15, 20))
	case "scale":
		return slices.Concat(both("mat", 2, 4, 6, 8, 10, 12), both("pas", 2, 4, 6, 8, 10), both("long", 2, 4, 6, 8, 10),
			both("tree", 3, 7, 15, 31), both("pipe", 2, 3, 4, 5, 6))
	}
	return nil
}

// both returns the safe and unsafe programs of a kind, for numbers of threads.
func both(kind string, threads ...int) []placed {
	var list []placed
	for _, k := range threads {
		list = append(list, placed{Instance{Kind: kind, Threads: k}, "safe"},
			placed{Instance{Kind: kind, Threads: k, Unsafe: true}, "unsafe"})
	}
	return list
}

// fib returns the safe fib programs of a topology, for numbers of threads.
func fib(topology string, threads ...int) []placed {
	var list []placed
	for _, k := range threads {
		list = append(list, placed{Instance{Kind: "fib", Threads: k, Ring: topology == "ring"}, topology})
	}
	return list
}
