package check

import (
	"strings"

	"comus/ir"
	"comus/logic"
)

// rejection is a change that breaks a certificate, or the program under it.
type rejection struct {
	program, name string
	change        func(b *built)
	want          string // part of the error
}

var shapeTests = []rejection{
	{"growing", "verdict", func(b *built) { b.c.Verdict = "UNSAFE" }, "not one of safety"},
	{"growing", "no threads", func(b *built) { b.c.Threads = nil }, "describes 0 threads"},
	{"growing", "unknown thread", func(b *built) { b.c.Threads[1].Thread = 2 }, "no thread 2"},
	{"growing", "negative thread", func(b *built) { b.c.Threads[1].Thread = -1 }, "no thread -1"},
	{"growing", "thread twice", func(b *built) { b.c.Threads[1].Thread = 0 }, "described twice"},
	{"growing", "unknown node", func(b *built) { b.c.Threads[0].Nodes[1] = 77 }, "node 77 does not exist"},
	{"growing", "negative cut", func(b *built) { b.c.Threads[0].Cuts[1] = -3 }, "cut-point -3 does not exist"},
	{"growing", "node twice", func(b *built) { b.c.Threads[0].Nodes[1] = 0 }, "node 0 is given twice"},
	{"growing", "cut that is no node", func(b *built) { b.c.Threads[0].Nodes = []int{0, 1} }, "is no node"},
	{"growing", "cut at an error", func(b *built) {
		b.c.Threads[0].Nodes, b.c.Threads[0].Cuts = locs(4), locs(4)
	}, "is an error location"},
	{"growing", "entry no cut", func(b *built) { b.c.Threads[0].Cuts = []int{1, 2} }, "is no cut-point"},
	{"growing", "cut inside an atomic section", func(b *built) { b.p.Threads[0].Locs[1].Atomic = true }, "inside an atomic section"},
	{"growing", "no formula", func(b *built) { b.c.Facts = "" }, "facts: "},
	{"growing", "unknown variable", func(b *built) { b.c.Facts = "(= q 0)" }, "unknown variable"},
	{"growing", "a term as a formula", func(b *built) { b.c.Facts = "(+ x 1)" }, "not a formula"},
	{"growing", "ill-sorted", func(b *built) { b.c.Facts = "(and x true)" }, "do not fit"},
	{"growing", "unknown pc", func(b *built) { b.c.Facts = "(= pc2 0)" }, "unknown variable"},
	{"growing", "old value in facts", func(b *built) { b.c.Facts = "(= old:x x)" }, "unknown variable"},
	{"growing", "old value in an invariant", func(b *built) { replace(&b.c.Runs[0].Invariants, 1, PhaseAt, "(= old:x x)") }, "unknown variable"},
	{"growing", "no runs", func(b *built) { b.c.Runs = nil }, "no run for thread 0"},
	{"growing", "run of the other thread", func(b *built) {
		b.c.Runs[0].Order = []int{1, 0}
		b.c.Runs[0].Levels[0].Seed = "true"
		b.c.Runs[0].Invariants = append(inv(PhaseAt, "true", "true", "true"), inv(PhaseMoved, "true", "true", "true")...)
	}, "no run for thread 0"},
	{"growing", "empty order", func(b *built) { b.c.Runs[0].Order = nil }, "run 1: there are 0 threads"},
	{"growing", "thread twice in order", func(b *built) { b.c.Runs[0].Order = []int{0, 0} }, "not one of all"},
	{"growing", "negative thread in order", func(b *built) { b.c.Runs[0].Order = []int{0, -1} }, "not one of all"},
	{"growing", "thread missing in order", func(b *built) { b.c.Runs[0].Order = []int{0} }, "not one of all 2 threads"},
	{"growing", "missing level", func(b *built) { b.c.Runs[0].Levels = b.c.Runs[0].Levels[:1] }, "1 levels"},
	{"growing", "invariant nowhere", func(b *built) { b.c.Runs[0].Invariants[0].Loc = 9 }, "no node"},
	{"growing", "invariant at a negative location", func(b *built) { b.c.Runs[0].Invariants[0].Loc = -1 }, "no node"},
	{"growing", "invariant at an error", func(b *built) { b.c.Runs[0].Invariants[0].Loc = 3 }, "no node"},
	{"growing", "invariant twice", func(b *built) { b.c.Runs[0].Invariants[0].Loc = 1 }, "two invariants"},
	{"growing", "unknown phase", func(b *built) { b.c.Runs[0].Invariants[0].Phase = "never" }, "not possible there"},
	{"growing", "query phase in normal mode", func(b *built) { b.c.Runs[0].Invariants[0].Phase = PhaseBefore }, "not possible there"},
	{"spawned", "moved where there is no move", func(b *built) {
		b.c.Runs[0].Invariants = append(b.c.Runs[0].Invariants, Invariant{4, PhaseMoved, "true"})
	}, "not possible there"},
	{"relay", "refinement of the last level", func(b *built) { b.level(2).Refinements = b.level(1).Refinements }, "last level has refinements"},
	{"relay", "alpha about the main thread's pc", func(b *built) { b.refinement(0).Alpha = "(= pc0 0)" }, "refinement 1: alpha"},
	{"relay", "beta about a caller's pc", func(b *built) { b.refinement(1).Beta = "(= pc0 0)" }, "refinement 2: beta"},
	{"relay", "invariant about a caller's pc", func(b *built) { b.refinement(1).Invariants[0].Formula = "(= pc1 0)" }, "unknown variable"},
	{"relay", "seed about a caller's local", func(b *built) { b.level(1).Seed = "(<= r 3)" }, "level 2: seed"},
	{"relay", "seed about the main thread's pc", func(b *built) { b.level(0).Seed = "(= old:pc0 pc0)" }, "level 1: seed"},
	{"growing", "deep nesting", func(b *built) { b.c.Facts = strings.Repeat("(not ", 50_000) }, "nested too deeply"},
}

