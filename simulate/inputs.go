package simulate

import (
	"slices"

	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
)

// interesting returns the values to try for the types of the program's variables, as
// stored, ascending: those in the program, their neighbours, and the type's ends.
func interesting(p *ir.Program) map[ir.Type][]int64 {
	found := map[logic.Value]bool{}
	for k := int64(-1); k <= 3; k++ {
		found[logic.IntValue(k)] = true
	}
	seen := map[*logic.Term]bool{}
	var visit func(t *logic.Term)
	visit = func(t *logic.Term) {
		if t == nil || seen[t] || len(found) > 10_000 {
			return
		}
		seen[t] = true
		if v, ok := t.Const(); ok {
			for k := int64(-1); k <= 1; k++ {
				found[v.Add(logic.IntValue(k))] = true
				found[v.Neg().Add(logic.IntValue(k))] = true // x - c <= 0 has -c
			}
		}
		for _, a := range t.Args() {
			visit(a)
		}
	}
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				visit(c.Cond)
				visit(c.Expr)
			}
		})
	}
	out := map[ir.Type][]int64{}
	for _, v := range p.Vars {
		if out[v.Type] != nil {
			continue
		}
		lo, hi := v.Type.Range()
		list := []int64{explore.Stored(lo), explore.Stored(hi)}
		for k := range found {
			if v.Type.Contains(k) {
				list = append(list, explore.Stored(k))
			}
		}
		slices.Sort(list)
		out[v.Type] = slices.Compact(list)
	}
	return out
}

// value draws a value of a type.
func (s *Simulator) value(typ ir.Type) int64 {
	list := s.values[typ]
	k := s.rng.IntN(len(list))
	switch v := list[k]; s.rng.IntN(16) {
	case 0, 1, 2: // small
		if small := s.rng.Int64N(4 << s.rng.IntN(3)); typ.Contains(logic.IntValue(small)) {
			return small
		}
		return v
	case 3, 4, 5: // between two
		if k > 0 {
			if d := uint64(v) - uint64(list[k-1]); d > 0 {
				return list[k-1] + int64(s.rng.Uint64N(d))
			}
		}
		return v
	case 6: // any
		shift := uint(64 - typ.Bits)
		if typ.Signed {
			return int64(s.rng.Uint64()) >> shift
		}
		return int64(s.rng.Uint64() >> shift)
	default:
		return v
	}
}

// draw draws an input of the step being taken.
func (s *Simulator) draw(v *ir.Var) int64 {
	r := &s.run
	var k int64
	if len(r.given) > 0 {
		k, r.given = r.given[0], r.given[1:]
	} else {
		k = s.value(v.Type)
	}
	r.inputs = append(r.inputs, k)
	return k
}

// input is what is known about a place with inputs.
type input struct {
	tried, differed int // how often it was tried out, and how often with a difference
}

// The bounds of trying inputs out: values for one input, steps with each, inputs in
// one run, and after how many without a difference a place is left alone.
const (
	maxTries   = 8
	probeSteps = 40
	maxProbes  = 16
	hopeless   = 20
)

// inputStep lets a thread take a step with inputs. Unless that was in vain so far, it
// tries several values and takes those with which the thread alone gets furthest.
func (s *Simulator) inputStep(t int, n *node) bool {
	r, known := &s.run, &s.inputs[n.input]
	vain := known.tried >= hopeless && known.differed*10 < known.tried
	if vain || r.probes >= maxProbes || s.rng.IntN(8) == 0 {
		c := s.take(n)
		if c != nil {
			s.moved(t, c)
		}
		return c != nil
	}
	r.probes++
	vals, had := s.m.Values(), len(r.inputs)
	before := slices.Clone(vals)
	var best struct {
		c      *step
		score  int
		vals   []int64
		inputs []int64
	}
	least := probeSteps
	for range maxTries {
		c := s.take(n)
		if c == nil {
			least = 0
			continue
		}
		after, inputs := slices.Clone(vals), slices.Clone(r.inputs[had:])
		score := s.probe(c)
		if least = min(least, score); best.c == nil || score > best.score {
			best.c, best.score, best.vals, best.inputs = c, score, after, inputs
		}
		copy(vals, before)
		r.inputs = r.inputs[:had]
		if score >= probeSteps {
			break
		}
	}
	if best.c == nil {
		return false
	}
	known.tried++
	if best.score > least {
		known.differed++
	}
	copy(vals, best.vals)
	r.inputs = append(r.inputs, best.inputs...)
	s.moved(t, best.c)
	return true
}

// probe returns how many steps the thread can take alone after a step, up to probeSteps,
// and all of them if it gets to an error location. The values are those after that.
func (s *Simulator) probe(c *step) int {
	n := c.to
	for i := range probeSteps {
		if n.loc.Error {
			break
		}
		c := s.take(n)
		if c == nil {
			return i
		}
		n = c.to
	}
	return probeSteps
}
