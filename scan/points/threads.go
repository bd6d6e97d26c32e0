package points

import (
	"comus/cir"
)

// findRoots collects the functions that threads begin with.
func (r *Result) findRoots(entries []*cir.Func) {
	for _, f := range entries {
		r.Roots = append(r.Roots, Root{Func: f})
	}
	places := map[*instance]int{}
	loops := map[*instance]bool{}
	var order []*instance
	for _, x := range r.a.order {
		for in, ys := range x.threads {
			for y := range ys {
				if places[y] == 0 {
					order = append(order, y)
				}
				places[y]++
				if r.repeats(x, in) {
					loops[y] = true
				}
			}
		}
	}
	for _, y := range order {
		r.Roots = append(r.Roots, Root{y.fn, y.ctx, places[y] > 1 || loops[y]})
	}
}

// repeats reports whether an instruction of an instance may be passed more than once in a run: it is
// in a cycle of its function, or the function is called from more than one place.
func (r *Result) repeats(x *instance, in cir.Instr) bool {
	seen := map[*instance]bool{}
	var visit func(x *instance, in cir.Instr) bool
	visit = func(x *instance, in cir.Instr) bool {
		if inCycle(x.fn, in) || seen[x] {
			return true
		}
		seen[x] = true
		defer delete(seen, x)
		n := 0
		for _, y := range r.a.order {
			for call, zs := range y.calls {
				if zs[x] {
					if n++; n > 1 || visit(y, call) {
						return true
					}
				}
			}
			for call, zs := range y.threads {
				if zs[x] {
					if n++; n > 1 || visit(y, call) {
						return true
					}
				}
			}
		}
		return false
	}
	return visit(x, in)
}

// inCycle reports whether control may come back to an instruction's block.
func inCycle(f *cir.Func, in cir.Instr) bool {
	var home *cir.Block
	for _, b := range f.Blocks {
		for _, x := range b.Instrs {
			if x == in {
				home = b
			}
		}
	}
	if home == nil {
		return true
	}
	seen := map[*cir.Block]bool{}
	work := []*cir.Block{home}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		again := false
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			again = again || to == home
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		})
		if again {
			return true
		}
	}
	return false
}

