package scancheck

import (
	"path/filepath"
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
)

// span tells how far an access goes.
type span uint8

const (
	from     span = iota // size bytes from the pointer on; size -1: not known
	whole1               // all of the object
	listed               // what the object, a va_list, holds pointers to
	reaching             // all that can be reached
)

// touch is an access of what a pointer points to.
type touch struct {
	ptr    cir.Value
	size   int64
	span   span
	write  bool
	frees  bool
	atomic bool
	scalar bool
	plain  cir.Type // of a load or store of a scalar by the program's own code; None: of something else, or by characters
	bits   *cir.Bits
	beyond bool // by a function that nothing is known of, which the library may call
}

// touches returns what an instruction of a copy itself accesses.
func (p *program) touches(in cir.Located, c pointsto.Copy) (ts []touch) {
	one := func(v cir.Value, a cir.Access, write bool) []touch {
		return []touch{{ptr: v, plain: p.plain(in, a, c.Func), size: p.prog.Model.SizeOf(a.Type), write: write, atomic: a.Order != cir.Plain, scalar: a.Bits == nil, bits: a.Bits}}
	}
	switch in := in.(type) {
	case *cir.Load:
		return one(in.Addr, in.Access, false)
	case *cir.Store:
		return one(in.Addr, in.Access, true)
	case *cir.RMW:
		return one(in.Addr, in.Access, true)
	case *cir.CmpXchg:
		return one(in.Addr, in.Access, true)
	case *cir.Copy:
		n := c.Given(in.Size)
		return []touch{{ptr: in.Src, size: n}, {ptr: in.Dst, size: n, write: true}}
	case *cir.Fill:
		return []touch{{ptr: in.Dst, size: c.Given(in.Size), write: true}}
	case *cir.VaStart:
		return []touch{{ptr: in.Ap, span: whole1, write: true}}
	case *cir.VaArg:
		ts = []touch{{ptr: in.Ap, span: whole1, write: true}}
		if in.To != nil {
			ts = append(ts, touch{ptr: in.To, size: in.Shape.Size, write: true})
		}
		return ts
	case *cir.VaCopy:
		return []touch{{ptr: in.Dst, span: whole1, write: true}, {ptr: in.Src, span: whole1}}
	case *cir.Call:
		for _, a := range in.Args {
			if a.ByVal != nil {
				ts = append(ts, touch{ptr: a.X, size: a.ByVal.Size})
			}
		}
		if in.To != nil && in.Result.Shape != nil {
			ts = append(ts, touch{ptr: in.To, size: in.Result.Shape.Size, write: true})
		}
	case *cir.Return:
		if in.X != nil && c.Func.Result.Shape != nil {
			ts = []touch{{ptr: in.X, size: c.Func.Result.Shape.Size}}
		}
	case *cir.Intrinsic:
		return ofIntrinsic(in, c)
	}
	return ts
}

// plain returns the type of a load or store, if the object that it goes to has to have it where effective types are assumed: atomic operations and bit-fields, single
// bytes and what the library does may go to any.
func (p *program) plain(in cir.Located, a cir.Access, f *cir.Func) cir.Type {
	switch in.(type) {
	case *cir.Load, *cir.Store:
	default:
		return cir.Type{}
	}
	if f.Library || a.Order != cir.Plain || a.Bits != nil || p.prog.Model.SizeOf(a.Type) == 1 {
		return cir.Type{}
	}
	return cir.Type{Kind: a.Type.Kind, Bits: a.Type.Bits}
}

