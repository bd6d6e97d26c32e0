package slice

import (
	"slices"

	"comus/cir"
)

// function is what is known of a function before something of it goes.
type function struct {
	*cir.Func
	fixed   bool         // it stays as it is
	taken   bool         // it may be called by others than direct calls
	quiet   bool         // what it calls neither locks, creates nor joins, nor is it unknown
	tallies bool         // it creates or joins threads itself: how many, may be noted anywhere
	slots   bool         // it finds addresses in arrays by numbers: how many there are, may be noted anywhere
	puts    bool         // it calls one that does so: the numbers of threads may be noted anywhere
	putsFor bool         // one that does so calls it: the numbers that it is given may be those of threads
	defs    []cir.Instr  // by register; nil: a parameter
	blocks  []*cir.Block // by register: of which block it is a parameter
	place   []int        // by register: of a parameter, its number
	plain   []bool       // by local: nobody takes its address
	stores  [][]*cir.Store
	into    map[*cir.Block][][]cir.Value // what a block's parameters get, edge by edge
	calls   []call                       // of it, direct ones

	needed  []bool // by register
	lives   []bool // by local
	returns bool   // its result is needed
	open    []cir.Term
	changed bool
}

// call is a direct call in a function.
type call struct {
	from *function
	in   *cir.Call
}

// findsAddress reports whether an instruction loads or stores an address that is an element of an array.
func (x *function) findsAddress(in cir.Instr) bool {
	var at cir.Value
	switch in := in.(type) {
	case *cir.Load:
		if in.Type.IsPointer() {
			at = in.Addr
		}
	case *cir.Store:
		if in.Type.IsPointer() {
			at = in.Addr
		}
	}
	o, ok := x.defined(at).(*cir.Offset)
	if !ok {
		return false
	}
	_, ok = o.Index.(*cir.Reg)
	return ok
}

// read collects what is known of a function by looking at it alone.
func read(f *cir.Func) *function {
	x := &function{Func: f, defs: make([]cir.Instr, f.NumRegs), blocks: make([]*cir.Block, f.NumRegs), place: make([]int, f.NumRegs),
		plain: make([]bool, len(f.Locals)), stores: make([][]*cir.Store, len(f.Locals)), into: map[*cir.Block][][]cir.Value{},
		needed: make([]bool, f.NumRegs), lives: make([]bool, len(f.Locals)), fixed: f.Library || f.Atomic || len(f.Blocks) == 0}
	for i := range x.plain {
		x.plain[i] = true
	}
	taken := func(v cir.Value) {
		switch v := v.(type) {
		case *cir.Local:
			x.plain[v.Index] = false
		case *cir.Block: // goto *
			x.fixed = true
		}
	}
	for i, p := range f.Params {
		x.place[p.Reg.Index] = i
	}
	for _, b := range f.Blocks {
		for i, r := range b.Params {
			x.blocks[r.Index], x.place[r.Index] = b, i
		}
		for _, in := range b.Instrs {
			x.note(in, taken)
			x.tallies = x.tallies || startsOrEnds(in)
			x.slots = x.slots || x.findsAddress(in)
			for _, r := range cir.Results(in) {
				x.defs[r.Index] = in
			}
		}
		cir.TermOperands(b.Term, taken)
		cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
			if len(to.Params) > 0 {
				x.into[to] = append(x.into[to], args)
			}
		})
		if _, ok := b.Term.(*cir.IndirectJump); ok {
			x.fixed = true
		}
	}
	return x
}

// note looks at an instruction.
func (x *function) note(in cir.Instr, taken func(cir.Value)) {
	access := func(addr cir.Value, a cir.Access) {
		if l, ok := addr.(*cir.Local); ok && (a.Bits != nil || a.Volatile || a.Order != cir.Plain) {
			taken(l)
		}
	}
	switch in := in.(type) {
	case *cir.Load:
		access(in.Addr, in.Access)
	case *cir.Store:
		taken(in.X)
		access(in.Addr, in.Access)
		if l, ok := in.Addr.(*cir.Local); ok {
			x.stores[l.Index] = append(x.stores[l.Index], in)
		}
	case *cir.LifeStart, *cir.LifeEnd:
	case *cir.Intrinsic:
		x.fixed = x.fixed || in.Op == cir.Setjmp || in.Op == cir.Longjmp
		cir.Operands(in, taken)
	default:
		cir.Operands(in, taken)
	}
}

// local returns the local that an address is, if nobody takes its address otherwise.
func (x *function) local(addr cir.Value) *cir.Local {
	if l, ok := addr.(*cir.Local); ok && x.plain[l.Index] {
		return l
	}
	return nil
}

// computes reports whether an instruction does nothing but compute its results.
func (x *function) computes(in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Unary, *cir.Binary, *cir.Overflow, *cir.Compare, *cir.Convert, *cir.Bitcast, *cir.Select, *cir.Offset, *cir.Distance:
		return true
	case *cir.Load:
		return x.local(in.Addr) != nil
	}
	return false
}

// base returns what an address is a distance from.
func (x *function) base(v cir.Value) cir.Value {
	for range 100 {
		r, ok := v.(*cir.Reg)
		if !ok {
			return v
		}
		switch in := x.defs[r.Index].(type) {
		case *cir.Offset:
			v = in.P
		case *cir.Convert:
			v = in.X
		default:
			return v
		}
	}
	return v
}

// isNumber reports whether a type is one of numbers.
func isNumber(t cir.Type) bool { return t.IsInt() || t.IsFloat() }

// startsOrEnds reports whether an instruction is a call that creates a thread, or waits for the end of one.
func startsOrEnds(in cir.Instr) bool {
	call, ok := in.(*cir.Call)
	if !ok {
		return false
	}
	f, ok := call.Callee.(*cir.Func)
	return ok && f.Library && slices.Contains([]string{"pthread_create", "pthread_join", "thrd_create", "thrd_join"}, f.Source)
}

// ofParam reports whether a number is a parameter of the function, but for constants.
func (x *function) ofParam(v cir.Value) bool {
	for range 10 {
		r, ok := v.(*cir.Reg)
		if !ok {
			return false
		}
		switch in := x.defs[r.Index].(type) {
		case nil:
			return x.blocks[r.Index] == nil
		case *cir.Convert:
			v = in.X
		case *cir.Binary:
			if _, isConst := in.Y.(cir.Int); !isConst {
				return false
			}
			v = in.X
		case *cir.Load:
			l := x.local(in.Addr)
			if l == nil || len(x.stores[l.Index]) != 1 {
				return false
			}
			v = x.stores[l.Index][0].X
		default:
			return false
		}
	}
	return false
}
