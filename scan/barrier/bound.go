package barrier

import (
	"slices"

	"comus/cir"
	"comus/scan/loop"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// many is how many threads there are of an identity in all of an execution, at most: as many as a number says that a function computes, 0 if that is negative.
type many struct {
	n  *thread.Node // nil: it is a constant
	by valuenum.Value
}

// enough reports whether a barrier is always initialised for at least as many threads as ever wait at it.
func (f *finder) enough(b *Barrier) bool {
	constant := int64(0)
	var other *many
	for t := range b.flows {
		m, ok := f.bound(t, 0)
		if !ok {
			return false
		}
		if c, isConst := m.by.Const(); isConst {
			constant += max(c, 0)
			continue
		}
		if other != nil {
			return false
		}
		other = &m
	}
	for _, x := range b.inits {
		if other == nil {
			v, ok := f.count(x)
			for n, depth := x.n, 0; ok && depth < maxDepth; depth++ {
				if _, isConst := v.Const(); isConst {
					break
				}
				v, n, ok = f.given(n, v, true)
			}
			if c, isConst := v.Const(); !ok || !isConst || c < constant {
				return false
			}
			continue
		}
		// If the number is negative, there is none of these threads, and no more than one other one, which is ordered anyway.
		if constant > 1 || len(b.inits) > 1 || !f.covers(x, *other, constant) {
			return false
		}
	}
	return len(b.inits) > 0
}

// maxDepth bounds the calls that a number comes through.
const maxDepth = 8

// covers reports whether a call initialises a barrier for as many threads as there are at most, and some more: both numbers are made of the same one, which one function computes once. What functions are
// given that one call calls is what that call gives them.
func (f *finder) covers(x made, threads many, more int64) bool {
	made, ok := f.count(x)
	for at, depth := x.n, 0; ok && depth < maxDepth; depth++ {
		by, n, known := threads.by, threads.n, true
		for up := 0; known && up < maxDepth && steady(n, by); up++ {
			if d, same := made.Minus(by); n == at && same {
				return d >= more
			}
			by, n, known = f.given(n, by, false)
		}
		made, at, ok = f.given(at, made, true)
	}
	return false
}

// given returns what a number is made of that a node is given, for the only call of the node. If it is that of a barrier, a negative one may become a large one.
func (f *finder) given(n *thread.Node, v valuenum.Value, barrier bool) (x valuenum.Value, by *thread.Node, ok bool) {
	if v.Base == nil || v.Base.Kind != valuenum.Param || v.Base.Func != n.Fn || v.Index != nil || slices.Contains(f.threads.Backs(), n) || jumps(n.Fn) {
		return x, nil, false
	}
	var at *cir.Call
	for _, t := range f.threads.Threads {
		if slices.Contains(t.Roots(), n) {
			return x, nil, false
		}
		for _, m := range f.threads.Nodes(t) {
			for _, b := range m.Fn.Blocks {
				for _, in := range b.Instrs {
					call, isCall := in.(*cir.Call)
					if !isCall || !slices.Contains(f.threads.Calls(t, m, call), n) {
						continue
					}
					if at != nil && (at != call || by != m) || m.Outside(call) || m.Fn.Library {
						return x, nil, false
					}
					at, by = call, m
				}
			}
		}
	}
	if i := int(v.Base.N); at != nil && i < len(at.Args) && at.Args[i].ByVal == nil {
		x, ok = f.number(by, at.Args[i].X, barrier && v.Off == 0)
	}
	x.Off += v.Off
	return x, by, ok
}

// bound returns how many threads there are of an identity in all of an execution.
func (f *finder) bound(t *thread.Thread, depth int) (m many, ok bool) {
	one := many{by: valuenum.Value{Off: 1}}
	if t.Parent == nil {
		return one, true
	}
	n, create, ok := f.threads.Creation(t)
	if !ok || depth > 8 {
		return m, false
	}
	up, ok := f.bound(t.Parent, depth+1)
	if c, isConst := up.by.Const(); !ok || !isConst || c != 1 || !f.once(t.Parent, n, map[*thread.Node]bool{}) {
		return m, false
	}
	at := blockOf(n.Fn, create)
	if !reaches(at, at) {
		return one, true
	}
	s, loops := f.threads.Symbols(n)
	if s == nil {
		return m, false
	}
	for _, l := range loops {
		by, ok := l.Turns(f.prog.Model)
		if ok && l.Contains(s, at) && l.AtMostOnce(at) && !f.again(n, l) {
			return many{n, by}, true
		}
	}
	return m, false
}

// Once reports whether there is no more than one thread of an identity in all of an execution.
func Once(p *cir.Program, pts *pointsto.Result, threads *thread.Result, t *thread.Thread) bool {
	m, ok := (&finder{prog: p, pts: pts, threads: threads}).bound(t, 0)
	n, isConst := m.by.Const()
	return ok && isConst && n <= 1
}

// again reports whether a loop may begin more than once in an activation.
func (f *finder) again(n *thread.Node, l *loop.Loop) bool {
	return slices.ContainsFunc(n.Fn.Blocks, func(b *cir.Block) bool { return l.Starts(b) && reaches(b, b) })
}

// once reports whether a thread calls a node no more than once.
func (f *finder) once(t *thread.Thread, n *thread.Node, seen map[*thread.Node]bool) bool {
	if seen[n] || jumps(n.Fn) || slices.Contains(f.threads.Backs(), n) {
		return false
	}
	seen[n] = true
	times := 0
	for _, r := range t.Roots() {
		if r == n {
			times++
		}
	}
	for _, m := range f.threads.Nodes(t) {
		for _, b := range m.Fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || !slices.Contains(f.threads.Calls(t, m, call), n) {
					continue
				}
				if times++; reaches(b, b) || m.Outside(call) || !f.once(t, m, seen) {
					return false
				}
			}
		}
	}
	return times == 1
}