var factTests = []rejection{
	{"growing", "false facts", func(b *built) { b.c.Facts = "false" }, "do not hold initially"},
	{"growing", "facts not true at first", func(b *built) { b.c.Facts = "(=> (= pc1 0) (= x 1))" }, "do not hold initially"},
	{"growing", "facts about one initial value of many", func(b *built) { b.p.Vars[0].Init = nil }, "do not hold initially"},
	{"growing", "facts not inductive", func(b *built) { b.c.Facts = "(<= x 1)" }, "facts are not kept by thread 1"},
	{"growing", "facts about a pc not inductive", func(b *built) { b.c.Facts = "(<= pc0 1)" }, "facts are not kept by thread 0"},
	{"growing", "facts that the program outgrew", func(b *built) {
		b.p.Threads[1].Locs[1].Out[0].Cmds[0].Expr = b.p.L.Int(3)
	}, "facts are not kept by thread 1"},
	{"growing", "value outside its type", func(b *built) {
		b.c.Facts = "true"
		b.p.Threads[1].Locs[1].Out[0].Cmds[0].Expr = b.p.L.Int(256)
	}, "value assigned to x after location 1 can be outside"},
	{"growing", "sum outside its type", func(b *built) {
		b.c.Facts = "true"
		b.p.Threads[1].Locs[1].Out[0].Cmds[0].Expr = b.p.L.Add(b.p.Vars[0].Sym, b.p.L.Int(1))
	}, "value assigned to x after location 1 can be outside"},
	{"growing", "value outside its type before an error", func(b *built) {
		b.c.Facts = "true"
		x, l := b.p.Vars[0], b.p.L
		b.p.Threads[0].Edges(func(e *ir.Edge) {
			if e.To.Error {
				e.Cmds = append([]ir.Cmd{ir.AssignCmd(x, l.Add(x.Sym, l.Int(1)))}, e.Cmds...)
			}
		})
	}, "can be outside its type"},
	{"growing", "local of another thread", func(b *built) { b.p.Threads[1].Locs[1].Out[0].Cmds[0].Var = b.p.Vars[1] }, "local to thread 0"},
}