// findEscapes marks the objects that other threads may get the address of: globals, what
// threads are given, what is known outside, and what these hold the addresses of.
func (r *Result) findEscapes() {
	var work []*Object
	mark := func(o *Object) {
		if !o.Escaped && !o.IsFunc() {
			o.Escaped = true
			work = append(work, o)
		}
	}
	for _, o := range r.Objects {
		if o.Global != nil && !o.Global.ThreadLocal || o.External {
			mark(o)
		}
	}
	for _, x := range r.a.order {
		for in := range x.threads {
			for _, v := range in.Args {
				if n := r.a.value(x, v); n != nil {
					for l := range n.set {
						mark(l.Obj)
					}
				}
			}
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range o.cells {
			for l := range n.set {
				mark(l.Obj)
			}
		}
	}
}

// findAccesses notes which roots access which objects.
func (r *Result) findAccesses() {
	for i, root := range r.Roots {
		for _, x := range r.reach(root) {
			for _, b := range x.fn.Blocks {
				for _, in := range b.Instrs {
					r.accessed(x, in, i)
				}
			}
		}
	}
}

// reach returns the instances that a root's threads run.
func (r *Result) reach(root Root) []*instance {
	ctx := root.Ctx
	if !root.Func.Library && !r.a.wrappers[root.Func] {
		ctx = Context{}
	}
	first := r.a.instances[instanceKey{root.Func, ctx}]
	if first == nil {
		return nil
	}
	seen := map[*instance]bool{first: true}
	list := []*instance{first}
	for i := 0; i < len(list); i++ {
		for _, ys := range list[i].calls {
			for y := range ys {
				if !seen[y] {
					seen[y] = true
					list = append(list, y)
				}
			}
		}
	}
	return list
}

// accessed notes the objects that an instruction accesses.
func (r *Result) accessed(x *instance, in cir.Instr, root int) {
	for _, v := range addresses(in) {
		n := r.a.value(x, v)
		if n == nil {
			continue
		}
		for l := range n.set {
			if l.Obj.Accessed == nil {
				l.Obj.Accessed = map[int]bool{}
			}
			l.Obj.Accessed[root] = true
		}
	}
}

// addresses returns the operands through which an instruction accesses memory.
func addresses(in cir.Instr) []cir.Value {
	switch in := in.(type) {
	case *cir.Load:
		return []cir.Value{in.Addr}
	case *cir.Store:
		return []cir.Value{in.Addr}
	case *cir.RMW:
		return []cir.Value{in.Addr}
	case *cir.CmpXchg:
		return []cir.Value{in.Addr}
	case *cir.Copy:
		return []cir.Value{in.Dst, in.Src}
	case *cir.Fill:
		return []cir.Value{in.Dst}
	case *cir.VaStart:
		return []cir.Value{in.Ap}
	case *cir.VaArg:
		return []cir.Value{in.Ap, in.To}
	case *cir.VaCopy:
		return []cir.Value{in.Dst, in.Src}
	case *cir.Call:
		if in.To != nil {
			return []cir.Value{in.To}
		}
	case *cir.Intrinsic:
		switch in.Op {
		case cir.Lock, cir.Unlock, cir.HavocBytes, cir.HavocReachable, cir.Format, cir.Scan, cir.WriteOut, cir.ReadIn:
			return in.Args
		}
	}
	return nil
}

// Shared reports whether more than one thread may access an object.
func (r *Result) Shared(o *Object) bool {
	if o == nil || o.IsFunc() || !o.Escaped {
		return false
	}
	n := 0
	for i := range o.Accessed {
		n++
		if r.Roots[i].Many {
			n++
		}
	}
	return n > 1
}

// writes returns the operands through which an instruction writes memory.
func writes(in cir.Instr) []cir.Value {
	switch in := in.(type) {
	case *cir.Store:
		return []cir.Value{in.Addr}
	case *cir.RMW:
		return []cir.Value{in.Addr}
	case *cir.CmpXchg:
		return []cir.Value{in.Addr}
	case *cir.Copy:
		return []cir.Value{in.Dst}
	case *cir.Fill:
		return []cir.Value{in.Dst}
	case *cir.VaStart:
		return []cir.Value{in.Ap}
	case *cir.VaArg:
		return []cir.Value{in.Ap, in.To}
	case *cir.VaCopy:
		return []cir.Value{in.Dst}
	case *cir.Call:
		if in.To != nil {
			return []cir.Value{in.To}
		}
	case *cir.Intrinsic:
		switch in.Op {
		case cir.Lock, cir.Unlock, cir.HavocBytes, cir.HavocReachable, cir.Format, cir.ReadIn:
			return in.Args
		case cir.Scan: // through its variable arguments
			return in.Args
		}
	}
	return nil
}

// findWrites notes which objects are ever written, and by which instances.
func (r *Result) findWrites() {
	r.modifies = map[*instance]map[*Object]bool{}
	for _, x := range r.a.order {
		m := map[*Object]bool{}
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				r.writtenBy(x, in, m)
			}
		}
		for o := range m {
			o.Written = true
		}
		r.modifies[x] = m
	}
	// What is called is part of it.
	for changed := true; changed; {
		changed = false
		for _, x := range r.a.order {
			m := r.modifies[x]
			for _, ys := range x.calls {
				for y := range ys {
					for o := range r.modifies[y] {
						if !m[o] {
							m[o], changed = true, true
						}
					}
				}
			}
		}
	}
}

// writtenBy adds the objects that an instruction itself writes; an unknown function writes all that is known outside.
func (r *Result) writtenBy(x *instance, in cir.Instr, m map[*Object]bool) {
	for _, v := range writes(in) {
		if n := r.a.value(x, v); n != nil {
			for l := range n.set {
				m[l.Obj] = true
			}
		}
	}
	if i, ok := in.(*cir.Intrinsic); ok {
		r.livesBy(x, i, m)
	}
	if r.opaque(x, in) {
		for l := range r.a.cell(r.a.external, 0).set { // what may be known outside
			m[l.Obj] = true
		}
	}
}

// livesBy adds the objects whose lives an intrinsic begins or ends, and what a scanf may write.
func (r *Result) livesBy(x *instance, in *cir.Intrinsic, m map[*Object]bool) {
	switch in.Op {
	case cir.Alloc, cir.Resize:
		if o := r.a.objects[objectKey{in, x.ctx}]; o != nil {
			m[o] = true
		}
	}
	switch in.Op {
	case cir.Free, cir.Resize, cir.Scan:
		if n := r.a.value(x, in.Args[len(in.Args)-1]); in.Op == cir.Scan && n != nil {
			for l := range n.set {
				for _, h := range r.Held(l.Obj) {
					m[h.Obj] = true
				}
			}
		}
		if n := r.a.value(x, in.Args[0]); in.Op != cir.Scan && n != nil {
			for l := range n.set {
				m[l.Obj] = true
			}
		}
	}
}

// opaque reports whether an instruction may write whatever is known outside of the program.
func (r *Result) opaque(x *instance, in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Intrinsic:
		return in.Op == cir.HavocReachable
	case *cir.Call:
		if f, ok := in.Callee.(*cir.Func); ok {
			return len(f.Blocks) == 0 && in.Unknown != cir.Pure
		}
		return true
	}
	return false
}

