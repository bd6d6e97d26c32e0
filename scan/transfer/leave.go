package transfer

import (
	"slices"

	"comus/cir"
)

// leave is the end of a block.
func (x *explorer) leave(s *state, t cir.Term, ch *chooser) {
	f := s.top()
	var to *cir.Block
	var args []cir.Value
	switch t := t.(type) {
	case *cir.Jump:
		to, args = t.To, t.Args
	case *cir.Branch:
		c := x.eval(s, t.Cond, ch)
		if c.k == index {
			c = value{}
		}
		yes := c.k != other && (c.k != number || c.n != 0)
		if c.k == other {
			yes = ch.choose(2) == 0
		}
		if to, args = t.Then, t.ThenArgs; !yes {
			to, args = t.Else, t.ElseArgs
		}
	case *cir.Switch:
		to = x.cases(s, t, ch)
	case *cir.Return:
		x.back(s, t, ch)
		return
	case *cir.IndirectJump:
		x.fail("a computed goto")
	}
	if to == nil {
		ch.dead = true
		return
	}
	var vs []value
	for _, a := range args {
		vs = append(vs, x.evalAll(s, a, ch))
	}
	for r := range f.regs {
		if !x.crosses(x.copies[f.copy].Func)[r] {
			delete(f.regs, r)
		}
	}
	for i, p := range to.Params {
		f.set(p, vs[i])
	}
	f.block, f.instr = to.Index, 0
}

func (x *explorer) cases(s *state, t *cir.Switch, ch *chooser) *cir.Block {
	c := x.eval(s, t.X, ch)
	var ways []*cir.Block
	for _, k := range t.Cases {
		if c.k != number {
			ways = append(ways, k.To)
		} else if k.Has(int64(c.n)) {
			return k.To
		}
	}
	ways = append(ways, t.Default)
	return ways[ch.choose(len(ways))]
}

// back is a return.
func (x *explorer) back(s *state, t *cir.Return, ch *chooser) {
	v := value{}
	if shape := x.copies[s.top().copy].Func.Result.Shape; t.X != nil && shape == nil {
		v = x.evalAll(s, t.X, ch)
	} else if t.X != nil {
		x.bytes(s, t.X, shape.Size, false, ch)
	}
	dst := s.top().dst
	x.endLocals(s, x.copies[s.top().copy].Func)
	s.frames = s.frames[:len(s.frames)-1]
	if len(s.frames) > 0 {
		s.top().set(dst, v)
	} else {
		x.ends(s)
	}
}

// ends is the end of a thread. What it left in a region whose lock it holds, who is alone later would find there.
func (x *explorer) ends(s *state) {
	if !s.alone && slices.Contains(s.locked[:], true) {
		x.fail("a thread ends that holds a lock")
	}
}