var proofTests = []rejection{
	{"growing", "false seed", func(b *built) { b.level(0).Seed = "false" }, "level 1: the seed is not reflexive"},
	{"growing", "irreflexive seed", func(b *built) { b.level(0).Seed = "(< old:x x)" }, "level 1: the seed is not reflexive"},
	{"growing", "seed not closed", func(b *built) { b.level(0).Seed = "(<= x old:x)" }, "seed is not kept by thread 1"},
	{"growing", "seed of an unwritten variable", func(b *built) { b.level(0).Seed = "(= r 0)" }, "seed is not reflexive"},
	{"growing", "weak seed", func(b *built) { b.level(0).Seed = "true" }, "run 1, level 1: the invariant at location 1 (moved) is not kept by env_move"},
	{"growing", "weak facts", func(b *built) { b.c.Facts = "true" }, "seed is not kept by thread 1"},
	{"growing", "invariant false at first", func(b *built) { replace(&b.c.Runs[0].Invariants, 0, PhaseAt, "(= x 1)") }, "does not hold initially"},
	{"growing", "no invariant at the entry", func(b *built) { replace(&b.c.Runs[0].Invariants, 0, PhaseAt, "") }, "does not hold initially"},
	{"growing", "missing moved invariant", func(b *built) { replace(&b.c.Runs[0].Invariants, 0, PhaseMoved, "") }, "location 0 (moved) is not kept by env_move"},
	{"growing", "too strong moved invariant", func(b *built) { replace(&b.c.Runs[0].Invariants, 0, PhaseMoved, "(= x 0)") }, "location 0 (moved) is not kept by env_move"},
	{"growing", "missing invariant", func(b *built) { replace(&b.c.Runs[0].Invariants, 2, PhaseAt, "") }, "location 2 (at) does not follow from location 1"},
	{"growing", "weak invariant", func(b *built) { replace(&b.c.Runs[0].Invariants, 1, PhaseAt, "true") }, "location 1 (moved) is not kept by env_move"},
	{"growing", "weak last invariant", func(b *built) {
		replace(&b.c.Runs[0].Invariants, 2, PhaseAt, "true")
		replace(&b.c.Runs[0].Invariants, 2, PhaseMoved, "true")
	}, "error location 3 can be reached from location 2"},
	{"growing", "shrinking program", func(b *built) {
		b.c.Facts = "true"
		b.p.Threads[1].Locs[1].Out[0].Cmds[0].Expr = b.p.L.Int(0)
	}, "seed is not kept by thread 1"},
	{"relay", "missing refinement", func(b *built) { b.level(0).Refinements = nil }, "level 1: the invariant at location 0 (moved) is not kept by env_move"},
	{"relay", "missing refinement below", func(b *built) { b.level(1).Refinements = nil }, "level 1, refinement 1: the invariant at location 0 (moved) is not kept by env_move"},
	{"relay", "missing invariants", func(b *built) { b.refinement(0).Invariants = nil }, "refinement 1: the invariant at the entry, location 0 (before), does not hold initially"},
	{"relay", "too strong before, by callers", func(b *built) { replace(&b.refinement(1).Invariants, 0, PhaseBefore, "(= x 0)") }, "refinement 2: the invariant at location 0 (before) is not kept by the callers"},
	{"relay", "too strong before, by env_move", func(b *built) { replace(&b.refinement(0).Invariants, 0, PhaseBefore, "(= y 0)") }, "refinement 1: the invariant at location 0 (before) is not kept by"},
	{"relay", "before misses a location", func(b *built) { replace(&b.refinement(1).Invariants, 1, PhaseBefore, "") }, "refinement 2: the invariant at location 1 (before) does not follow from location 0"},
	{"relay", "before about a caller's initial local", func(b *built) { replace(&b.refinement(1).Invariants, 0, PhaseBefore, "(= a 0)") }, "refinement 2: the invariant at the entry, location 0 (before), does not hold initially"},
	{"relay", "weak alpha", func(b *built) { b.refinement(1).Alpha = "true" }, "refinement 2: the invariant at location 0 (at) does not hold at the query's start"},
	{"relay", "weak alpha above", func(b *built) { b.refinement(0).Alpha = "(not (= x 3))" }, "refinement 1: the invariant at location 0 (at) does not hold at the query's start"},
	{"relay", "weak beta", func(b *built) { b.refinement(1).Beta = "(<= y 3)" }, "refinement 2: beta is possible at location 0 (at)"},
	{"relay", "false refinement", func(b *built) { b.refinement(1).Beta = "(>= y 2)" }, "refinement 2: beta is possible"},
	{"relay", "facts about a caller's local", func(b *built) {
		b.c.Facts = "(and (<= x 2) (<= y 2) (<= a 2) (<= r 2))" // true, but not for every value of a
		*b.refinement(1) = Refinement{2, "true", "(= a 3)", append(inv(PhaseBefore, "true", "true", "true"), inv(PhaseAt, "true", "true", "true")...)}
	}, "refinement 2: beta is possible at location 0 (at)"},
	{"relay", "missing start", func(b *built) { replace(&b.refinement(1).Invariants, 1, PhaseAt, "") }, "refinement 2: the invariant at location 1 (at) does not"},
	{"relay", "missing moved", func(b *built) { replace(&b.refinement(0).Invariants, 1, PhaseMoved, "") }, "refinement 1: the invariant at location 1 (moved) is not kept by env_move"},
	{"relay", "weak moved", func(b *built) { replace(&b.refinement(0).Invariants, 1, PhaseMoved, "true") }, "refinement 1: "},
	{"relay", "beta after the move", func(b *built) {
		replace(&b.refinement(0).Invariants, 2, PhaseMoved, "true")
	}, "refinement 1: beta is possible at location 2 (moved)"},
	{"relay", "swapped refinements", func(b *built) {
		x, y := b.refinement(0), b.refinement(1)
		x.Invariants, y.Invariants = y.Invariants, x.Invariants
	}, "refinement"},
	{"relay", "another order", func(b *built) { b.c.Runs[0].Order = []int{0, 2, 1} }, "run 1"},
	{"relay", "program that relays 3", func(b *built) {
		b.p.Threads[2].Locs[1].Out[0].Cmds[0].Expr = b.p.L.Int(3)
	}, "refinement 2: the invariant at location 2 (at) does not follow from location 1"},
	{"relay", "program with a new assertion", func(b *built) {
		t := b.p.Threads[1]
		fail(t, t.Locs[2], b.p.L.True())
	}, "no run for thread 1"},
	{"spawned", "unreached location", func(b *built) { replace(&b.c.Runs[0].Invariants, 4, PhaseAt, "") }, "location 4 (at) does not follow from location 2"},
	{"spawned", "weak facts", func(b *built) { b.c.Facts = "true" }, "error location 5 can be reached"},
}

