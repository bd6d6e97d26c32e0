package values

import (
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
	"comus/scan/pointsto"
)

// touched calls f with the operands that an instruction accesses memory through. deep tells that it is what is stored there that is
// accessed: the variable arguments of formatted input and output.
func touched(in cir.Instr, f func(v cir.Value, writes, deep bool)) {
	switch in := in.(type) {
	case *cir.Load:
		f(in.Addr, false, false)
	case *cir.Store:
		f(in.Addr, true, false)
	case *cir.RMW:
		f(in.Addr, true, false)
	case *cir.CmpXchg:
		f(in.Addr, true, false)
	case *cir.Copy:
		f(in.Dst, true, false)
		f(in.Src, false, false)
	case *cir.Fill:
		f(in.Dst, true, false)
	case *cir.VaStart:
		f(in.Ap, true, false)
	case *cir.VaArg:
		f(in.Ap, true, false)
		if in.To != nil {
			f(in.To, true, false)
		}
	case *cir.VaCopy:
		f(in.Dst, true, false)
		f(in.Src, false, false)
	case *cir.Call:
		if in.To != nil {
			f(in.To, true, false)
		}
		for _, x := range in.Args {
			if x.ByVal != nil {
				f(x.X, false, false)
			}
		}
	case *cir.Intrinsic:
		touchedBy(in, f)
	}
}

func touchedBy(in *cir.Intrinsic, f func(v cir.Value, writes, deep bool)) {
	switch in.Op {
	case cir.Lock, cir.Unlock, cir.HavocBytes, cir.HavocReachable, cir.ReadIn, cir.ReadLine, cir.Resize:
		f(in.Args[0], true, false)
	case cir.Format:
		f(in.Args[0], true, false)
		f(in.Args[len(in.Args)-1], true, true)
	case cir.Print, cir.Scan:
		f(in.Args[len(in.Args)-1], true, true)
	case cir.StrtoD, cir.WriteOut:
		for _, v := range in.Args {
			f(v, false, false)
		}
	}
}

// findEffects finds the cells that copies of functions access and change, those of what they call included.
func (a *analysis) findEffects() {
	for _, o := range a.pts.Objects {
		if o.Local == nil {
			continue
		}
		if c := a.codes[codeKey{o.Func, o.Ctx}]; c != nil {
			for _, x := range a.mem.list(o) {
				c.locals = append(c.locals, x.key)
			}
		}
	}
	for _, c := range a.order {
		for _, b := range c.f.Blocks {
			for _, in := range b.Instrs {
				a.findLock(c, in)
				if call, ok := in.(*cir.Call); ok && a.called && a.unknown(c, call) {
					a.calledBackBy(c)
				}
				touched(in, func(v cir.Value, writes, deep bool) { a.effect(c, v, writes, deep) })
			}
			if t, ok := b.Term.(*cir.Return); ok && t.X != nil && c.f.Result.Shape != nil {
				a.effect(c, t.X, false, false)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(a.order) - 1; i >= 0; i-- {
			c := a.order[i]
			for _, ds := range c.calls {
				for _, d := range ds {
					changed = c.accessed.UnionWith(&d.accessed) || changed
					changed = c.modified.UnionWith(&d.modified) || changed
					if d.creates && !c.creates || d.locks && !c.locks {
						c.creates, c.locks, changed = c.creates || d.creates, c.locks || d.locks, true
					}
				}
			}
		}
	}
	a.locks = a.locks.set(depth, Value{})
	a.findFreed()
	for _, c := range a.order {
		c.keys, c.changes = treeOf(&c.accessed).union(a.locks), treeOf(&c.modified)
		if c.locks {
			c.changes = c.changes.union(a.locks)
		}
	}
}

// calledBackBy notes that a call may change the variables that each thread has its own of, and which locks are held, by what it calls back.
func (a *analysis) calledBackBy(c *code) {
	c.locks = true
	for _, x := range a.mem.cells {
		if threadLocal(x) {
			c.accessed.Insert(int(x.key))
			c.modified.Insert(int(x.key))
		}
	}
}

// findFreed finds the locks that functions may give back which code outside of the program calls.
func (a *analysis) findFreed() {
	var work []*code
	for _, r := range a.pts.Roots {
		if a.calledBack(r) {
			work = append(work, a.reach(r.Func, r.Ctx))
		}
	}
	seen := map[*code]bool{}
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[c] {
			continue
		}
		seen[c] = true
		for _, ds := range c.calls {
			work = append(work, ds...)
		}
		for _, b := range c.f.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Unlock {
					for _, l := range a.aims(c, i.Args[0]) {
						for _, x := range a.mem.list(l.Obj) {
							a.freed = a.freed.set(heldBy(x), Value{})
						}
					}
				}
			}
		}
	}
}

// unknown reports whether a call may get to code outside of the program.
func (a *analysis) unknown(c *code, in *cir.Call) bool {
	for _, g := range a.pts.Callees(c.f, c.ctx, in) {
		if len(g.Blocks) == 0 {
			return true
		}
	}
	return slices.ContainsFunc(a.aims(c, in.Callee), func(l pointsto.Location) bool { return l.Obj.External })
}

// findLock notes what an instruction has to do with locks.
func (a *analysis) findLock(c *code, in cir.Instr) {
	i, ok := in.(*cir.Intrinsic)
	if !ok {
		return
	}
	switch i.Op {
	case cir.AtomicBegin, cir.AtomicEnd:
		c.locks = true
	case cir.Lock, cir.Unlock:
		c.locks = true
		for _, l := range a.aims(c, i.Args[0]) {
			// A lock that each activation or each thread has one of keeps nobody else out.
			if x := a.mem.cellAt(l, 4); x != nil && !x.many && a.pts.Once(x.obj) {
				x.lock = true
				a.locks = a.locks.set(heldBy(x), Value{})
			}
		}
	}
}

// treeOf returns the keys of a set, as a tree.
func treeOf(set *intsets.Sparse) *state { return keysOf(set.AppendTo(nil)) }

// effect notes an access.
func (a *analysis) effect(c *code, v cir.Value, writes, deep bool) {
	ls := a.aims(c, v)
	if deep {
		ls = a.behind(ls)
	}
	for _, l := range ls {
		for _, x := range a.mem.list(l.Obj) {
			c.accessed.Insert(int(x.key))
			if writes {
				c.modified.Insert(int(x.key))
			}
		}
	}
}

// behind returns what the variable arguments that are found at some locations point to.
func (a *analysis) behind(ls []pointsto.Location) (all []pointsto.Location) {
	for _, l := range ls {
		all = append(all, a.pts.Held(l.Obj)...)
	}
	return all
}
