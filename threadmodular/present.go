package threadmodular

import "comus/logic"

// present returns, with a census, that instances are counted where they are: two of one thread at one place are two there.
func (s *system) present(xs ...instance) []*logic.Term {
	if s.m.head == nil {
		return nil
	}
	var out []*logic.Term
	for i, x := range xs {
		v := s.m.head.Exact[x.t.Locs[x.loc]]
		if v == nil {
			continue
		}
		n := int64(1)
		for _, y := range xs[:i] {
			if y.t == x.t && y.loc == x.loc {
				n++
			}
		}
		out = append(out, s.l.Ge(v.Sym, s.l.Int(n)))
	}
	return out
}
