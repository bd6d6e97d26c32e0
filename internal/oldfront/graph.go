package cfront

import (
	"slices"
	"strings"

	"comus/ir"
)

// clean resolves merged locations, prunes what is not needed and joins steps
// within atomic sections.
func (t *thread) clean(b *lowerer) {
	for _, e := range t.edges {
		e.from, e.to = e.from.find(), e.to.find()
	}
	t.entry = t.entry.find()
	t.pruneStops()
	t.dropUnreachable()
	t.skipEmpty()
	t.fuse(b)
	t.dropUnreachable()
}

// outgoing returns the edges by the location they leave.
func (t *thread) outgoing() map[*loc][]*edge {
	m := map[*loc][]*edge{}
	for _, e := range t.edges {
		m[e.from] = append(m[e.from], e)
	}
	return m
}

// pruneStops removes the edges that lead to nothing but the stop of the program
// without an effect on other threads: instead the thread waits before them.
func (t *thread) pruneStops() {
	for {
		outs := t.outgoing()
		n := len(t.edges)
		t.edges = slices.DeleteFunc(t.edges, func(e *edge) bool {
			if !e.to.dead || e.to.err || len(outs[e.to]) > 0 || e.kind != ir.Plain {
				return false
			}
			for _, c := range e.cmds {
				if c.Var != nil && c.Var.Thread == ir.Shared {
					return false
				}
			}
			if len(outs[e.from]) == 1 && e.from != t.entry {
				e.from.dead = true
			}
			return true
		})
		if len(t.edges) == n {
			return
		}
	}
}

// dropUnreachable removes the edges that control does not get to.
func (t *thread) dropUnreachable() {
	outs := t.outgoing()
	seen := map[*loc]bool{t.entry: true}
	work := []*loc{t.entry}
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
	t.edges = slices.DeleteFunc(t.edges, func(e *edge) bool { return !seen[e.from] || e.from.err })
}

// skipEmpty contracts edges without commands where that changes nothing: the
// edge is the only one that leaves its location.
func (t *thread) skipEmpty() {
	outs := t.outgoing()
	for _, e := range t.edges {
		from, to := e.from.find(), e.to.find()
		if len(e.cmds) == 0 && e.kind == ir.Plain && len(outs[e.from]) == 1 && from != to &&
			from != t.entry && from.atomic == to.atomic && !from.err && !to.err {
			from.same = to
		}
	}
	t.edges = slices.DeleteFunc(t.edges, func(e *edge) bool {
		e.from, e.to = e.from.find(), e.to.find()
		return e.from == e.to && len(e.cmds) == 0 && e.kind == ir.Plain
	})
}

// maxFused bounds the commands of an edge that results from joining steps.
const maxFused = 24

// fuse removes locations within atomic sections that are entered by one edge:
// that edge and the next become one step.
func (t *thread) fuse(b *lowerer) {
	outs := t.outgoing()
	ins := map[*loc][]*edge{}
	for _, e := range t.edges {
		ins[e.to] = append(ins[e.to], e)
	}
	gone := map[*edge]bool{}
	for _, l := range t.locs {
		if l.same != nil || !l.atomic || l.err || l == t.entry || len(ins[l]) != 1 || len(outs[l]) == 0 {
			continue
		}
		in := ins[l][0]
		if in.from == l || !b.fusable(in, outs[l]) {
			continue
		}
		gone[in] = true
		outs[in.from] = slices.DeleteFunc(outs[in.from], func(e *edge) bool { return e == in })
		for _, e := range outs[l] {
			e.cmds = append(slices.Clone(in.cmds), e.cmds...)
			e.from = in.from
			e.text = joinTexts(in.text, e.text)
			if in.pos.Line != 0 {
				e.pos = in.pos
			}
			outs[in.from] = append(outs[in.from], e)
		}
		delete(outs, l)
	}
	t.edges = slices.DeleteFunc(t.edges, func(e *edge) bool { return gone[e] })
}

func (b *lowerer) fusable(in *edge, outs []*edge) bool {
	if in.kind != ir.Plain || len(outs) > 2 {
		return false
	}
	for _, e := range outs {
		if e.kind != ir.Plain || len(in.cmds)+len(e.cmds) > maxFused {
			return false
		}
		if !in.from.atomic && !e.to.atomic && b.sharedLocations(append(slices.Clone(in.cmds), e.cmds...)) > 1 {
			return false
		}
	}
	return true
}

// joinTexts describes two steps that became one.
func joinTexts(a, b string) string {
	switch {
	case a == "" || a == b || strings.HasPrefix(a, "read ") && b != "":
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}

// reversePostorder returns the locations in an order in which straight-line code
// is in sequence, the entry first.
func (t *thread) reversePostorder() []*loc {
	outs := t.outgoing()
	type item struct {
		l    *loc
		next int
	}
	seen := map[*loc]bool{t.entry: true}
	stack := []item{{t.entry, 0}}
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
