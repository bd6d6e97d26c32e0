package lockset

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// phases tell what runs while there is only one thread, because none was created before.
type phases struct {
	pts *pointsto.Result
	// later are the copies that may be called when threads were created.
	later map[pointsto.Copy]bool
	// reached are the copies that may be called at all, as far as is known.
	reached map[pointsto.Copy]bool
	// calledBack are the functions that code outside of the program may call, and begins tells that one creates threads.
	calledBack []pointsto.Copy
	begins     bool
	// created are, of other copies that create threads, the instructions before which that may have been.
	created map[pointsto.Copy]map[cir.Instr]bool
}

// findPhases follows calls from where the program begins.
func findPhases(p *cir.Program, pts *pointsto.Result) *phases {
	ph := &phases{pts: pts, later: map[pointsto.Copy]bool{}, reached: map[pointsto.Copy]bool{}, calledBack: pts.KnownOutside(), created: map[pointsto.Copy]map[cir.Instr]bool{}}
	var work []pointsto.Copy
	push := func(c pointsto.Copy, later bool) {
		c = pts.Canonical(c)
		if again := later && !ph.later[c]; again || !ph.reached[c] {
			ph.later[c] = ph.later[c] || later
			ph.reached[c] = true
			work = append(work, c)
		}
	}
	for _, c := range ph.calledBack { // at any time
		push(c, true)
		ph.begins = ph.begins || pts.Creates(c.Func, c.Ctx, c.Func.Blocks)
	}
	began := false
	for i, root := range pts.Roots {
		c := pointsto.Copy{Func: root.Func, Ctx: root.Ctx}
		push(c, began || i > len(p.Constructors))
		began = began || ph.begins || pts.Creates(root.Func, root.Ctx, root.Func.Blocks)
	}
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		if !ph.later[c] && ph.created[c] == nil {
			ph.created[c] = ph.after(c)
		}
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					for _, y := range pts.Called(c, call) {
						push(y, !ph.Single(c, in))
					}
				}
			}
		}
		for _, y := range pts.Called(c, nil) {
			push(y, true)
		}
	}
	return ph
}

// Single reports whether an instruction of a copy is run only before the first thread is created.
func (ph *phases) Single(c pointsto.Copy, in cir.Instr) bool {
	return ph.reached[c] && !ph.later[c] && !ph.created[c][in]
}

// after returns the instructions of a copy before which it may have created threads.
func (ph *phases) after(c pointsto.Copy) map[cir.Instr]bool {
	out := map[cir.Instr]bool{}
	if !ph.begins && !ph.pts.Creates(c.Func, c.Ctx, c.Func.Blocks) {
		return out
	}
	begun := map[*cir.Block]bool{}
	var work []*cir.Block
	spread := func(b *cir.Block) {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !begun[to] {
				begun[to] = true
				work = append(work, to)
			}
		})
	}
	for _, b := range c.Func.Blocks {
		creating := false
		for _, in := range b.Instrs {
			i, ok := in.(*cir.Intrinsic)
			if ok && i.Op == cir.Setjmp { // a longjmp may lead back here
				begun[b] = true
				work = append(work, b)
			}
			if creating {
				out[in] = true
			}
			creating = creating || ph.creates(c, in)
		}
		if creating {
			spread(b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, in := range b.Instrs {
			out[in] = true
		}
		spread(b)
	}
	return out
}

// creates reports whether an instruction of a copy may create a thread; if code outside may do so by what it calls, any call may, as
// it is not told here which of them get there.
func (ph *phases) creates(c pointsto.Copy, in cir.Instr) bool {
	_, call := in.(*cir.Call)
	return ph.pts.MayCreate(c, in) || ph.begins && call
}
