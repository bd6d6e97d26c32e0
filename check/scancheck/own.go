package scancheck

import (
	"fmt"
	"slices"
	"strconv"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
)

// An object that a function allocated, or that is a local of its, is known to nobody else as long as its address is only used to access it, compared,
// moved by constants, and kept in locals that are followed: whatever else is done with it ends that. All that may hold the address
// has to have a name in terms of the object's base, so it ends where a name gets lost, too.

// allocators are the functions of the library that return a new object.
var allocators = map[string]bool{"malloc": true, "calloc": true, "aligned_alloc": true, "memalign": true}

// firstContents reports whether an access is the one by which calloc or realloc writes to the object that it is about to return: nobody else knows that one yet.
func firstContents(f *cir.Func, x *access) bool {
	if f.Library && x.write && !x.frees && inFile(f.Pos, []string{"strdup.c"}) {
		return true // its functions write to nothing but what they have allocated
	}
	if !f.Library || !x.write || x.frees || !inFile(f.Pos, []string{"malloc.c"}) {
		return false
	}
	if _, fills := x.in.(*cir.Fill); fills {
		return f.Source == "calloc"
	}
	k, ok := x.in.(*cir.Intrinsic)
	return ok && f.Source == "realloc" && k.Op == cir.Resize && k.Dst != nil && x.touch.ptr == cir.Value(k.Dst)
}

// forgotten reports whether a function of the library, or one with a contract, keeps and hands on nothing of what it is given as an argument.
func forgotten(call *cir.Call, f *cir.Func, i int) bool {
	if f.Library {
		k, ok := contract.Lookup(f.Source)
		return ok && k.Borrows(i)
	}
	if len(f.Blocks) > 0 {
		return false
	}
	k := contractOf(call, f)
	return k != nil && k.Borrows(i)
}

// borrowed returns which arguments of a call lead to objects that no other thread knows, and are forgotten when it returns, or are freed by it: nobody finds what is freed.
func borrowed(in cir.Located, s *state) []bool {
	call, ok := in.(*cir.Call)
	if !ok {
		return nil
	}
	f, direct := call.Callee.(*cir.Func)
	args := make([]bool, len(call.Args))
	for i, a := range call.Args {
		n, named := s.value(a.X)
		args[i] = direct && named && s.owned[n.Base]
		for j, b := range call.Args {
			args[i] = args[i] && (b.X != a.X || b.ByVal == nil && (forgotten(call, f, j) || f.Library && f.Source == "free"))
		}
	}
	return args
}

// argument returns which argument of a call a pointer is that an instruction of a copy accesses memory by: of the call itself, or, in the library, of the one
// that the copy is for; -1 if it is none.
func argument(c pointsto.Copy, in cir.Located, ptr cir.Value) int {
	call, ok := in.(*cir.Call)
	if c.Func.Library {
		call, ptr = c.Ctx.Call, c.Argument(ptr)
		ok = call != nil
	}
	if !ok || ptr == nil {
		return -1
	}
	return slices.IndexFunc(call.Args, func(a cir.Arg) bool { return a.X == ptr && a.ByVal == nil })
}

// ownLocals notes that nobody else knows the locals of a function that has just been called. Those that are followed need no note.
func (x *locks) ownLocals(s *state) {
	followed := x.followed(s.fn)
	for _, b := range s.fn.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return
			}
		}
	}
	for _, l := range s.fn.Locals {
		if !followed[l] {
			s.owned[fmt.Sprintf("local:%d", l.Index)] = true
		}
	}
}