// steady reports whether a number that a function computes stays what it was: what it is made of is computed once.
func steady(n *thread.Node, v valuenum.Value) bool {
	ok := true
	v.Each(func(s *valuenum.Sym) {
		switch s.Kind {
		case valuenum.Param, valuenum.Conv:
		case valuenum.Phi:
			ok = ok && !reaches(s.Block, s.Block)
		case valuenum.Reg:
			for _, b := range n.Fn.Blocks {
				for _, in := range b.Instrs {
					for _, r := range cir.Results(in) {
						if int64(r.Index) == s.N {
							ok = ok && !reaches(b, b)
						}
					}
				}
			}
		default:
			ok = false
		}
	})
	return ok
}

// blockOf returns the block that an instruction is in.
func blockOf(f *cir.Func, in cir.Instr) *cir.Block {
	i := slices.IndexFunc(f.Blocks, func(b *cir.Block) bool { return slices.Contains(b.Instrs, in) })
	if i < 0 {
		return nil
	}
	return f.Blocks[i]
}

// reaches reports whether control may get from the end of a block to another one, or to itself again.
func reaches(from, to *cir.Block) bool {
	if from == nil {
		return true
	}
	seen := map[*cir.Block]bool{}
	for work := []*cir.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(b.Term, func(x *cir.Block, _ []cir.Value) {
			if !seen[x] {
				seen[x] = true
				work = append(work, x)
			}
		})
	}
	return seen[to]
}

// Covers reports whether a number that a node computes is at least how many threads of some identities there are in all of an execution.
func Covers(p *cir.Program, pts *pointsto.Result, threads *thread.Result, ts []*thread.Thread, n *thread.Node, number cir.Value) bool {
	f := &finder{prog: p, pts: pts, threads: threads}
	constant := int64(0)
	var other *many
	for _, t := range ts {
		m, ok := f.bound(t, 0)
		if !ok {
			return false
		}
		if c, isConst := m.by.Const(); isConst {
			constant += max(c, 0)
		} else if other != nil {
			return false
		} else {
			other = &m
		}
	}
	s, _ := threads.Symbols(n)
	if s == nil {
		return false
	}
	v := s.Value(number)
	if other == nil {
		c, isConst := v.Const()
		return isConst && c >= constant
	}
	// A number that is negative is none of threads: then there have to be no others.
	d, same := v.Minus(other.by)
	return same && d >= 0 && constant == 0 && n == other.n && steady(n, other.by)
}
