package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// Atomic builtins on objects that no integer holds are atomic sections that copy and compare bytes.

// isWide tells whether the first argument points to such an object.
func isWide(e *tree.Builtin) bool {
	if len(e.Args) == 0 || e.Args[0].Type().Elem == nil {
		return false
	}
	size := e.Args[0].Type().Elem.Size
	return size > 16 || size > 0 && size&(size-1) != 0 && inMemory(e.Args[0].Type().Elem)
}

// wideAtomic builds __atomic_load, store, exchange and compare_exchange of such an object.
func (f *fn) wideAtomic(e *tree.Builtin, name string) (val, bool) {
	t := unqual(e.Args[0].Type().Elem)
	object := func(i int) lval {
		p, align := f.pointer(e.Args[i])
		return lval{base: f.address(p), align: align, t: t}
	}
	var ps []lval
	n := map[string]int{"load": 2, "store": 2, "exchange": 3, "compare_exchange": 3}[name]
	if n == 0 || n > len(e.Args) {
		return val{}, false
	}
	for i := range n {
		ps = append(ps, object(i))
	}
	for _, a := range e.Args[n:] {
		f.discard(a)
	}
	f.emit(&cir.Intrinsic{Op: cir.AtomicBegin, Name: cir.OneObject})
	defer f.emitLater(&cir.Intrinsic{Op: cir.AtomicEnd, Name: cir.OneObject})
	switch name {
	case "load":
		f.transfer(ps[1], ps[0].base, ps[0].align, ps[1])
	case "store":
		f.transfer(ps[0], ps[1].base, ps[1].align, ps[0])
	case "exchange":
		tmp := f.temp(t)
		f.transfer(tmp, ps[0].base, ps[0].align, tmp)
		f.transfer(ps[0], ps[1].base, ps[1].align, ps[0])
		f.transfer(ps[2], tmp.base, tmp.align, ps[2])
	case "compare_exchange":
		same := f.sameBytes(ps[0], ps[1], e.Site)
		yes, no, done := f.newBlock(), f.newBlock(), f.newBlock()
		f.terminate(&cir.Branch{Cond: same, Then: yes, Else: no})
		f.block = yes
		f.transfer(ps[0], ps[2].base, ps[2].align, ps[0])
		f.jump(done)
		f.block = no
		f.transfer(ps[1], ps[0].base, ps[0].align, ps[1])
		f.jump(done)
		return f.result(e, same), true
	}
	return val{}, true
}

// sameBytes compares two objects byte by byte, eight at once.
func (f *fn) sameBytes(a, b lval, site *tree.Site) cir.Value {
	size := a.t.Size
	if size > 4096 {
		refuse(site, "an atomic comparison of %d bytes", size)
	}
	var all cir.Value
	for at := int64(0); at < size; {
		n := int64(8)
		for n > size-at {
			n /= 2
		}
		it := &types.Type{Kind: types.Int, Bits: int(n) * 8, Size: n, Align: 1}
		x, y := f.load(a.at(at, it)), f.load(b.at(at, it))
		same := f.compare(cir.Eq, x.v, y.v)
		if all != nil {
			same = f.binary(cir.And, all, same)
		}
		all = same
		at += n
	}
	return all
}
