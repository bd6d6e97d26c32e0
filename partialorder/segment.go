package partialorder

import (
	"fmt"
	"slices"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
	"comus/wp"
)

// segment is a path of blocks from a cut-point to the next cut-point or to an
// error location.
type segment struct {
	from, to *ir.Loc
	blocks   []*cutpoints.Block
	cmds     []ir.Cmd
	final    map[*ir.Var]*logic.Term // the values of what it writes at its end, over those at its beginning
	conds    []*logic.Term           // its assumptions, likewise
	reads    map[*ir.Var]bool        // read before written
	cut      bool                    // the end of the bound, and of no use but to notice that
}

// threadShape is a thread as a graph of segments and what is known of its
// variables.
type threadShape struct {
	f     *finder
	graph *cutpoints.Graph
	main  bool
	path  []*segment // only these, one after the other
	cuts  []*ir.Loc  // the cut-points in use, entry first
	out   map[*ir.Loc][]*segment
	// private are the variables that no other thread writes.
	private map[*ir.Var]bool
	// visible are the variables whose writes matter to reads by way of the order
	// of events.
	visible map[*ir.Var]bool
	live    map[*ir.Loc]map[*ir.Var]bool
	nodes   []*node // its instances of cut-points, in topological order
}

// maxSegments bounds the segments of a thread.
const maxSegments = 5000

// newSegment returns the segment of these blocks.
func (s *threadShape) newSegment(blocks []*cutpoints.Block) *segment {
	seg := &segment{from: blocks[0].From, to: blocks[len(blocks)-1].To, blocks: slices.Clone(blocks),
		final: map[*ir.Var]*logic.Term{}, reads: map[*ir.Var]bool{}}
	x := wp.NewExec(s.f.l, true)
	read := func(t *logic.Term) {
		for _, sym := range logic.FreeVars(t) {
			if v := s.f.tab[sym]; v != nil && x.Env[sym] == nil {
				seg.reads[v] = true
			}
		}
	}
	for _, b := range blocks {
		for _, c := range b.Cmds() {
			seg.cmds = append(seg.cmds, c)
			switch c.Kind {
			case ir.Assume:
				read(c.Cond)
			case ir.Assign:
				read(c.Expr)
			}
			x.Run([]ir.Cmd{c})
			if c.Kind != ir.Assume {
				seg.final[c.Var] = x.Env[c.Var.Sym]
			}
		}
	}
	seg.conds = x.Cond
	return seg
}

// fromPath cuts the given way into segments.
func (s *threadShape) fromPath(path []*cutpoints.Block) error {
	s.path = []*segment{}
	at := s.graph.Thread.Entry
	first := 0
	for i, b := range path {
		if b.From != at {
			return fmt.Errorf("partialorder: the path of thread %s is broken at %s", s.graph.Thread.Name, b.From)
		}
		at = b.To
		if s.graph.Cut[at.Index] || at.Error {
			s.path = append(s.path, s.newSegment(path[first:i+1]))
			first = i + 1
		}
	}
	if !at.Error {
		return fmt.Errorf("partialorder: the path of thread %s does not end in an error", s.graph.Thread.Name)
	}
	return nil
}

// all calls f for every segment.
func (s *threadShape) all(f func(*segment)) {
	for _, seg := range s.path {
		f(seg)
	}
	for _, l := range s.cuts {
		for _, seg := range s.out[l] {
			f(seg)
		}
	}
}

// enumerate finds the segments from the entry on.
func (s *threadShape) enumerate() error {
	s.cuts = []*ir.Loc{s.graph.Thread.Entry}
	seen := map[*ir.Loc]bool{s.graph.Thread.Entry: true}
	total := 0
	for i := 0; i < len(s.cuts); i++ {
		e := enumeration{s: s, visits: map[*ir.Loc]int{}, budget: maxSegments - total}
		if !e.from(s.cuts[i]) {
			return s.limit("paths between cut-points")
		}
		total = maxSegments - e.budget
		s.out[s.cuts[i]] = e.found
		for _, seg := range e.found {
			if !seg.to.Error && !seg.cut && !seen[seg.to] {
				seen[seg.to] = true
				s.cuts = append(s.cuts, seg.to)
			}
		}
	}
	return nil
}

// enumeration walks all ways from one cut-point to the next.
type enumeration struct {
	s      *threadShape
	visits map[*ir.Loc]int // of the locations on the way that are no cut-points
	way    []*cutpoints.Block
	found  []*segment
	budget int // of segments, and of ways that end nowhere
}

func (e *enumeration) from(l *ir.Loc) bool {
	for _, b := range e.s.graph.Out[l] {
		e.way = append(e.way, b)
		ok := e.reach(b.To)
		e.way = e.way[:len(e.way)-1]
		if !ok {
			return false
		}
	}
	return true
}

func (e *enumeration) reach(l *ir.Loc) bool {
	inner := !l.Error && !e.s.graph.Cut[l.Index]
	over := inner && e.visits[l] > e.s.f.opts.Unwind
	if inner && !over {
		e.visits[l]++
		defer func() { e.visits[l]-- }()
		if e.dead() {
			return true
		}
		return e.from(l)
	}
	if e.budget--; e.budget < 0 {
		return false
	}
	if l.Error && !e.s.main {
		return true // another thread fails first
	}
	seg := e.s.newSegment(e.way)
	seg.cut = over
	if !slices.ContainsFunc(seg.conds, (*logic.Term).IsFalse) {
		e.found = append(e.found, seg)
	}
	return true
}