func ofIntrinsic(in *cir.Intrinsic, c pointsto.Copy) []touch {
	read := func(i int) touch { return touch{ptr: in.Args[i], size: -1} }
	wr := func(i, n int) touch { return touch{ptr: in.Args[i], size: c.Given(in.Args[n]), write: true} }
	switch in.Op {
	case cir.Free:
		return []touch{{ptr: in.Args[0], span: whole1, write: true, frees: true}}
	case cir.Resize: // it ends one object, and writes what that held to the one that it returns
		ts := []touch{{ptr: in.Args[0], span: whole1, write: true, frees: true}}
		if in.Dst != nil {
			ts = append(ts, touch{ptr: in.Dst, span: whole1, write: true})
		}
		return ts
	case cir.Lock, cir.Unlock:
		return []touch{{ptr: in.Args[0], size: 4, write: true, atomic: true}}
	case cir.HavocBytes, cir.ReadIn, cir.ReadLine:
		return []touch{wr(0, 1)}
	case cir.WriteOut:
		return []touch{{ptr: in.Args[1], size: c.Given(in.Args[2])}}
	case cir.HavocReachable:
		return []touch{{ptr: in.Args[0], span: reaching, write: true}}
	case cir.Print:
		return []touch{read(1), {ptr: in.Args[2], span: listed, write: stores(in.Args[1])}}
	case cir.Format:
		return []touch{wr(0, 1), read(2), {ptr: in.Args[3], span: listed, write: stores(in.Args[2])}}
	case cir.Scan:
		return []touch{read(0), read(1), {ptr: in.Args[2], span: listed, write: true}}
	case cir.StrtoD:
		return []touch{read(0)}
	case cir.Setjmp:
		return []touch{{ptr: in.Args[0], span: whole1, write: true}}
	case cir.Longjmp:
		return []touch{{ptr: in.Args[0], span: whole1}}
	}
	return nil
}

// stores reports whether a format may have a %n; that of a format which is no operand is looked up by formats.
func stores(format cir.Value) bool {
	g, ok := format.(*cir.Global)
	return !ok || !g.Literal || mayStore(string(g.Data))
}

func mayStore(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		for i++; i < len(text) && strings.IndexByte("-+ #0123456789.*'hlLqjztIwVv$", text[i]) >= 0; i++ {
		}
		if i < len(text) && strings.IndexByte("diouxXeEfFgGaAcCp%msS", text[i]) < 0 {
			return true
		}
	}
	return false
}

// formats settles whether the listed access of a printf in a copy writes: its formats are literals without %n.
func (p *program) formats(c pointsto.Copy, in cir.Located, ts []touch) {
	i, ok := in.(*cir.Intrinsic)
	if !ok || i.Op != cir.Print && i.Op != cir.Format {
		return
	}
	format := i.Args[1]
	if i.Op == cir.Format {
		format = i.Args[2]
	}
	to := p.pts.Places(c.Func, c.Ctx, format)
	plain := len(to) > 0
	for _, l := range to {
		g := l.Obj.Global
		plain = plain && g != nil && (g.Literal || g.Const) && !g.External && len(g.Relocs) == 0 && !mayStore(string(g.Data))
	}
	ts[len(ts)-1].write = !plain
}

// outside returns what code outside of the program may access when a copy calls it: all that can be reached from what it is given, which it
// may write unless its contract says otherwise.
func (p *program) outside(c pointsto.Copy, call *cir.Call) (ts []touch) {
	for _, f := range p.pts.Callees(c.Func, c.Ctx, call) {
		if len(f.Blocks) > 0 || call.Unknown == cir.Pure || f.Unknown == cir.Pure {
			continue
		}
		k := contractOf(call, f)
		for i, a := range call.Args {
			if write, any := given(k, call, i); any {
				ts = append(ts, touch{ptr: a.X, span: reachOf(k, i), write: write, beyond: k == nil})
			}
		}
		if call.Dst != nil && call.Dst.Type.IsPointer() && k != nil && slices.ContainsFunc(k.Results, func(v contract.Value) bool { return v.Kind == contract.Static || v.Kind == contract.Into }) {
			ts = append(ts, touch{ptr: call.Dst, span: whole1, write: true})
		}
	}
	unknown := false
	if _, direct := call.Callee.(*cir.Func); !direct {
		for _, l := range p.pts.Places(c.Func, c.Ctx, call.Callee) {
			unknown = unknown || l.Obj.External
		}
	}
	if unknown {
		for _, a := range call.Args {
			ts = append(ts, touch{ptr: a.X, span: reaching, write: true, beyond: true})
		}
	}
	return ts
}

