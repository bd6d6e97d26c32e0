package pointsto

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
)

// TestExplain tells which pointers of a program may point to how much, and why: with COMUS_EXPLAIN=file.c the largest sets, and with COMUS_OBJECTS=f.x,heap@malloc:12,… the
// shortest way by constraints of the address of each of these objects to memory that is no local. It is skipped without, as it takes a real program.
func TestExplain(t *testing.T) {
	file := os.Getenv("COMUS_EXPLAIN")
	if file == "" {
		t.Skip("no COMUS_EXPLAIN")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: file}, text, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyseFor(t.Context(), p.Program, how{open: true, traced: true})
	if err != nil {
		t.Fatal(err)
	}
	e := newExplainer(r)
	e.largest()
	for _, name := range strings.Split(os.Getenv("COMUS_OBJECTS"), ",") {
		if name != "" {
			e.explain(name)
		}
	}
}

// explainer finds out why sets are what they are.
type explainer struct {
	a     *analysis
	names map[int][]string // of nodes, before some became one
	kept  map[int]bool     // the cells of memory that is no local
}

func newExplainer(r *Result) *explainer {
	e := &explainer{a: r.a, names: map[int][]string{}, kept: map[int]bool{}}
	call := func(n *node, f, what string) {
		if n != nil {
			e.names[n.id] = append(e.names[n.id], f+":"+what)
		}
	}
	for _, x := range r.a.order {
		f := x.fn.Name
		if x.ctx.Call != nil && x.ctx.Call.Site != nil {
			f += fmt.Sprintf("@%d", x.ctx.Call.Site.Pos.Line)
		}
		for i, n := range x.regs {
			call(n, f, fmt.Sprintf("%%%d", i))
		}
		call(x.ret, f, "result")
		call(x.rest, f, "...")
	}
	for _, o := range r.a.all {
		for off, n := range o.cells {
			call(n, o.String(), fmt.Sprint(off))
			e.kept[n.id] = e.kept[n.id] || o.Local == nil
		}
	}
	return e
}

// largest prints the largest sets, and how many objects there are of which offsets are not told apart.
func (e *explainer) largest() {
	names := map[*node]int{}
	for id := range e.names {
		names[find(e.a.nodes[id])]++
	}
	var nodes []*node
	for n := range names {
		nodes = append(nodes, n)
	}
	slices.SortFunc(nodes, func(x, y *node) int {
		return cmp.Or(cmp.Compare(y.set.Len()*names[y], x.set.Len()*names[x]), cmp.Compare(x.id, y.id))
	})
	for _, n := range nodes[:min(len(nodes), 12)] {
		fmt.Printf("%d pointers to %d locations: %.60v\n", names[n], n.set.Len(), e.names[n.id])
	}
	folded := 0
	for _, o := range e.a.all {
		if o.cells[Any] != nil {
			folded++
		}
	}
	fmt.Printf("%d of %d objects are folded\n", folded, len(e.a.all))
}

// explain prints how an object's address comes to memory that is no local.
func (e *explainer) explain(name string) {
	for _, o := range e.a.all {
		if o.address == nil || !strings.HasSuffix(o.String(), name) {
			continue
		}
		fmt.Println(o, "is known to")
		prev := map[int]int{o.address.id: -1}
		work := []int{o.address.id}
		for len(work) > 0 {
			n := work[0]
			work = work[1:]
			if e.kept[n] {
				for ; n >= 0; n = prev[n] {
					fmt.Printf("    %.160v, one of %d locations\n", e.names[n], find(e.a.nodes[n]).set.Len())
				}
				break
			}
			for _, m := range e.a.trace[n] {
				if _, seen := prev[m]; !seen {
					prev[m] = n
					work = append(work, m)
				}
			}
		}
	}
}
