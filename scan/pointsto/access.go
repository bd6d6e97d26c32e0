package pointsto

import (
	"slices"
	"strings"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
)

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
		case cir.Lock, cir.Unlock, cir.HavocBytes, cir.HavocReachable, cir.Format, cir.ReadIn, cir.ReadLine:
			return in.Args
		case cir.Scan: // through its variable arguments
			return in.Args
		}
	}
	return nil
}

// findWrites notes which objects are ever written, and by which instances.
func (r *Result) findWrites() {
	r.modifies = map[*instance]*intsets.Sparse{}
	var written intsets.Sparse
	for _, x := range r.a.order {
		m := &intsets.Sparse{}
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				r.writtenBy(x, in, m)
			}
		}
		written.UnionWith(m)
		r.modifies[x] = m
	}
	for _, id := range written.AppendTo(nil) {
		r.a.all[id].Written = true
	}
	// What is called is part of it.
	work := slices.Clone(r.a.order)
	waits := map[*instance]bool{}
	for _, x := range work {
		waits[x] = true
	}
	callers := r.backCallers()
	for len(work) > 0 {
		y := work[len(work)-1]
		work = work[:len(work)-1]
		waits[y] = false
		wake := func(x *instance) {
			if r.modifies[x].UnionWith(r.modifies[y]) && !waits[x] {
				waits[x] = true
				work = append(work, x)
			}
		}
		for _, c := range r.callersOf()[y] {
			if _, is := c.in.(*cir.Call); is {
				wake(c.x)
			}
		}
		for _, x := range callers[y] {
			wake(x)
		}
	}
}

// writtenBy adds the objects that an instruction itself writes; an unknown function writes all that is known outside.
func (r *Result) writtenBy(x *instance, in cir.Instr, m *intsets.Sparse) {
	for _, v := range writes(in) {
		m.UnionWith(r.aim(r.a.value(x, v)))
	}
	if i, ok := in.(*cir.Intrinsic); ok {
		r.livesBy(x, i, m)
	}
	if c, ok := in.(*cir.Call); ok && c.Unknown == cir.Contract {
		if o := r.Object(nil, Context{}, Errno(r.a.prog)); o != nil {
			m.Insert(o.ID)
		}
	}
	if r.opaque(x, in) { // what may be known outside
		m.UnionWith(r.aim(r.a.cell(r.a.external, 0)))
		m.UnionWith(r.aim(r.a.given))
	}
}

// livesBy adds the objects whose lives an intrinsic begins or ends, and what a scanf, or a printf with %n, may write.
func (r *Result) livesBy(x *instance, in *cir.Intrinsic, m *intsets.Sparse) {
	switch in.Op {
	case cir.Alloc, cir.AllocAligned, cir.Resize:
		if o := r.a.objects[objectKey{in, x.ctx}]; o != nil {
			m.Insert(o.ID)
		}
	}
	switch in.Op {
	case cir.Free, cir.Resize:
		m.UnionWith(r.aim(r.a.value(x, in.Args[0])))
	case cir.Scan:
		r.listedBy(x, in, m)
	case cir.Print, cir.Format:
		if r.counts(x, in) {
			r.listedBy(x, in, m)
		}
	}
}

// listedBy adds the objects that the variable arguments of a printf or scanf point to.
func (r *Result) listedBy(x *instance, in *cir.Intrinsic, m *intsets.Sparse) {
	r.eachAim(r.a.value(x, in.Args[len(in.Args)-1]), func(o *Object) {
		for _, n := range o.cells {
			m.UnionWith(r.aim(n))
		}
	})
}

// Counts reports whether a Print or Format in a function's copy may store how much it has written so far, by %n: not if all formats that it may be
// given are of the program's text, and have none.
func (r *Result) Counts(f *cir.Func, ctx Context, in *cir.Intrinsic) bool {
	x := r.instance(f, ctx)
	return x == nil || r.counts(x, in)
}

func (r *Result) counts(x *instance, in *cir.Intrinsic) bool {
	some, plain := false, true
	r.eachAim(r.a.value(x, in.Args[len(in.Args)-2]), func(o *Object) {
		g := o.Global
		some = true
		plain = plain && g != nil && (g.Literal || g.Const) && !g.External && len(g.Relocs) == 0 && !countsIn(string(g.Data))
	})
	return !some || !plain
}

// countsIn reports whether a text has a %n, or a conversion that is not known.
func countsIn(text string) bool {
	for {
		_, behind, found := strings.Cut(text, "%")
		if !found {
			return false
		}
		text = strings.TrimLeft(behind, "-+ #0123456789.*'hlLqjztIwVv$")
		if text == "" {
			return false
		}
		if strings.IndexByte("diouxXeEfFgGaAcCp%msSbB\x00", text[0]) < 0 {
			return true
		}
		text = text[1:]
	}
}