// loses forgets the objects whose addresses an instruction may let out, or does something with that has no name.
func (x *locks) loses(in cir.Instr, s *state) {
	if len(s.owned) == 0 {
		return
	}
	switch in := in.(type) {
	case *cir.Load, *cir.Copy, *cir.Fill, *cir.Compare, *cir.LifeStart, *cir.LifeEnd, *cir.Assumption:
	case *cir.Store:
		if _, ok := x.cell(s.fn, in.Addr); !ok {
			s.lose(in.X)
		}
	case *cir.RMW:
		s.lose(in.X)
	case *cir.CmpXchg:
		s.lose(in.Expected)
		s.lose(in.New)
	case *cir.Offset, *cir.Convert:
		if _, ok := x.compute(in, s); !ok {
			cir.Operands(in, s.lose)
		}
	case *cir.Call:
		f, direct := in.Callee.(*cir.Func)
		if !direct || in.Dst != nil && in.Dst.Type.IsPointer() {
			cir.Operands(in, s.lose)
			return
		}
		for i, a := range in.Args {
			if a.ByVal != nil || !forgotten(in, f, i) {
				s.lose(a.X)
			}
		}
		if in.To != nil {
			s.lose(in.To)
		}
	case *cir.Intrinsic:
		if in.Op == cir.Setjmp {
			clear(s.owned)
		}
		cir.Operands(in, s.lose)
	default:
		cir.Operands(in, s.lose)
	}
}

// lose forgets that nobody else knows the object that an operand leads to.
func (s *state) lose(v cir.Value) {
	if n, ok := s.value(v); ok {
		delete(s.owned, n.Base)
	}
}

// stillOwned reports whether nobody else knows an object where control goes on at a block, and all its names go on.
func (x *locks) stillOwned(c *claim, s *state, b *cir.Block, args []cir.Value, base string) bool {
	if kind, of, at := cut(base); kind == "meet" && of == fmt.Sprint(b.Index) {
		l, err := strconv.Atoi(at)
		return err == nil && x.takesOver(c, s, args, l, base)
	}
	if !s.owned[base] {
		return false
	}
	for _, p := range b.Params {
		if fresh(p).Base == base {
			return false
		}
	}
	for _, v := range args {
		if n, ok := s.value(v); ok && n.Base == base {
			return false
		}
	}
	for l, n := range s.cells {
		if kept, ok := c.cells[l]; n.Base == base && (!ok || kept != n) {
			return false
		}
	}
	for r, n := range s.regs {
		if n.Base == base && x.crosses(s.fn)[r] {
			return false
		}
	}
	return true
}

// takesOver reports whether nobody else knows the object that a local holds where control goes on at a block, and which has a new name from there on: the local is null, or
// what it holds is owned, and has no other name that goes on.
func (x *locks) takesOver(c *claim, s *state, args []cir.Value, l int, as string) bool {
	n, known := s.cells[l]
	switch {
	case !known || n.Off != 0 || c.cells[l] != name{Base: as}:
		return false
	case n.Base == "":
		return true
	case !s.owned[n.Base]:
		return false
	}
	switch kind, of, _ := cut(n.Base); kind {
	case "meet":
	case "reg":
		if i, err := strconv.Atoi(of); err != nil || x.crosses(s.fn)[i] {
			return false
		}
	default: // it may be named without a local that holds it
		return false
	}
	for _, v := range args {
		if m, ok := s.value(v); ok && m.Base == n.Base {
			return false
		}
	}
	for k, m := range s.cells {
		if k != l && m.Base == n.Base {
			return false
		}
	}
	for r, m := range s.regs {
		if m.Base == n.Base && x.crosses(s.fn)[r] {
			return false
		}
	}
	return true
}

// crosses returns the registers of a function that are used in other blocks than the one that assigns them.
func (x *locks) crosses(f *cir.Func) map[int]bool {
	if m, known := x.crossing[f]; known {
		return m
	}
	home := map[int]*cir.Block{}
	for _, b := range f.Blocks {
		for _, r := range b.Params {
			home[r.Index] = b
		}
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				home[r.Index] = b
			}
		}
	}
	m := map[int]bool{}
	for _, b := range f.Blocks {
		use := func(v cir.Value) {
			if r, ok := v.(*cir.Reg); ok && home[r.Index] != b {
				m[r.Index] = true
			}
		}
		for _, in := range b.Instrs {
			cir.Operands(in, use)
		}
		cir.TermOperands(b.Term, use)
	}
	x.crossing[f] = m
	return m
}
