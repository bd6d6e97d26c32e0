package check

import "comus/logic"

// present returns, of a proof with a census, that instances are counted where they are: two of one thread at one place are two there.
// Nothing of it has to be proved: a counter of [ir.Headcount.Exact] is the number of instances at its place.
func (k *parametric) present(xs ...runner) *logic.Term {
	if k.head == nil {
		return k.l.True()
	}
	var out []*logic.Term
	for i, x := range xs {
		v := k.head.Exact[x.t.Locs[x.loc]]
		if v == nil {
			continue
		}
		n := int64(1)
		for _, y := range xs[:i] {
			if y.at() == x.at() {
				n++
			}
		}
		out = append(out, k.l.Ge(v.Sym, k.l.Int(n)))
	}
	return k.l.And(out...)
}
