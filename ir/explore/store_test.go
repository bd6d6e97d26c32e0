package explore

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"comus/ir"
	"comus/logic"
)

func TestStateSet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := newStateSet(3)
	known := map[[3]uint32]int{}
	var order [][3]uint32
	var parents []uint32
	for i := range 60_000 {
		var tup [3]uint32
		for c := range tup { // larger and larger numbers, so that records widen
			tup[c] = r.Uint32() >> (31 - (i/2000+c)%32)
		}
		parent := r.Uint32()
		want, there := known[tup]
		k, isNew, full := s.add(tup[:], parent, 1<<20)
		if full || isNew == there || there && k != want {
			t.Fatalf("add %v: %d, new %t; %d, known %t", tup, k, isNew, want, there)
		}
		if isNew {
			known[tup] = k
			order, parents = append(order, tup), append(parents, parent)
		}
	}
	got := make([]uint32, 3)
	for i, tup := range order {
		if parent := s.tuple(i, got); !slices.Equal(got, tup[:]) || parent != parents[i] {
			t.Fatalf("tuple %d is %v from %d, want %v from %d", i, got, parent, tup, parents[i])
		}
	}
	fresh := []uint32{math.MaxUint32, 6, 6}
	if k, _ := s.find(fresh, s.hash(fresh, s.key), nil); k != -1 {
		t.Errorf("a tuple that is not there is %d", k)
	}
	if _, _, full := s.add([]uint32{math.MaxUint32, 7, 7}, 0, s.n); !full {
		t.Error("the limit is ignored")
	}
}

func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	tab := newTable()
	known := map[string]uint32{}
	for range 300_000 {
		var key []byte
		for range 3 { // prefix-free: as many varints each time
			key = binary.AppendUvarint(key, r.Uint64N(1<<r.IntN(30)))
		}
		_, _, found := tab.find(key)
		want, there := known[string(key)]
		k := tab.intern(key)
		if !there {
			want = uint32(len(known))
			known[string(key)] = want
		}
		if found != there || k != want || !strings.HasPrefix(string(tab.from(k)), string(key)) {
			t.Fatalf("%q is %d, want %d", key, k, want)
		}
	}
	if len(tab.chunks) < 2 {
		t.Error("everything is in one chunk")
	}
}

func TestEncodeDecode(t *testing.T) {
	p := ir.NewProgram("test.c")
	vals := []int64{0, 1, -1, 63, -64, 64, math.MaxInt64, math.MinInt64}
	for i := range vals {
		p.NewVar(fmt.Sprint("v", i), ir.Type{Bits: 64, Signed: true}, i%3-1)
	}
	locs := []int{127, 100_000}
	p.NewThread("main")
	p.NewThread("other")
	l := newLayout(p, newLiveness(p))
	for t, at := range locs { // everything is live where the threads are
		l.live[t] = make([][]bool, at+1)
		l.live[t][at] = slices.Repeat([]bool{true}, len(vals))
	}
	gotLocs, gotVals := make([]int, len(locs)), make([]int64, len(vals))
	tuple := make([]uint32, 3)
	if l.lookup(tuple, nil, locs, vals) {
		t.Error("a state is known before it is stored")
	}
	for c := range l.tables {
		l.decode(c, l.tables[c].intern(l.encode(nil, c, locs, vals)), gotLocs, gotVals)
	}
	if !slices.Equal(gotLocs, locs) || !slices.Equal(gotVals, vals) || !l.lookup(tuple, nil, locs, vals) {
		t.Errorf("%v %v, want %v %v", gotLocs, gotVals, locs, vals)
	}
}

// branching is a thread that sets x to an input and then y to x, beside one that
// counts.
func branching() *ir.Program {
	p := ir.NewProgram("test.c")
	x, y := p.NewVar("x", ir.Type{Bits: 3}, 0), p.NewVar("y", ir.Type{Bits: 3}, ir.Shared)
	z := p.NewVar("z", ir.Type{Bits: 3}, ir.Shared)
	for _, v := range []*ir.Var{x, y, z} {
		v.Init = new(logic.Value)
	}
	a, b := p.NewThread("a"), p.NewThread("b")
	l1, l2, l3 := a.NewLoc(ir.Pos{}), a.NewLoc(ir.Pos{}), a.NewLoc(ir.Pos{})
	a.NewEdge(a.Entry, l1, ir.Pos{}, "", ir.HavocCmd(x, "input"))
	a.NewEdge(l1, l2, ir.Pos{}, "", ir.AssignCmd(y, x.Sym))
	a.NewEdge(l2, l3, ir.Pos{}, "", ir.AssumeCmd(p.L.Eq(y.Sym, p.L.Int(9))))
	l3.Error = true
	b.NewEdge(b.Entry, b.Entry, ir.Pos{}, "", ir.AssignCmd(z, p.L.Mod(p.L.Add(z.Sym, p.L.Int(1)), p.L.Int(8))))
	return p
}

// TestRecheckRefuses breaks the search in several ways and asks for its
// confirmation.
func TestRecheckRefuses(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(x *explorer)
		want  string // "" if nothing is wrong
	}{
		{"nothing", func(*explorer) {}, ""},
		{"an input's value is left out", func(x *explorer) {
			c := &x.edges[0][0][0].cmds[0].choices
			c.values = c.values[1:]
		}, "leads elsewhere"},
		{"a wrong value", func(x *explorer) {
			x.edges[0][1][0].cmds[0].expr = func(*machine) int64 { return 3 }
		}, "leads elsewhere"},
		{"an edge is left out", func(x *explorer) { x.edges[1][0] = nil }, "leads elsewhere"},
		{"an initial state is left out", func(*explorer) {}, "initial state"},
		{"an error is left out", func(x *explorer) {
			x.edges[0][2] = nil
			e := x.p.Threads[0].Locs[2].Out[0]
			e.Cmds = nil
		}, "reaches an error"},
	}
	for _, tt := range tests {
		for _, reduce := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, reduce %t", tt.name, reduce), func(t *testing.T) {
				x, err := newExplorer(branching(), Options{MaxStates: 1000, MaxChoices: 256, Reduce: reduce})
				if err != nil {
					t.Fatal(err)
				}
				tt.spoil(x)
				if err := x.run(context.Background()); err != nil {
					t.Fatal(err)
				}
				x.p.Vars[1].Init = nil
				if tt.want != "initial state" {
					x.p.Vars[1].Init = new(logic.Value)
				}
				err = x.recheck(context.Background())
				if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want %q", err, tt.want)
				}
			})
		}
	}
}