// dead reports whether the way so far cannot be taken. It is asked for long ways
// only, where branches multiply.
func (e *enumeration) dead() bool {
	if len(e.way) < 2 {
		return false
	}
	if e.budget--; e.budget < 0 {
		return false
	}
	return slices.ContainsFunc(e.s.newSegment(e.way).conds, (*logic.Term).IsFalse)
}

// classify finds out which variables are private, visible and constant.
func (f *finder) classify() {
	writers, readers := map[*ir.Var]map[int]bool{}, map[*ir.Var]map[int]bool{}
	note := func(m map[*ir.Var]map[int]bool, v *ir.Var, t int) {
		if m[v] == nil {
			m[v] = map[int]bool{}
		}
		m[v][t] = true
	}
	unchanging := map[*ir.Var]*logic.Term{}
	for _, v := range f.p.Vars {
		if v.Thread == ir.Shared && v.Init != nil {
			unchanging[v] = f.l.Value(*v.Init)
		}
	}
	for t, s := range f.threads {
		s.all(func(seg *segment) {
			if seg.cut {
				return
			}
			for v := range seg.reads {
				note(readers, v, t)
			}
			for v, val := range seg.final {
				note(writers, v, t)
				if val != unchanging[v] && val != v.Sym {
					delete(unchanging, v)
				}
			}
		})
	}
	f.constant = unchanging
	for t, s := range f.threads {
		s.private, s.visible = map[*ir.Var]bool{}, map[*ir.Var]bool{}
		for _, v := range f.p.Vars {
			w, r := writers[v], readers[v]
			s.private[v] = v.Thread != ir.Shared || len(w) == 0 || len(w) == 1 && w[t]
			others := len(r) > 1 || len(r) == 1 && !r[t]
			// Its own reads of what others write go through the order, too.
			s.visible[v] = unchanging[v] == nil && (others || r[t] && !s.private[v])
		}
	}
}

// liveness computes which private variables may be read after each cut-point
// before they are written.
func (s *threadShape) liveness() {
	s.live = map[*ir.Loc]map[*ir.Var]bool{}
	for _, l := range s.cuts {
		s.live[l] = map[*ir.Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		add := func(l *ir.Loc, v *ir.Var) {
			if s.private[v] && !s.live[l][v] {
				s.live[l][v], changed = true, true
			}
		}
		for _, l := range slices.Backward(s.cuts) {
			for _, seg := range s.out[l] {
				for v := range seg.reads {
					add(l, v)
				}
				for v := range s.live[seg.to] {
					if seg.final[v] == nil {
						add(l, v)
					}
				}
			}
		}
	}
}

// dropWaiting removes the segments that close a loop of which no iteration
// leaves a trace. Without such an iteration the others can do what they do and
// the thread is where it was, in the same state.
func (s *threadShape) dropWaiting() {
	for _, l := range s.cuts {
		s.out[l] = slices.DeleteFunc(slices.Clone(s.out[l]), func(seg *segment) bool {
			return s.back(seg) && s.waits(seg)
		})
	}
}

// waits reports whether back closes a natural loop all of whose segments leave
// the thread's state at the loop's head, and the shared state, as they were.
func (s *threadShape) waits(back *segment) bool {
	head := back.to
	body := map[*ir.Loc]bool{head: true}
	if back.from != head {
		if s.reached(s.graph.Thread.Entry, head)[back.from] {
			return false // the loop can be entered elsewhere
		}
		inside := s.reached(head, nil)
		for l := range s.reaching(back.from, head) {
			body[l] = inside[l]
		}
		body[head] = true
	}
	for l, in := range body {
		for _, seg := range s.out[l] {
			if in && (seg.cut || body[seg.to] && !s.traceless(seg, head)) {
				return false
			}
		}
	}
	return true
}

// reached returns the cut-points that from leads to by ways that do not touch
// avoid.
func (s *threadShape) reached(from, avoid *ir.Loc) map[*ir.Loc]bool {
	seen := map[*ir.Loc]bool{}
	if from == avoid {
		return seen
	}
	seen[from] = true
	for work := []*ir.Loc{from}; len(work) > 0; {
		l := work[0]
		work = work[1:]
		for _, seg := range s.out[l] {
			if !seg.cut && seg.to != avoid && !seen[seg.to] {
				seen[seg.to] = true
				work = append(work, seg.to)
			}
		}
	}
	return seen
}

// reaching returns the cut-points that lead to a location by ways that do not
// touch avoid.
func (s *threadShape) reaching(to, avoid *ir.Loc) map[*ir.Loc]bool {
	before := map[*ir.Loc][]*ir.Loc{}
	for _, l := range s.cuts {
		for _, seg := range s.out[l] {
			if !seg.cut && l != avoid {
				before[seg.to] = append(before[seg.to], l)
			}
		}
	}
	seen := map[*ir.Loc]bool{to: true}
	for work := []*ir.Loc{to}; len(work) > 0; {
		l := work[0]
		work = work[1:]
		for _, p := range before[l] {
			if !seen[p] {
				seen[p] = true
				work = append(work, p)
			}
		}
	}
	return seen
}

// traceless reports whether the segment changes nothing that matters at head.
func (s *threadShape) traceless(seg *segment, head *ir.Loc) bool {
	l := s.f.l
	for v, val := range seg.final {
		shared := v.Thread == ir.Shared && (s.visible[v] || !s.private[v])
		if !shared && !s.live[head][v] || val == v.Sym || val == s.f.constant[v] {
			continue
		}
		if !slices.Contains(seg.conds, l.Eq(v.Sym, val)) {
			return false
		}
	}
	return true
}
