package specialise

import (
	"cmp"
	"slices"
	"strings"

	"comus/ir"
)

// loc is a location being built.
type loc struct {
	id     int
	atomic bool
	multi  bool // a step that touches several shared locations leads here
	outs   int
	err    bool
	dead   bool // the program has stopped
	text   string
	check  string // of an error: the property
	frame  *ir.Frame
	pos    ir.Pos
	same   *loc // it was merged into this one
	out    *ir.Loc
}

type edge struct {
	from, to *loc
	cmds     []ir.Cmd
	kind     ir.EdgeKind
	thread   int
	mutex    *ir.Var
	pos      ir.Pos
	text     string
	approx   string
	origin   int
	tells    *ir.Place
	locks    *lockStep // what it does to locks, nil for nothing
}

func (l *loc) find() *loc {
	for l.same != nil {
		l = l.same
	}
	return l
}

// graph is the control-flow graph of a thread being built. It only grows, so that taking something back
// is cutting it off.
type graph struct {
	locs  []*loc
	edges []*edge
	entry *loc
}

func (g *graph) newLoc(pos ir.Pos) *loc {
	l := &loc{id: len(g.locs), pos: pos}
	g.locs = append(g.locs, l)
	return l
}

// clean prunes what is not needed and joins steps within atomic sections.
func (g *graph) clean(shared func([]ir.Cmd) int) {
	g.pruneStops()
	g.dropUnreachable()
	g.skipEmpty()
	g.skipEntry()
	g.fuse(shared)
	g.dropUnreachable()
}

// outgoing returns the edges by the location they leave.
func (g *graph) outgoing() map[*loc][]*edge {
	m := make(map[*loc][]*edge, len(g.locs))
	for _, e := range g.edges {
		m[e.from] = append(m[e.from], e)
	}
	return m
}

// pruneStops removes the edges that lead to nothing but the stop of the program
// without an effect on other threads: instead the thread waits before them.
func (g *graph) pruneStops() {
	for {
		outs := g.outgoing()
		n := len(g.edges)
		g.edges = slices.DeleteFunc(g.edges, func(e *edge) bool {
			if !e.to.dead || e.to.err || len(outs[e.to]) > 0 || e.kind != ir.Plain {
				return false
			}
			for _, c := range e.cmds {
				if c.Var != nil && c.Var.Thread == ir.Shared {
					return false
				}
			}
			if len(outs[e.from]) == 1 && e.from != g.entry {
				e.from.dead = true
			}
			return true
		})
		if len(g.edges) == n {
			return
		}
	}
}

// dropUnreachable removes the edges that control does not get to.
func (g *graph) dropUnreachable() {
	outs := g.outgoing()
	seen := map[*loc]bool{g.entry: true}
	work := []*loc{g.entry}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range outs[l] {
			if !seen[e.to] {
				seen[e.to] = true
				work = append(work, e.to)
			}
		}
	}
	g.edges = slices.DeleteFunc(g.edges, func(e *edge) bool { return !seen[e.from] || e.from.err })
}

// skipEmpty contracts edges without commands where that changes nothing: the
// edge is the only one that leaves its location.
func (g *graph) skipEmpty() {
	outs := g.outgoing()
	for _, e := range g.edges {
		from, to := e.from.find(), e.to.find()
		if len(e.cmds) == 0 && e.approx == "" && e.kind == ir.Plain && len(outs[e.from]) == 1 && from != to &&
			from != g.entry && (from.atomic == to.atomic || from.atomic && !from.multi) && !from.err && !to.err {
			from.same = to
			to.dead = to.dead || from.dead
		}
	}
	g.edges = slices.DeleteFunc(g.edges, func(e *edge) bool {
		e.from, e.to = e.from.find(), e.to.find()
		return e.from == e.to && len(e.cmds) == 0 && e.approx == "" && e.kind == ir.Plain
	})
}

