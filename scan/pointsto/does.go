package pointsto

import "comus/cir"

// Creates reports whether blocks of a function's copy may create threads, calls included.
func (r *Result) Creates(f *cir.Func, ctx Context, blocks []*cir.Block) bool {
	return r.does(cir.ThreadCreate, f, ctx, blocks)
}

// Joins reports whether blocks of a function's copy may wait for the end of threads, calls included.
func (r *Result) Joins(f *cir.Func, ctx Context, blocks []*cir.Block) bool {
	return r.does(cir.ThreadJoined, f, ctx, blocks)
}

// does reports whether blocks of a function's copy may run an intrinsic, calls included.
func (r *Result) does(op cir.IntrinsicOp, f *cir.Func, ctx Context, blocks []*cir.Block) bool {
	x := r.instance(f, ctx)
	if x == nil {
		return false
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Intrinsic:
				if in.Op == op {
					return true
				}
			case *cir.Call:
				for y := range r.gets(x, in) {
					if r.doing(op)[y] {
						return true
					}
				}
			}
		}
	}
	return false
}

// doing returns the instances that may run an intrinsic, calls included.
func (r *Result) doing(op cir.IntrinsicOp) map[*instance]bool {
	if does := r.done[op]; does != nil {
		return does
	}
	does := map[*instance]bool{}
	for _, x := range r.a.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				if in, ok := in.(*cir.Intrinsic); ok && in.Op == op {
					does[x] = true
				}
			}
		}
	}
	callers := r.backCallers()
	for changed := true; changed; {
		changed = false
		for _, x := range r.a.order {
			for _, ys := range x.calls {
				for y := range ys {
					if does[y] && !does[x] {
						does[x], changed = true, true
					}
				}
			}
		}
		for y, xs := range callers {
			for _, x := range xs {
				if does[y] && !does[x] {
					does[x], changed = true, true
				}
			}
		}
	}
	if r.done == nil {
		r.done = map[cir.IntrinsicOp]map[*instance]bool{}
	}
	r.done[op] = does
	return does
}