// Errno returns the variable that errno is, which functions of the library write without being given its address; nil if the
// program does not use it.
func Errno(p *cir.Program) *cir.Global {
	i := slices.IndexFunc(p.Globals, func(g *cir.Global) bool { return g.Source == "errno" && g.ThreadLocal })
	if i < 0 {
		return nil
	}
	return p.Globals[i]
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
	x := r.instance(f, ctx)
	if x == nil {
		return
	}
	var all intsets.Sparse
	for _, b := range blocks {
		for _, in := range b.Instrs {
			r.writtenBy(x, in, &all)
			if call, ok := in.(*cir.Call); ok {
				for y := range r.gets(x, call) {
					all.UnionWith(r.modifies[y])
				}
			}
		}
	}
	for _, id := range all.AppendTo(nil) {
		m[r.a.all[id]] = true
	}
}

// Access is how memory is accessed: a scalar of this type at an offset, reduced.
type Access struct {
	Off  int64
	Type cir.Type
	Bits cir.Bits // Width 0: not a bit-field
}

// notedKey is an access of the locations of a node, or of any if that is nil.
type notedKey struct {
	n      *node
	a      Access
	copied bool
}

// noteAccess records how an instruction accesses objects.
func (r *Result) noteAccess(x *instance, addr cir.Value, acc cir.Access) {
	how := Access{Type: acc.Type}
	if acc.Bits != nil {
		how.Bits = *acc.Bits
	}
	r.note(r.a.value(x, addr), how, false)
}

// note keeps an access at an offset from all of a node's locations, as part of something that is copied or by itself.
func (r *Result) note(n *node, how Access, copied bool) {
	if n == nil {
		return
	}
	key := notedKey{a: how, copied: copied}
	if r.noted[key] == nil {
		r.noted[key] = &intsets.Sparse{}
	}
	r.noted[key].UnionWith(&find(n).set)
}

// recordNoted records the accesses that were kept.
func (r *Result) recordNoted() {
	for key, set := range r.noted {
		for _, id := range set.AppendTo(nil) {
			l, at := r.a.locs[id], key.a
			switch {
			case !l.holds(1):
				continue
			case l.Off != Any:
				at.Off = l.Obj.Reduce(l.Off + at.Off)
			case key.copied:
				continue
			default:
				at.Off = Any
			}
			if l.Obj.How == nil {
				l.Obj.How = map[Access]bool{}
			}
			l.Obj.How[at] = true
		}
	}
	r.noted = nil
}

// findHow records how all memory is accessed.
func (r *Result) findHow() {
	var copies []copyOf
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
					} else {
						copies = append(copies, copyOf{x, in})
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
	r.recordNoted()
	r.copyHow(copies)
}

// copyOf is a copy of bytes in an instance.
type copyOf struct {
	x  *instance
	in *cir.Copy
}

// copyHow takes it that memory which is only copied to and from holds what is copied there.
func (r *Result) copyHow(copies []copyOf) {
	bare := map[*Object]bool{}
	for _, o := range r.Objects {
		if o.Site != nil && len(o.How) == 0 {
			bare[o] = true
		}
	}
	for _, c := range copies {
		dst, src := r.a.value(c.x, c.in.Dst), r.a.value(c.x, c.in.Src)
		if dst == nil || src == nil {
			continue
		}
		for _, id := range find(dst).set.AppendTo(nil) {
			d := r.a.locs[id]
			if !bare[d.Obj] || d.Off == Any {
				continue
			}
			for _, id := range find(src).set.AppendTo(nil) {
				if r.a.locs[id].Obj == d.Obj {
					continue
				}
				r.a.locs[id].scalars(func(a Access) {
					if d.Obj.How == nil {
						d.Obj.How = map[Access]bool{}
					}
					a.Off += d.Off
					d.Obj.How[a] = true
				})
			}
		}
	}
}

// maxCopied bounds the parts of shapes that memory which is copied to takes over.
const maxCopied = 256

// scalars calls f for the scalars from a location on, with offsets from there.
func (l Location) scalars(f func(Access)) {
	s := l.Obj.Shape()
	if s == nil {
		for a := range l.Obj.How {
			if a.Off != Any && l.Off != Any && a.Off >= l.Off {
				a.Off -= l.Off
				f(a)
			}
		}
		return
	}
	off, n := max(l.Off, 0), 0
	var all func(s *cir.Shape, at int64)
	all = func(s *cir.Shape, at int64) {
		n++
		switch {
		case s.Elem != nil:
			for i := int64(0); i < max(s.Len, 1) && n < maxCopied; i++ {
				all(s.Elem, at+i*s.Elem.Size)
			}
		case len(s.Fields) > 0 && s.Union:
		case len(s.Fields) > 0:
			for i := range s.Fields {
				if x := &s.Fields[i]; x.Bits == nil {
					all(x.Shape, at+x.Offset)
				}
			}
		case s.Scalar.Kind != cir.None && at >= off:
			f(Access{Off: at - off, Type: s.Scalar})
		}
	}
	all(s, 0)
}

// noteFree records that an object may be freed.
func (r *Result) noteFree(x *instance, p cir.Value) {
	for _, l := range r.Aimed(x.fn, x.ctx, p, Aim{Frees: true}) {
		l.Obj.Freed = true
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
		r.note(r.a.value(x, addr), Access{Off: off, Type: s.Scalar}, true)
	}
}
