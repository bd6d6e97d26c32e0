package replay

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// edgeInfo is what is known of an edge beforehand.
type edgeInfo struct {
	noticed bool // others may notice the step
	waits   bool // it is one that cannot be taken yet: another thread has to end
	asks    bool // it only asks whether there is a race or a deadlock, or leads to an error
	origins []int
	choice  map[*ir.Var]bool // what choices says; nil if nobody has asked yet
}

// config is a state of the program of ir on the way along a run. It is not changed once it is made.
type config struct {
	locs  []*ir.Loc
	vals  []logic.Value
	open  []bool      // by variable: any value; nothing is known of it
	irOf  map[int]int // the threads of ir, by the interpreter's; those that ir does without are missing
	used  map[inputKey]int
	steps int
}

// candidate is a step that others notice, which a thread may take next.
type candidate struct {
	at   *config
	edge *ir.Edge
	info *edgeInfo
}

// failure is how far a run was followed, and what could not be done then.
type failure struct {
	unit, steps int
	why         string
}

// follower has a program of ir follow a run.
type follower struct {
	ctx     context.Context
	prog    *ir.Program
	tab     ir.SymTable
	numbers map[cir.Located]int
	origins map[int]bool // instructions that edges come from
	info    map[*ir.Edge]*edgeInfo
	vars    map[*logic.Term][]*ir.Var
	lives   map[int]bool // instructions that begin and end the lives of locals
	ofExit  map[int]bool // instructions of the library's exit
	chosen  map[int]bool // instructions whose address depends on an index: a step may be one of several, of which another one counts
	units   []unit
	trace   *trace
	last    map[inputKey]int // the last unit in which a thread performs an instruction
	exits   map[int]int      // the unit from which on a thread is in exit
	work    int              // edges that may still be tried
	best    *failure
	guessed bool // a condition depended on what is not known
	cut     bool // there were other ways than those that were gone
	read    string
}

func newFollower(ctx context.Context, p *cir.Program, prog *ir.Program, work int) *follower {
	f := &follower{ctx: ctx, prog: prog, tab: prog.Symbols(), numbers: cir.Number(p), origins: map[int]bool{}, info: map[*ir.Edge]*edgeInfo{},
		vars: map[*logic.Term][]*ir.Var{}, last: map[inputKey]int{}, work: work}
	f.lives = lifetimes(f.numbers)
	f.chosen, f.ofExit, f.exits = indexed(p, f.numbers), inExit(p, f.numbers), map[int]int{}
	for _, t := range prog.Threads {
		t.Edges(func(e *ir.Edge) { f.info[e] = f.infoOf(e) })
	}
	return f
}

// inExit returns the instructions of the library's exit.
func inExit(p *cir.Program, numbers map[cir.Located]int) map[int]bool {
	out := map[int]bool{}
	for _, fn := range p.Funcs {
		if !fn.Library || fn.Source != "exit" && fn.Source != "begin_exit" {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				out[numbers[in]] = true
			}
			out[numbers[b.Term]] = true
		}
	}
	return out
}

// endsLife reports whether a step begins or ends the life of a local, or of a variable that a thread has for itself, which comes of no instruction. The interpreter does not
// tell of it.
func (f *follower) endsLife(e *ir.Edge) bool {
	return e.Kind == ir.Plain && (f.lives[e.Origin] || e.Origin == 0) && len(e.Cmds) == 1 && e.Cmds[0].Kind == ir.Assign && strings.Contains(e.Cmds[0].Var.Name, ".alive")
}

// lifetimes returns the instructions that begin and end the lives of locals.
func lifetimes(numbers map[cir.Located]int) map[int]bool {
	out := map[int]bool{}
	for in, n := range numbers {
		switch in.(type) {
		case *cir.LifeStart, *cir.LifeEnd, *cir.Return:
			out[n] = true
		}
	}
	return out
}

// flagNames are those of variables that tell which threads were created, have ended, and are gone, and which ones handlers of signals interrupt.
var flagNames = regexp.MustCompile(`^(created|ended|gone|interrupted|interrupts_in)[0-9]+$`)

// seesEnds reports whether a step only looks at which threads were created and have ended, and at which ones are interrupted.
func (f *follower) seesEnds(e *ir.Edge) bool {
	if e.Kind != ir.Plain || interrupts(e) != nil {
		return false
	}
	a := f.tab.CmdAccess(e.Cmds)
	for _, vars := range []map[*ir.Var]bool{a.Reads, a.Writes} {
		for v := range vars {
			if v.Thread == ir.Shared && !isAsking(v) && !(v.Source == "" && flagNames.MatchString(v.Name)) {
				return false
			}
		}
	}
	return true
}

