package ir

import (
	"errors"
	"strings"
	"testing"

	"comus/logic"
)

// replicated returns a template: main creates threads in a loop; each takes a mutex,
// writes x twice, once in a loop, and gives the mutex back. edit changes the program.
func replicated(edit func(p *Program, t *Thread, x, m, local *Var)) *Program {
	p := NewProgram("r.c")
	l := p.L
	zero := logic.Value{}
	shared := func(name string, typ Type) *Var {
		v := p.NewVar(name, typ, Shared)
		v.Init = &zero
		return v
	}
	created, x, m := shared("created1", Flag), shared("x", Type{Bits: 8}), shared("m", Type{Bits: 8})
	main, t := p.NewThread("main"), p.NewThread("f")
	t.Created, t.Replicated = created, true
	local := p.NewVar("t1.t", Type{Bits: 8}, 1)
	e := main.NewEdge(main.Entry, main.Entry, Pos{}, "create", AssignCmd(created, l.Int(1)))
	e.Kind, e.Thread = Create, 1
	var locs []*Loc
	for range 5 {
		locs = append(locs, t.NewLoc(Pos{}))
	}
	t.NewEdge(t.Entry, locs[0], Pos{}, "start", AssumeCmd(l.Eq(created.Sym, l.Int(1)))).Kind = Start
	e = t.NewEdge(locs[0], locs[1], Pos{}, "lock", AssumeCmd(l.Eq(m.Sym, l.Int(0))), AssignCmd(m, l.Int(2)))
	e.Kind, e.Mutex = Lock, m
	t.NewEdge(locs[1], locs[2], Pos{}, "x = t", AssignCmd(x, local.Sym))
	t.NewEdge(locs[2], locs[2], Pos{}, "x = 0", AssignCmd(x, l.Int(0)))
	t.NewEdge(locs[2], locs[3], Pos{}, "t = x", AssignCmd(local, x.Sym))
	e = t.NewEdge(locs[3], locs[4], Pos{}, "unlock", AssumeCmd(l.Eq(m.Sym, l.Int(2))), AssignCmd(m, l.Int(0)))
	e.Kind, e.Mutex = Unlock, m
	if edit != nil {
		edit(p, t, x, m, local)
	}
	return p
}

// TestInstances looks at the program with three instances.
func TestInstances(t *testing.T) {
	p := replicated(nil)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	if err := p.Single(); !errors.Is(err, ErrReplicated) {
		t.Error("Single:", err)
	}
	q, err := p.Instances(3)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(q.Check(), q.Single()); err != nil { // edges of kind Lock and Unlock, too
		t.Fatal(err)
	}
	if len(q.Threads) != 4 || len(q.Vars) != len(p.Vars)+2 {
		t.Errorf("%d threads, %d variables", len(q.Threads), len(q.Vars))
	}
	for _, u := range q.Threads[1:] {
		if u.Created != q.Threads[1].Created || len(u.Locs) != len(p.Threads[1].Locs) {
			t.Errorf("thread %d: created by %v, %d locations", u.Index, u.Created, len(u.Locs))
		}
	}
	if len(p.Replicated()) != 1 || p.Check() != nil {
		t.Error("the template has changed")
	}
}

// TestInstancesRefused changes the template such that it looks at owners.
func TestInstancesRefused(t *testing.T) {
	for name, edit := range map[string]func(p *Program, t *Thread, x, m, local *Var){
		"reads": func(_ *Program, t *Thread, x, m, _ *Var) {
			t.NewEdge(t.Locs[1], t.Locs[2], Pos{}, "", AssignCmd(x, m.Sym))
		},
		"not mine": func(p *Program, t *Thread, _, m, _ *Var) {
			t.NewEdge(t.Locs[1], t.Locs[2], Pos{}, "", AssumeCmd(p.L.Ne(m.Sym, p.L.Int(2))))
		},
		"compares": func(p *Program, t *Thread, _, m, local *Var) {
			t.NewEdge(t.Locs[1], t.Locs[2], Pos{}, "", AssumeCmd(p.L.Eq(m.Sym, local.Sym)))
		},
		"writes": func(p *Program, t *Thread, _, m, _ *Var) {
			t.NewEdge(t.Locs[1], t.Locs[2], Pos{}, "", AssignCmd(m, p.L.Int(2)))
		},
		"any": func(_ *Program, t *Thread, _, m, _ *Var) {
			t.NewEdge(t.Locs[1], t.Locs[2], Pos{}, "", HavocCmd(m, ""))
		},
	} {
		if _, err := replicated(edit).Instances(2); err == nil || !strings.Contains(err.Error(), "owner of a mutex") {
			t.Errorf("%s: %v", name, err)
		}
	}
	free := func(p *Program, t *Thread, _, m, _ *Var) {
		t.NewEdge(t.Locs[1], t.Locs[2], Pos{}, "", AssumeCmd(p.L.Ne(m.Sym, p.L.Int(0))))
		t.NewEdge(t.Locs[1], t.Locs[2], Pos{}, "", AssumeCmd(p.L.Eq(m.Sym, p.L.Int(0))), AssignCmd(m, p.L.Int(0)))
	}
	if _, err := replicated(free).Instances(2); err != nil {
		t.Error(err)
	}
}

// TestCounted counts the edge on no cycle that writes x, and no other.
func TestCounted(t *testing.T) {
	p := replicated(nil)
	q, counters := p.Counted()
	if err := q.CheckStructure(); err != nil {
		t.Fatal(err)
	}
	if len(counters) != 2 || len(q.Replicated()) != 1 {
		t.Errorf("%d counters, %d replicated threads", len(counters), len(q.Replicated()))
	}
	counted := 0
	q.Threads[1].Edges(func(e *Edge) {
		if len(e.Cmds) == 3 && e.Cmds[0].Kind == Assume && counters[e.Cmds[1].Var] {
			counted++
			if e.Text != "x = t" {
				t.Errorf("%s is counted", e.Text)
			}
		}
	})
	if n := len(q.Threads[0].Entry.Out[0].Cmds); counted != 1 || n != 2 {
		t.Errorf("%d edges are counted; %d commands at the creation", counted, n)
	}
}
