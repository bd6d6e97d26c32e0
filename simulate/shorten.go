package simulate

import (
	"slices"

	"comus/ir"
	"comus/ir/explore"
)

// A run that reaches an error is as long and as winding as chance made it. Before it is
// handed out it is made shorter and plainer, as far as little work allows: parts are
// left out, steps of a thread are taken in a row, and inputs become 0. Each try is a run
// of its own, in which a thread whose planned step is not possible takes another one,
// or none.

// shortenWork bounds the steps that are taken for one run, which is less than a tenth of
// a second. It is not a time, so that the outcome does not depend on the machine.
const shortenWork = 500_000

// item is a planned step of a thread.
type item struct {
	thread int
	edge   *explore.Compiled
	inputs []int64
}

// shorten makes the last run, which reached an error, shorter.
func (s *Simulator) shorten() {
	sh := &shortener{s: s, left: shortenWork, start: slices.Clone(s.run.start)}
	inputs := s.run.inputs
	for _, c := range s.run.taken {
		it := item{thread: c.Edge().From.Thread.Index, edge: c}
		for _, cmd := range c.Edge().Cmds {
			if cmd.Kind == ir.Havoc {
				it.inputs = append(it.inputs, inputs[0])
				inputs = inputs[1:]
			}
		}
		it.inputs = slices.Clone(it.inputs)
		sh.items = append(sh.items, it)
	}
	for better := true; better && sh.more(); {
		n := sh.cost(sh.items)
		sh.leaveOut()
		sh.inARow()
		better = sh.cost(sh.items) < n
	}
	sh.plain()
	r := &s.run
	r.start = sh.start
	r.taken, r.inputs = r.taken[:0], r.inputs[:0]
	for _, it := range sh.items {
		r.taken = append(r.taken, it.edge)
		r.inputs = append(r.inputs, it.inputs...)
	}
}

// shortener is one run being made shorter.
type shortener struct {
	s     *Simulator
	left  int // steps that may still be taken
	items []item
	start []int64
}

func (sh *shortener) more() bool { return sh.left > 0 }

// cost counts the steps, and more than these the changes from one thread to another.
func (sh *shortener) cost(items []item) int {
	n := len(items)
	for i := 1; i < len(items); i++ {
		if items[i].thread != items[i-1].thread {
			n += 4
		}
	}
	return n
}

// try replaces the run by what a plan leads to, if that is an error and cheaper, or as
// cheap and equal is set.
func (sh *shortener) try(plan []item, start []int64, equal bool) bool {
	sh.left -= len(plan) + 10
	got, ok := sh.replay(plan, start)
	if !ok {
		return false
	}
	if was, is := sh.cost(sh.items), sh.cost(got); is > was || is == was && !equal {
		return false
	}
	sh.items, sh.start = got, start
	return true
}

// leaveOut leaves parts of the run out, large ones first: of all threads, and of one.
func (sh *shortener) leaveOut() {
	for size := (len(sh.items) + 1) / 2; size > 0; size /= 2 {
		for i := 0; i < len(sh.items) && sh.more(); {
			end := min(i+size, len(sh.items))
			if sh.try(slices.Concat(sh.items[:i], sh.items[end:]), sh.start, false) {
				continue
			}
			if size > 1 {
				t := sh.items[i].thread
				plan := slices.Clone(sh.items[:i])
				for _, it := range sh.items[i:end] {
					if it.thread != t {
						plan = append(plan, it)
					}
				}
				plan = append(plan, sh.items[end:]...)
				if len(plan) < len(sh.items) && sh.try(plan, sh.start, false) {
					continue
				}
			}
			i = max(i+1, i+size/2)
		}
	}
}

// inARow lets threads go on instead of others, where they are interrupted.
func (sh *shortener) inARow() {
	for i := 0; i+1 < len(sh.items) && sh.more(); i++ {
		t := sh.items[i].thread
		if sh.items[i+1].thread == t {
			continue
		}
		next := slices.IndexFunc(sh.items[i+1:], func(it item) bool { return it.thread == t })
		if next < 0 {
			continue
		}
		from := i + 1 + next
		to := from
		for to < len(sh.items) && sh.items[to].thread == t {
			to++
		}
		sh.try(slices.Concat(sh.items[:i+1], sh.items[from:to], sh.items[i+1:from], sh.items[to:]), sh.start, false)
	}
}

// plain makes inputs and initial values 0.
func (sh *shortener) plain() {
	for i, k := range sh.start {
		if k != 0 && sh.more() {
			start := slices.Clone(sh.start)
			start[i] = 0
			sh.try(sh.items, start, true)
		}
	}
	for i := 0; i < len(sh.items); i++ {
		for k := 0; i < len(sh.items) && k < len(sh.items[i].inputs) && sh.more(); k++ {
			if sh.items[i].inputs[k] == 0 {
				continue
			}
			plan := slices.Clone(sh.items)
			plan[i].inputs = slices.Clone(plan[i].inputs)
			plan[i].inputs[k] = 0
			sh.try(plan, sh.start, true)
		}
	}
}

// replay makes a run by a plan and returns the steps taken up to the error; false if it
// reaches none.
func (sh *shortener) replay(plan []item, start []int64) ([]item, bool) {
	s := sh.s
	at := slices.Clone(s.entries)
	holder := nobody
	for t, n := range at {
		if n.loc.Error {
			return nil, true
		}
		if n.loc.Atomic {
			holder = map[bool]int{true: t, false: several}[holder == nobody]
		}
	}
	copy(s.m.Values(), s.initial)
	for i, v := range s.open {
		s.m.Values()[v.Index] = start[i]
	}
	var out []item
	for _, it := range plan {
		if holder != nobody && holder != it.thread {
			continue
		}
		to, took := sh.take(at[it.thread], it)
		if to == nil {
			continue
		}
		out = append(out, took)
		at[it.thread] = to
		if to.loc.Error {
			return out, true
		}
		holder = nobody
		if to.loc.Atomic {
			holder = it.thread
		}
	}
	return nil, false
}

// take lets a thread take its planned step, or else the first one possible.
func (sh *shortener) take(n *node, it item) (*node, item) {
	for pass := range 2 {
		for i := range n.out {
			st := &n.out[i]
			if (st.edge == it.edge) != (pass == 0) {
				continue
			}
			took := item{thread: it.thread, edge: st.edge}
			left := it.inputs
			if sh.s.m.Take(st.edge, func(v *ir.Var) int64 {
				k := int64(0)
				if len(left) > 0 && pass == 0 {
					k, left = left[0], left[1:]
				} else if lo, hi := v.Type.Range(); lo.Sign() > 0 || hi.Sign() < 0 {
					k = explore.Stored(lo)
				}
				took.inputs = append(took.inputs, k)
				return k
			}) {
				return st.to, took
			}
		}
	}
	return nil, item{}
}