// infoOf looks at an edge.
func (f *follower) infoOf(e *ir.Edge) *edgeInfo {
	x := &edgeInfo{asks: e.To.Error || standsBefore(e) || tellsWait(e)}
	// That a thread was created or has ended stays so: it does not matter when another one sees it.
	x.noticed = (e.Kind != ir.Plain || touches(f.tab, e.Cmds)) && e.Kind != ir.Start && e.Kind != ir.Join && !tellsLoop(e) && !f.endsLife(e) && !f.seesEnds(e)
	add := func(n int) {
		if n != 0 && !slices.Contains(x.origins, n) {
			x.origins = append(x.origins, n)
			f.origins[n] = true
		}
	}
	add(e.Origin)
	for _, c := range e.Cmds {
		add(c.Origin)
	}
	return x
}

// initial returns the state in which the program begins.
func (f *follower) initial() (*config, error) {
	c := &config{locs: make([]*ir.Loc, len(f.prog.Threads)), vals: make([]logic.Value, len(f.prog.Vars)), open: make([]bool, len(f.prog.Vars)),
		irOf: map[int]int{0: 0}, used: map[inputKey]int{}}
	for i, t := range f.prog.Threads {
		c.locs[i] = t.Entry
	}
	for i, v := range f.prog.Vars {
		if v.Init != nil {
			c.vals[i] = *v.Init
		} else {
			c.open[i] = true
		}
	}
	for i, u := range f.units {
		for _, h := range u.list {
			if _, known := f.exits[u.thread]; !known && f.ofExit[h.n] {
				f.exits[u.thread] = i
			}
			f.last[inputKey{u.thread, h.n}] = i
		}
	}
	return c, nil
}

// choice is a unit with the ways to go on from a state: the first is likely.
type choice struct {
	unit  int
	ways  []*config
	next  int
	spent int // deviations before
}