// reachOf tells how far a function with a contract, nil if there is none, goes from its i-th argument: not beyond the object, if the contract says so.
func reachOf(k *contract.Function, i int) span {
	if k == nil || !k.Borrows(i) {
		return reaching
	}
	q := k.Argument(i)
	if q == nil {
		return whole1
	}
	for _, a := range q.Accesses {
		if len(a.Extent) == 0 || slices.ContainsFunc(a.Extent, func(l contract.Limit) bool { return l.Kind == contract.Below || l.Kind == contract.Deep }) {
			return reaching
		}
	}
	return whole1
}

// given reports whether a function with a contract, nil if there is none, may write what the i-th argument of a call leads to, and whether it may access it at all.
func given(k *contract.Function, call *cir.Call, i int) (write, any bool) {
	if k == nil {
		return true, true
	}
	q := k.Argument(i)
	if q == nil { // a format speaks of it
		for n, p := range k.Params {
			if p.Format == contract.Printf && n < len(call.Args) {
				return stores(call.Args[n].X), true
			}
		}
	}
	if q == nil || q.VaList || q.Frees || q.FreesBelow {
		return true, true
	}
	if q.Handle != "" {
		return false, false
	}
	any = q.Format != contract.NoFormat || len(q.Accesses)+len(q.Retains) > 0
	for _, a := range q.Accesses {
		write = write || a.Writes
	}
	for _, x := range q.Retains {
		for _, a := range x.Accesses {
			write = write || a.Writes
		}
	}
	return write, any
}

// What counts of the library's accesses is a definition, the same as for single questions: what it synchronises by is atomic, what is
// its own is none of the program's. It goes by the files of the models.
var (
	syncFiles  = []string{"pthread", "semaphore", "threads.c"}
	quietFiles = append(slices.Clone(syncFiles), "exit.c", "malloc.c")
	safeFiles  = append(slices.Clone(quietFiles), "process.c", "sched.c", "signal.c", "stdio", "unistd")
	blockFiles = []string{"pthread.c", "pthread_cancel", "pthread_cleanup", "pthread_key", "threads.c"}
	writeOnly  = []string{"sem_getvalue", "pthread_setcancelstate", "pthread_setcanceltype", "pthread_mutex_getprioceiling", "pthread_mutex_setprioceiling"}
	likeOthers = []string{"pthread_create", "__comus_thread_begin", "end_join", "pthread_key_create", "thrd_create", "thrd_join", "tss_create", "free", "calloc", "realloc", "posix_memalign"}
)

func inFile(pos cir.Pos, files []string) bool {
	n := filepath.Base(pos.File)
	return !strings.Contains(n, "attr") && slices.ContainsFunc(files, func(s string) bool { return strings.HasPrefix(n, s) })
}

// counts tells whether an access by a function of the library counts, and whether it counts as an atomic one.
func counts(f *cir.Func, t *touch) (yes, atomic bool) {
	write := t.write
	if !f.Library || t.beyond {
		return true, false
	}
	only := slices.Contains(writeOnly, f.Source)
	quiet := !only && !slices.Contains(likeOthers, f.Source) && !strings.Contains(f.Source, "attr") && inFile(f.Pos, quietFiles)
	switch {
	case quiet && inFile(f.Pos, blockFiles):
		return false, false
	case inFile(f.Pos, syncFiles) && (quiet || only && !write):
		return true, true
	}
	return !quiet, false
}

// librarys reports whether an object is the library's own when one of its functions accesses it.
func librarys(o *pointsto.Object, f *cir.Func) bool {
	if o.Global != nil {
		clocks := o.Global.Source == "shown" && filepath.Base(o.Global.Pos.File) == "time.c" // its file has others, too, that programs get the addresses of
		return o.Global.Library && (clocks || inFile(o.Global.Pos, safeFiles))
	}
	if !f.Library || o.Func == nil || !o.Func.Library {
		return false
	}
	return o.Local != nil || o.Site != nil && (inFile(o.Func.Pos, syncFiles) || o.Func.Source == "new_file")
}