var cutTests = []rejection{
	{"growing", "removed cut", func(b *built) { b.c.Threads[1].Cuts = []int{0, 2} }, "thread 1: location 1 has to be a cut-point"},
	{"growing", "removed node", func(b *built) { b.c.Threads[0].Cuts, b.c.Threads[0].Nodes = []int{0, 2}, []int{0, 2} }, "thread 0: location 1 has to be a cut-point"},
	{"growing", "removed last cut", func(b *built) { b.c.Threads[1].Cuts, b.c.Threads[1].Nodes = locs(2), locs(2) }, "thread 1: location 2 has to be a cut-point"},
	{"growing", "end of an atomic section", func(b *built) {
		t := b.p.Threads[1]
		t.Locs[1].Atomic = true
		b.c.Threads[1] = Thread{1, []int{0}, []int{0}}
	}, "ends an atomic section"},
	{"growing", "cycle without a node", func(b *built) {
		t := b.p.Threads[1]
		t.NewEdge(t.Locs[2], t.Locs[1], ir.Pos{}, "")
		b.c.Threads[1] = Thread{1, []int{0}, []int{0}}
	}, "cycle without a node"},
	{"locked", "no cut after unlock", func(b *built) { b.c.Threads[0] = Thread{0, []int{0}, []int{0}} }, "thread 0: location 4 has to be a cut-point"},
	{"locked", "lock that does not lock", func(b *built) {
		e := b.p.Threads[0].Entry.Out[0]
		e.Cmds = e.Cmds[:1] // its kind still says that it does
	}, "thread 0: location 1 has to be a cut-point"},
	{"locked", "lock that does not wait", func(b *built) {
		e := b.p.Threads[0].Entry.Out[0]
		e.Cmds = e.Cmds[1:]
	}, "has to be a cut-point"},
	{"locked", "lock that takes another's", func(b *built) {
		e := b.p.Threads[0].Entry.Out[0]
		e.Cmds[1].Expr = b.p.L.Int(2)
	}, "has to be a cut-point"},
	{"locked", "unlock without holding", func(b *built) {
		e := b.p.Threads[0].Locs[3].Out[0]
		e.Cmds = e.Cmds[1:]
		t := b.p.Threads[0]
		t.NewEdge(t.Entry, t.Locs[3], ir.Pos{}, "")
	}, "has to be a cut-point"},
	{"locked", "trylock", func(b *built) {
		t := b.p.Threads[1]
		m := b.p.Vars[1]
		t.NewEdge(t.Entry, t.Locs[4], ir.Pos{}, "", ir.AssumeCmd(b.p.L.Ne(m.Sym, b.p.L.Int(0))))
	}, "thread 0: location 1 has to be a cut-point"},
	{"locked", "mutex without an initial value", func(b *built) {
		b.p.Vars[1].Init = nil
		b.p.Threads[1].Entry.Out[0].Cmds = b.p.Threads[1].Entry.Out[0].Cmds[1:]
	}, "has to be a cut-point"},
	{"spawned", "creation no cut", func(b *built) { b.c.Threads[0].Cuts = []int{0} }, "thread 0: location 2 has to be a cut-point"},
	{"spawned", "creator goes on", func(b *built) {
		b.p.Threads[0].Locs[2].Out[0].Cmds = nil // no join
	}, "has to be a cut-point"},
	{"spawned", "thread does not wait", func(b *built) { b.p.Threads[1].Entry.Out[0].Cmds = nil }, "has to be a cut-point"},
	{"spawned", "created at first", func(b *built) {
		one := logic.IntValue(1)
		b.p.Vars[0].Init = &one
	}, "has to be a cut-point"},
	{"spawned", "ended at first", func(b *built) {
		one := logic.IntValue(1)
		b.p.Vars[1].Init = &one
	}, "has to be a cut-point"},
	{"spawned", "ends before its end", func(b *built) {
		e := b.p.Threads[1].Locs[0].Out[0]
		e.Cmds = append(e.Cmds, ir.AssignCmd(b.p.Vars[1], b.p.L.Int(1)))
	}, "has to be a cut-point"},
}