// from follows the units from a state, with so many deviations from what is likely. It returns the state at the end; nil if there is none.
func (f *follower) from(ctx context.Context, c *config, deviations int) *config {
	var stack []*choice
	unit, spent := 0, 0
	for {
		if f.work <= 0 || ctx.Err() != nil {
			return nil
		}
		if unit == len(f.units) {
			return c
		}
		ways, why := f.ways(c, unit)
		if len(ways) > 0 {
			if len(ways) > 1 {
				if spent < deviations {
					stack = append(stack, &choice{unit, ways, 1, spent})
				} else {
					f.cut = true
				}
			}
			c, unit = ways[0], unit+1
			continue
		}
		if f.best == nil || unit > f.best.unit {
			f.best = &failure{unit, c.steps, why}
		}
		for len(stack) > 0 && stack[len(stack)-1].next == len(stack[len(stack)-1].ways) {
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 {
			return nil
		}
		x := stack[len(stack)-1]
		c, unit, spent = x.ways[x.next], x.unit+1, x.spent+1
		x.next++
	}
}

// ways returns the states after a unit; the likely one first. Without any, it says why.
func (f *follower) ways(c *config, i int) ([]*config, string) {
	u := &f.units[i]
	t, ok := c.irOf[u.thread]
	if u.fails {
		return f.failed(c, t, ok, u)
	}
	if !ok { // ir does without it
		return []*config{c}, ""
	}
	if u.ends && !f.inExit(u, i) {
		return f.ended(c, t, u)
	}
	if f.inExit(u, i) { // ir leaves out what no more of the program depends on
		return []*config{c}, ""
	}
	frontier, limit := f.frontier(c, t, u)
	if limit {
		f.work = 0
		return nil, ""
	}
	var out []*config
	f.read = ""
	matched, later := false, false
	for _, x := range frontier {
		switch {
		case x.edge == nil || x.info.waits: // what is left of the thread is of no consequence
			later = true
		case !x.info.asks && slices.ContainsFunc(x.info.origins, func(n int) bool { return u.has(n) != nil }):
			matched = true
			out = append(out, f.take(x, t, u, nil)...)
		}
		later = later || len(x.info.origins) == 0 || slices.ContainsFunc(x.info.origins, func(n int) bool { k, ok := f.last[inputKey{u.thread, n}]; return ok && k > i })
	}
	later = later || len(frontier) == 0
	if later || matched && len(out) > 0 || f.mayBeLast(u.thread, i) {
		out = append(out, c) // ir has no step for it
	}
	if len(out) > 0 {
		return out, ""
	}
	f.mayFail(t, frontier, u)
	return nil, f.lost(u, t, frontier)
}

// mayFail notes whether a thread of ir may fail where the run goes on: then nothing is lost, as there is no proof.
func (f *follower) mayFail(t int, frontier []candidate, u *unit) {
	for _, x := range frontier {
		f.guessed = f.guessed || x.edge != nil && x.edge.To.Error && f.run(x.at, t, x.edge, u) != nil
	}
}

// inExit reports whether a thread ends the program when it performs a unit.
func (f *follower) inExit(u *unit, i int) bool {
	from, ok := f.exits[u.thread]
	return ok && i >= from
}

// mayBeLast reports whether a thread does not end in the run behind a unit, so that it may stay where it is.
func (f *follower) mayBeLast(thread, i int) bool {
	return !slices.ContainsFunc(f.units[i+1:], func(u unit) bool { return u.thread == thread && u.ends })
}

// lost says what cannot be done.
func (f *follower) lost(u *unit, t int, frontier []candidate) string {
	at := "the end"
	for _, h := range u.list {
		if m := h.of.Meta(); m.Site != nil {
			at = m.Site.Pos.String()
		}
	}
	why := f.read
	if why != "" {
		why = "; it " + why
	}
	return fmt.Sprintf("thread %d of the run goes on at %s, but thread %d of the program of ir may only do %s%s", u.thread, at, t, describe(frontier), why)
}

// ended has a thread take its last steps.
func (f *follower) ended(c *config, t int, u *unit) ([]*config, string) {
	var out []*config
	var stuck, failing []candidate
	seen := map[*ir.Loc]bool{}
	todo := []*config{c}
	for len(todo) > 0 && f.work > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f.isEnd(c.locs[t]) {
			out = append(out, c)
			continue
		}
		frontier, limit := f.frontier(c, t, u)
		if limit {
			f.work = 0
		}
		for _, x := range frontier {
			switch {
			case x.edge == nil: // it has come to its end
				out = append(out, x.at)
			case x.info.asks:
				failing = append(failing, x)
			case x.info.waits:
				stuck = append(stuck, x)
			case x.edge.Kind == ir.End || len(x.info.origins) == 0 || slices.ContainsFunc(x.info.origins, f.isExit):
				if next := f.run(x.at, t, x.edge, u); next != nil && !seen[next.locs[t]] {
					seen[next.locs[t]] = true
					todo = append(todo, next)
				}
			default:
				stuck = append(stuck, x)
			}
		}
	}
	if len(out) > 0 {
		return out, ""
	}
	if f.work <= 0 {
		return nil, ""
	}
	f.mayFail(t, failing, u)
	return nil, fmt.Sprintf("thread %d of the run ends, but thread %d of the program of ir may only do %s", u.thread, t, describe(stuck))
}

// failed has an assertion of a thread fail.
func (f *follower) failed(c *config, t int, known bool, u *unit) ([]*config, string) {
	if !known {
		return nil, fmt.Sprintf("an assertion of thread %d fails in the run, and the program of ir has no such thread", u.thread)
	}
	frontier, limit := f.frontier(c, t, u)
	if limit {
		f.work = 0
	}
	for _, x := range frontier {
		if x.edge != nil && x.edge.To.Error {
			if next := f.run(x.at, t, x.edge, u); next != nil {
				return []*config{next}, ""
			}
		}
	}
	return nil, fmt.Sprintf("an assertion of thread %d fails in the run, but thread %d of the program of ir may only do %s", u.thread, t, describe(frontier))
}

// isExit reports whether an instruction ends a thread or the program.
func (f *follower) isExit(n int) bool {
	for in, k := range f.numbers {
		if k == n {
			i, ok := in.(*cir.Intrinsic)
			return ok && (i.Op == cir.ThreadExit || i.Op == cir.Stop)
		}
	}
	return false
}

// isEnd reports whether a thread has ended where it is: what follows, if anything, only asks, as whether memory is lost at the end.
func (f *follower) isEnd(l *ir.Loc) bool {
	return !l.Error && !slices.ContainsFunc(l.Out, func(e *ir.Edge) bool { return !f.info[e].asks })
}

// maxLocal bounds the steps of a thread that others do not notice.
const maxLocal = 5000

