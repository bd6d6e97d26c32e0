package transfer

import (
	"slices"

	"comus/cir"
)

// Once the threads have ended, the first one often walks through all containers and frees what is there. It is alone, so it may access everything, and if no other thread runs any more, nobody
// finds what it leaves. So nothing is followed from there on but where control may be.

// lose begins that.
func (x *explorer) lose(s *state) {
	s.lost, s.left = true, false
	s.objects = []object{{of: nobody, link: value{k: unknown}}}
	s.held, s.locked, s.which, s.derived, s.orders = [maxRegions]bool{}, [maxRegions]bool{}, [maxRegions]int{}, nil, nil
	s.each(func(value) value { return value{} })
}

// lostValue returns what an operand is then, if it is a number.
func (x *explorer) lostValue(s *state, v cir.Value) value {
	switch v := v.(type) {
	case *cir.Reg:
		return s.top().regs[v.Index]
	case cir.Int:
		if n, ok := v.Int64(); ok && n >= -1000 && n <= 1000 {
			return value{number, int(n), 0}
		}
	}
	return value{}
}

// lostStep is an instruction then.
func (x *explorer) lostStep(s *state, in cir.Instr, ch *chooser) {
	f := s.top()
	plain := x.plain(x.copies[f.copy].Func)
	switch in := in.(type) {
	case *cir.Load:
		f.set(in.Dst, value{})
		if l, ok := in.Addr.(*cir.Local); ok && plain[l] {
			f.set(in.Dst, f.locals[l.Index])
		}
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && plain[l] {
			if v := x.lostValue(s, in.X); v.k == other {
				delete(f.locals, l.Index)
			} else {
				f.locals[l.Index] = v
			}
		}
	case *cir.Call:
		x.lostCall(s, in, ch)
	case *cir.LifeStart:
		delete(f.locals, in.Local.Index)
	default:
		for _, r := range cir.Results(in) {
			f.set(r, value{})
		}
	}
}

func (x *explorer) lostCall(s *state, in *cir.Call, ch *chooser) {
	f := s.top()
	f.set(in.Dst, value{})
	if to := x.pts.Called(x.copies[f.copy], in); len(to) > 0 {
		c := to[ch.choose(len(to))]
		k := x.number[c]
		if !c.Func.Library && x.matters[k] {
			if slices.ContainsFunc(s.frames, func(g frame) bool { return g.copy == k }) {
				x.fail("a function that matters calls itself")
			}
			s.frames = append(s.frames, frame{copy: k, locals: map[int]value{}, regs: map[int]value{}, dst: in.Dst})
			return
		}
	}
	ch.dead = ch.dead || !in.Returns
}
