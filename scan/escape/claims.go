package escape

import (
	"cmp"
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// Begin returns the symbols of the addresses of objects that a copy owns where a block begins, for a certificate.
func (r *Result) Begin(c pointsto.Copy, b *cir.Block) []*valuenum.Sym {
	f := r.funcs[c]
	if f == nil {
		return nil
	}
	for range f.copy.Func.Blocks { // nothing changes in a block of which nothing is known but where it leads
		if len(b.Instrs) > 0 {
			break
		}
		j, ok := b.Term.(*cir.Jump)
		if !ok {
			return nil
		}
		b = j.To
	}
	if len(b.Instrs) == 0 {
		return nil
	}
	return slices.SortedFunc(maps.Keys(f.owned[b.Instrs[0]]), func(x, y *valuenum.Sym) int { return cmp.Compare(x.ID, y.ID) })
}