// frontier returns the steps that others notice which a thread may come to next; an edge that is nil says that it may come to its end. limit tells that there is no
// end of its other steps.
func (f *follower) frontier(c *config, t int, u *unit) (out []candidate, limit bool) {
	todo := []*config{c}
	for n := 0; len(todo) > 0; n++ {
		if n > maxLocal || f.work <= 0 {
			return nil, true
		}
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f.isEnd(c.locs[t]) {
			out = append(out, candidate{at: c, info: &edgeInfo{asks: true}})
		}
		var waits *ir.Edge // it has to wait for the ends of others
		goes := false
		for _, e := range c.locs[t].Out {
			x := f.info[e]
			if x.asks || x.noticed && f.reported(u.thread, x) {
				out = append(out, candidate{c, e, x})
				goes = goes || !x.asks
			} else if next := f.run(c, t, e, u); next != nil {
				todo = append(todo, next)
				goes = true
			} else if e.Kind == ir.Join || f.seesEnds(e) {
				waits = e
			}
		}
		if waits != nil && (waits.Kind == ir.Join || !goes) {
			out = append(out, candidate{c, waits, &edgeInfo{waits: true}})
		}
	}
	return out, false
}

// reported reports whether the run tells of one of the instructions that a step comes from. The interpreter performs some of them together with others, which it
// does not tell of.
func (f *follower) reported(thread int, x *edgeInfo) bool {
	return len(x.origins) == 0 || slices.ContainsFunc(x.origins, func(n int) bool { _, ok := f.last[inputKey{thread, n}]; return ok })
}

// take has a thread take a step that belongs to a unit, and those that belong to it, too. had are the steps that
// were taken for it: outside of atomic sections none is taken twice.
func (f *follower) take(x candidate, t int, u *unit, had []*ir.Edge) []*config {
	if x.edge.Kind == ir.Create && created(had) >= u.creates() || !x.at.locs[t].Atomic && slices.Contains(had, x.edge) {
		return nil
	}
	had = append(slices.Clip(had), x.edge)
	c := f.run(x.at, t, x.edge, u)
	if c == nil {
		return nil
	}
	if x.edge.Kind == ir.Create {
		c.irOf = with(c.irOf, u, x.edge.Thread)
	}
	return f.further(c, t, u, had)
}

// further returns the states in which a thread may be when it has taken a step for a unit: an atomic section is left, and what else belongs to the unit is done, or not.
func (f *follower) further(c *config, t int, u *unit, had []*ir.Edge) (out []*config) {
	if c.locs[t].Atomic {
		return f.inside(c, t, u, had)
	}
	more := u.section || slices.ContainsFunc(u.list, func(h happening) bool { return ofSteps(h.of) })
	if !more { // it is likely all of it, but not if the scalar is cut into pieces
		out = append(out, c)
	}
	if frontier, limit := f.frontier(c, t, u); !limit {
		for _, y := range frontier {
			if y.edge != nil && !y.info.asks && !y.info.waits && slices.ContainsFunc(y.info.origins, func(n int) bool { return u.has(n) != nil }) {
				out = append(out, f.take(y, t, u, had)...)
			}
		}
	}
	if more {
		out = append(out, c)
	}
	return out
}

// inside goes on in an atomic section, up to its end.
func (f *follower) inside(c *config, t int, u *unit, had []*ir.Edge) (out []*config) {
	for _, e := range c.locs[t].Out {
		x := f.info[e]
		switch {
		case f.work <= 0 || x.asks:
		case x.noticed:
			out = append(out, f.take(candidate{c, e, x}, t, u, had)...)
		default:
			if next := f.run(c, t, e, u); next != nil {
				out = append(out, f.further(next, t, u, had)...)
			}
		}
	}
	return out
}

// ofSteps reports whether an instruction is usually several steps.
func ofSteps(in cir.Located) bool {
	switch in := in.(type) {
	case *cir.Load, *cir.Store, *cir.RMW, *cir.CmpXchg, cir.Term:
		return false
	case *cir.Intrinsic:
		return in.Op != cir.Lock && in.Op != cir.Unlock && in.Op != cir.ThreadEnded
	}
	return true
}

// creates returns how many threads a unit creates.
func (u *unit) creates() int {
	n := 0
	for _, h := range u.list {
		if i, ok := h.of.(*cir.Intrinsic); ok && i.Op == cir.ThreadCreate {
			n++
		}
	}
	return n
}

// created counts the steps that create threads.
func created(had []*ir.Edge) (n int) {
	for _, e := range had {
		if e.Kind == ir.Create {
			n++
		}
	}
	return n
}

// with returns a map in which the thread that a unit creates is one of ir's.
func with(irOf map[int]int, u *unit, thread int) map[int]int {
	out := map[int]int{}
	for k, v := range irOf {
		out[k] = v
	}
	for _, h := range u.list {
		if i, ok := h.of.(*cir.Intrinsic); ok && i.Op == cir.ThreadCreate {
			out[int(h.value.Lo)] = thread
		}
	}
	return out
}