// Modified adds to a set the objects that blocks of a function's copy may write, calls included.
func (r *Result) Modified(f *cir.Func, ctx Context, blocks []*cir.Block, m map[*Object]bool) {
	if !f.Library && !r.a.wrappers[f] {
		ctx = Context{}
	}
	x := r.a.instances[instanceKey{f, ctx}]
	if x == nil {
		return
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			r.writtenBy(x, in, m)
			if call, ok := in.(*cir.Call); ok {
				for y := range x.calls[call] {
					for o := range r.modifies[y] {
						m[o] = true
					}
				}
			}
		}
	}
}

// Access is how memory is accessed: a scalar of this type at an offset, reduced.
type Access struct {
	Off  int64
	Type cir.Type
	Bits cir.Bits // Width 0: not a bit-field
}

// noteAccess records how an instruction accesses objects.
func (r *Result) noteAccess(x *instance, addr cir.Value, acc cir.Access) {
	n := r.a.value(x, addr)
	if n == nil {
		return
	}
	for l := range n.set {
		if l.Obj.How == nil {
			l.Obj.How = map[Access]bool{}
		}
		a := Access{Off: l.Off, Type: acc.Type}
		if acc.Bits != nil {
			a.Bits = *acc.Bits
		}
		l.Obj.How[a] = true
	}
}

// findHow records how all memory is accessed.
func (r *Result) findHow() {
	for _, x := range r.a.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load:
					r.noteAccess(x, in.Addr, in.Access)
				case *cir.Store:
					r.noteAccess(x, in.Addr, in.Access)
				case *cir.RMW:
					r.noteAccess(x, in.Addr, in.Access)
				case *cir.CmpXchg:
					r.noteAccess(x, in.Addr, in.Access)
				case *cir.Copy:
					if in.Shape != nil {
						r.noteShape(x, in.Dst, in.Shape, 0)
						r.noteShape(x, in.Src, in.Shape, 0)
					}
				case *cir.Intrinsic:
					switch in.Op {
					case cir.Lock, cir.Unlock:
						r.noteAccess(x, in.Args[0], cir.Access{Type: cir.I32, Align: 4})
					case cir.Free, cir.Resize:
						r.noteFree(x, in.Args[0])
					}
				}
			}
		}
	}
}

// noteFree records that an object may be freed.
func (r *Result) noteFree(x *instance, p cir.Value) {
	if n := r.a.value(x, p); n != nil {
		for l := range n.set {
			l.Obj.Freed = true
		}
	}
}

// noteShape records the scalars of a struct that is copied.
func (r *Result) noteShape(x *instance, addr cir.Value, s *cir.Shape, off int64) {
	switch {
	case s.Elem != nil:
		r.noteShape(x, addr, s.Elem, off) // the others are like it
	case s.Union && len(s.Fields) > 0:
		return // no member is known to be the one
	case len(s.Fields) > 0:
		for _, f := range s.Fields {
			if f.Bits == nil {
				r.noteShape(x, addr, f.Shape, off+f.Offset)
			}
		}
	case s.Scalar.Kind != cir.None:
		n := r.a.value(x, addr)
		if n == nil {
			return
		}
		for l := range n.set {
			if l.Off == Any {
				continue
			}
			if l.Obj.How == nil {
				l.Obj.How = map[Access]bool{}
			}
			l.Obj.How[Access{Off: l.Obj.reduce(l.Off + off), Type: s.Scalar}] = true
		}
	}
}

// Creates reports whether blocks of a function's copy may create threads, calls included.
func (r *Result) Creates(f *cir.Func, ctx Context, blocks []*cir.Block) bool {
	if !f.Library && !r.a.wrappers[f] {
		ctx = Context{}
	}
	x := r.a.instances[instanceKey{f, ctx}]
	if x == nil {
		return false
	}
	for _, b := range blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Intrinsic:
				if in.Op == cir.ThreadCreate {
					return true
				}
			case *cir.Call:
				for y := range x.calls[in] {
					if r.creates(y) {
						return true
					}
				}
			}
		}
	}
	return false
}

// creates reports whether an instance may create threads.
func (r *Result) creates(x *instance) bool {
	if r.creating == nil {
		r.creating = map[*instance]bool{}
		for changed := true; changed; {
			changed = false
			for _, y := range r.a.order {
				if r.creating[y] {
					continue
				}
				is := len(y.threads) > 0
				for _, zs := range y.calls {
					for z := range zs {
						is = is || r.creating[z]
					}
				}
				if is {
					r.creating[y], changed = true, true
				}
			}
		}
	}
	return r.creating[x]
}