// skipEntry lets a thread begin where its first steps that do nothing lead.
func (g *graph) skipEntry() {
	for {
		outs := g.outgoing()[g.entry]
		if len(outs) != 1 || len(outs[0].cmds) > 0 || outs[0].approx != "" || outs[0].kind != ir.Plain || outs[0].to.atomic || outs[0].to.err || outs[0].to == g.entry {
			return
		}
		to := outs[0].to
		n := 0
		for _, e := range g.edges {
			if e.to == to || e.to == g.entry {
				n++
			}
		}
		if n > 1 {
			return
		}
		g.edges = slices.DeleteFunc(g.edges, func(e *edge) bool { return e == outs[0] })
		to.pos = g.entry.pos
		g.entry = to
	}
}

// fuse removes locations within atomic sections that are entered by one edge:
// that edge and the next become one step.
func (g *graph) fuse(shared func([]ir.Cmd) int) {
	outs := g.outgoing()
	ins := make(map[*loc][]*edge, len(g.locs))
	for _, e := range g.edges {
		ins[e.to] = append(ins[e.to], e)
	}
	gone := map[*edge]bool{}
	for _, l := range g.locs {
		if l.same != nil || !l.atomic || l.err || l == g.entry || len(ins[l]) != 1 || len(outs[l]) == 0 {
			continue
		}
		in := ins[l][0]
		if in.from == l || !fusable(in, outs[l], shared) {
			continue
		}
		gone[in] = true
		outs[in.from] = slices.DeleteFunc(outs[in.from], func(e *edge) bool { return e == in })
		for _, e := range outs[l] {
			e.cmds = append(slices.Clone(in.cmds), e.cmds...)
			if !in.from.atomic && shared(e.cmds) > 1 {
				e.to.multi = true
			}
			e.from = in.from
			e.text = joinTexts(in.text, e.text)
			e.approx = joinNames(in.approx, e.approx)
			e.tells = cmp.Or(e.tells, in.tells)
			if in.pos.Line != 0 {
				e.pos = in.pos
			}
			outs[in.from] = append(outs[in.from], e)
		}
		delete(outs, l)
	}
	g.edges = slices.DeleteFunc(g.edges, func(e *edge) bool { return gone[e] })
}

func fusable(in *edge, outs []*edge, shared func([]ir.Cmd) int) bool {
	if in.kind != ir.Plain || len(outs) > 2 {
		return false
	}
	for _, e := range outs {
		if e.kind != ir.Plain || len(in.cmds)+len(e.cmds) > maxJoinedOut || doubtful(in) || doubtful(e) {
			return false
		}
		if !in.from.atomic && !e.to.atomic && shared(append(slices.Clone(in.cmds), e.cmds...)) > 1 {
			return false
		}
	}
	return true
}

// doubtful reports whether a step may not exist: it is approximated, and not by values that it chooses.
func doubtful(e *edge) bool {
	return e.approx != "" && !slices.ContainsFunc(e.cmds, func(c ir.Cmd) bool { return c.Kind == ir.Havoc })
}

// joinNames names the approximations of two steps that became one.
func joinNames(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return a + ", " + b
}

// joinTexts describes two steps that became one.
func joinTexts(a, b string) string {
	switch {
	case a == "" || a == b || strings.HasPrefix(a, "read ") && b != "":
		return b
	case strings.HasSuffix(a, "; "+b):
		return a
	case b == "":
		return a
	}
	return a + "; " + b
}

// reversePostorder returns the locations in an order in which straight-line code
// is in sequence, the entry first.
func (g *graph) reversePostorder() []*loc {
	outs := g.outgoing()
	type item struct {
		l    *loc
		next int
	}
	seen := map[*loc]bool{g.entry: true}
	stack := []item{{g.entry, 0}}
	var post []*loc
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		es := outs[top.l]
		if top.next == len(es) {
			post = append(post, top.l)
			stack = stack[:len(stack)-1]
			continue
		}
		// The last edge first, so that the first one's target comes right after.
		to := es[len(es)-1-top.next].to
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, item{to, 0})
		}
	}
	slices.Reverse(post)
	return post
}
