package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Names lists the suites that [Generate] makes.
var Names = []string{"fig5", "fig6", "scale", "growth", "local", "families", "relay", "varied"}

// IsNamed tells whether [Generate] makes a suite of this name.
func IsNamed(name string) bool { return slices.Contains(Names, name) }

// placed is a program and where the table of its suite has it.
type placed struct {
	Instance
	column string
	family string // its class, "" for its kind
}

// class returns the class of the program in tables.
func (p placed) class() string {
	if p.family != "" {
		return p.family
	}
	return p.Kind
}

// name returns the name of the program's task and file.
func (p placed) name() string {
	verdict := "safe"
	if p.Unsafe {
		verdict = "unsafe"
	}
	name := p.class()
	if p.column == "ring" || p.column == "chain" {
		name += "-" + p.column
	}
	return fmt.Sprintf("%s-%d-%s", name, p.Threads, verdict)
}

// named returns the programs of a suite, nil if there is none of that name.
func named(suite string) []placed {
	switch suite {
	case "fig5": // the rows of the paper's Fig. 5
		return slices.Concat(both("mat", 2, 3, 4, 5, 6), both("pas", 2, 3, 4, 5), both("long", 2, 3, 4, 5),
			[]placed{{Instance: Instance{Kind: "pet", Threads: 2}, column: "safe"}})
	case "fig6": // Fig. 6 without the rings that no tool solves, and longer chains
		return slices.Concat(fib("ring", 2, 3, 4, 5), fib("chain", 2, 3, 4, 5, 6, 7, 10, 15, 20))
	case "scale":
		return slices.Concat(both("mat", 2, 4, 6, 8, 10, 12), both("pas", 2, 4, 6, 8, 10), both("long", 2, 4, 6, 8, 10),
			both("tree", 3, 7, 15, 31), both("pipe", 2, 3, 4, 5, 6))
	case "growth": // small steps, for the exponent of the time
		return slices.Concat(both("mat", upTo(8)...), both("pas", upTo(8)...), both("long", upTo(8)...),
			both("tree", 3, 5, 7, 9, 11, 15, 23, 31), both("pipe", upTo(8)...), both("pet", 2, 3, 4),
			family("fib-chain", Instance{Kind: "fib"}, upTo(8)...), family("fib-ring", Instance{Kind: "fib", Ring: true}, upTo(5)...))
	case "local": // properties of two threads, among more and more others
		var list []placed
		for _, kind := range []string{"mat", "pas", "long"} {
			list = append(list, family(kind+"-local", Instance{Kind: kind, Local: true}, upTo(8)...)...)
		}
		return list
	case "families": // proofs beyond the paper's kinds
		return slices.Concat(both("relay", 3, 5, 8, 14), both("buffer", 2, 3, 6), family("buffer-64", Instance{Kind: "buffer", Size: 64}, 3),
			both("alike", 3, 10, 100, 1000), family("alike-twice", Instance{Kind: "alike", Iterations: 2}, 3, 10),
			both("accounts", 2, 4), family("accounts-fixed", Instance{Kind: "accounts", Vary: "fixed"}, 4), family("accounts-sum", Instance{Kind: "accounts", Vary: "one,main"}, 2),
			both("list", 2, 4), family("list-queue", Instance{Kind: "list", Vary: "queue"}, 4), both("ticket", 2, 3, 5, 10),
			both("readers", 2, 4, 8), family("readers-flags", Instance{Kind: "readers", Vary: "flags"}, 4))
	case "relay": // 3, 6, 12, 24 and 48 stages between the first and the last
		return both("relay", 5, 8, 14, 26, 50)
	case "varied": // the same programs, written in other ways
		return varied()
	}
	return nil
}

// varied returns programs as they are, written in each other way, and in all of the last ones.
func varied() []placed {
	const any = "reverse names reverse,names "
	const own = "chain backward " + any + "reverse,chain,backward,names "
	var list []placed
	for _, v := range []struct {
		like Instance
		ways string
	}{
		{Instance{Kind: "mat", Threads: 4}, own + "columns running flags main columns,running,flags,main"},
		{Instance{Kind: "pas", Threads: 4}, own},
		{Instance{Kind: "long", Threads: 4}, own},
		{Instance{Kind: "tree", Threads: 7}, own},
		{Instance{Kind: "pipe", Threads: 4}, own},
		{Instance{Kind: "relay", Threads: 6}, own + "conditions counters main conditions,counters,main"},
		{Instance{Kind: "buffer", Threads: 3}, any + "retry flags main retry,flags,main"},
		{Instance{Kind: "alike", Threads: 10}, "names atomic counters threads"},
		{Instance{Kind: "accounts", Threads: 4}, any + "one fixed main one,fixed,main"},
		{Instance{Kind: "list", Threads: 4}, any + "queue main queue,main"},
		{Instance{Kind: "ticket", Threads: 3}, any},
		{Instance{Kind: "readers", Threads: 4}, any + "flags"},
	} {
		list = append(list, family("", v.like, v.like.Threads)...)
		for _, way := range strings.Fields(v.ways) {
			like := v.like
			like.Vary = way
			list = append(list, family(like.Kind+"-"+strings.ReplaceAll(way, ",", "-"), like, like.Threads)...)
		}
	}
	return list
}

// upTo returns the numbers from 2 on.
func upTo(last int) []int {
	var list []int
	for k := 2; k <= last; k++ {
		list = append(list, k)
	}
	return list
}

// both returns the safe and unsafe programs of a kind, for numbers of threads.
func both(kind string, threads ...int) []placed {
	return family("", Instance{Kind: kind}, threads...)
}

// family returns the safe and unsafe programs like one, for numbers of threads, as
// a class with a name; "" stands for that of the kind.
func family(class string, like Instance, threads ...int) []placed {
	var list []placed
	for _, k := range threads {
		safe := like
		safe.Threads = k
		unsafe := safe
		unsafe.Unsafe = true
		list = append(list, placed{safe, "safe", class}, placed{unsafe, "unsafe", class})
	}
	return list
}

// fib returns the safe fib programs of a topology, for numbers of threads.
func fib(topology string, threads ...int) []placed {
	var list []placed
	for _, k := range threads {
		list = append(list, placed{Instance: Instance{Kind: "fib", Threads: k, Ring: topology == "ring"}, column: topology})
	}
	return list
}
