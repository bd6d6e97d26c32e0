package build

import (
	"comus/cfront/tree"
	"comus/cir"
)

// The addresses of labels, &&label, are numbers: pointers to no object, in a part of the address space where
// no object lies. goto *x is a switch over those of the function. So they may be stored,
// compared and subtracted (static tables of distances), and each way ends and begins the lives that
// it leaves and enters.

// labelAddr is &&label.
func (u *unit) labelAddr(l *tree.Label) cir.Null {
	id, ok := u.labels[l]
	if !ok {
		id = uint64(len(u.labels) + 1)
		u.labels[l] = id
	}
	// Not in the half of the address space that programs have.
	return cir.Null{Addr: u.wrapAddress(0xfffffffffff00000 + id*16)}
}

// gotoPtr builds goto *x.
func (f *fn) gotoPtr(s *tree.GotoPtr) {
	f.fullExpr(s.X)
	x := f.convert(f.scalarOf(s.X), f.u.model.Size())
	f.endTemps(f.takeTemps())
	sw := &cir.Switch{X: x}
	f.gotoPtrs = append(f.gotoPtrs, computedGoto{sw, f.scope, f.site})
	f.end(sw)
}

// computedGoto is a goto *x.
type computedGoto struct {
	sw    *cir.Switch
	scope *scope
	site  *cir.Site
}

// fixComputed gives the computed jumps their cases: all labels whose address is taken.
func (f *fn) fixComputed() {
	for _, c := range f.gotoPtrs {
		f.scope, f.site = c.scope, c.site
		for _, l := range f.targets {
			n := cir.Int{Type: f.u.model.Size(), Lo: f.u.labelAddr(l).Addr}
			c.sw.Cases = append(c.sw.Cases, cir.Case{Lo: n, Hi: n, To: f.edge(l)})
		}
		f.block = f.newBlock()
		c.sw.Default = f.block
		f.terminate(&cir.Unreachable{Why: "a jump to what is no label of the function"})
	}
}
