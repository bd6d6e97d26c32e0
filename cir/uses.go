package cir

// Operands calls f with each operand of an instruction.
func Operands(i Instr, f func(Value)) {
	for _, p := range operandsOf(i) {
		if *p != nil {
			f(*p)
		}
	}
	switch i := i.(type) {
	case *Call:
		for _, a := range i.Args {
			f(a.X)
		}
	case *Intrinsic:
		for _, a := range i.Args {
			f(a)
		}
	}
}

// Rewrite puts what f makes of it in the place of each operand of an instruction.
func Rewrite(i Instr, f func(Value) Value) {
	for _, p := range operandsOf(i) {
		if *p != nil {
			*p = f(*p)
		}
	}
	switch i := i.(type) {
	case *Call:
		for k := range i.Args {
			i.Args[k].X = f(i.Args[k].X)
		}
	case *Intrinsic:
		for k := range i.Args {
			i.Args[k] = f(i.Args[k])
		}
	}
}

// operandsOf returns where the operands are that are no lists.
func operandsOf(i Instr) []*Value {
	switch i := i.(type) {
	case *Unary:
		return []*Value{&i.X}
	case *Binary:
		return []*Value{&i.X, &i.Y}
	case *Overflow:
		return []*Value{&i.X, &i.Y}
	case *Compare:
		return []*Value{&i.X, &i.Y}
	case *Convert:
		return []*Value{&i.X}
	case *Bitcast:
		return []*Value{&i.X}
	case *Select:
		return []*Value{&i.Cond, &i.X, &i.Y}
	case *Offset:
		return []*Value{&i.P, &i.Index}
	case *Distance:
		return []*Value{&i.X, &i.Y}
	case *Load:
		return []*Value{&i.Addr}
	case *Store:
		return []*Value{&i.Addr, &i.X}
	case *Copy:
		return []*Value{&i.Dst, &i.Src, &i.Size}
	case *Fill:
		return []*Value{&i.Dst, &i.Byte, &i.Size}
	case *RMW:
		return []*Value{&i.Addr, &i.X}
	case *CmpXchg:
		return []*Value{&i.Addr, &i.Expected, &i.New}
	case *Call:
		return []*Value{&i.Callee, &i.To}
	case *VaStart:
		return []*Value{&i.Ap}
	case *VaArg:
		return []*Value{&i.Ap, &i.To}
	case *VaCopy:
		return []*Value{&i.Dst, &i.Src}
	case *VaEnd:
		return []*Value{&i.Ap}
	case *Alloca:
		return []*Value{&i.Size}
	case *StackRestore:
		return []*Value{&i.Mark}
	}
	return nil
}

// TermOperands calls f with each operand of a terminator.
func TermOperands(t Term, f func(Value)) {
	all := func(vs []Value) {
		for _, v := range vs {
			f(v)
		}
	}
	switch t := t.(type) {
	case *Jump:
		all(t.Args)
	case *Branch:
		f(t.Cond)
		all(t.ThenArgs)
		all(t.ElseArgs)
	case *Switch:
		f(t.X)
	case *IndirectJump:
		f(t.X)
	case *Return:
		if t.X != nil {
			f(t.X)
		}
	}
}

// RewriteTerm puts what f makes of it in the place of each operand of a terminator.
func RewriteTerm(t Term, f func(Value) Value) {
	all := func(vs []Value) {
		for k := range vs {
			vs[k] = f(vs[k])
		}
	}
	switch t := t.(type) {
	case *Jump:
		all(t.Args)
	case *Branch:
		t.Cond = f(t.Cond)
		all(t.ThenArgs)
		all(t.ElseArgs)
	case *Switch:
		t.X = f(t.X)
	case *IndirectJump:
		t.X = f(t.X)
	case *Return:
		if t.X != nil {
			t.X = f(t.X)
		}
	}
}

// Located is an instruction of any kind.
type Located interface{ Meta() *Info }

// Number numbers the instructions and terminators of a program from 1, in the order in which they stand: names for
// them that other packages can keep.
func Number(p *Program) map[Located]int {
	n := map[Located]int{}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				n[i] = len(n) + 1
			}
			n[b.Term] = len(n) + 1
		}
	}
	return n
}

// Results returns the registers that an instruction assigns.
func Results(i Instr) []*Reg {
	var rs []*Reg
	add := func(r *Reg) {
		if r != nil {
			rs = append(rs, r)
		}
	}
	switch i := i.(type) {
	case *Unary:
		add(i.Dst)
	case *Binary:
		add(i.Dst)
	case *Overflow:
		add(i.Dst)
		add(i.Over)
	case *Compare:
		add(i.Dst)
	case *Convert:
		add(i.Dst)
	case *Bitcast:
		add(i.Dst)
	case *Select:
		add(i.Dst)
	case *Offset:
		add(i.Dst)
	case *Distance:
		add(i.Dst)
	case *Load:
		add(i.Dst)
	case *RMW:
		add(i.Dst)
	case *CmpXchg:
		add(i.Old)
		add(i.OK)
	case *Call:
		add(i.Dst)
	case *VaArg:
		add(i.Dst)
	case *Alloca:
		add(i.Dst)
	case *StackSave:
		add(i.Dst)
	case *Intrinsic:
		add(i.Dst)
	}
	return rs
}

// Succs calls f with each block that control may go to, and what its parameters get.
func Succs(t Term, f func(to *Block, args []Value)) {
	switch t := t.(type) {
	case *Jump:
		f(t.To, t.Args)
	case *Branch:
		f(t.Then, t.ThenArgs)
		f(t.Else, t.ElseArgs)
	case *Switch:
		for _, c := range t.Cases {
			f(c.To, nil)
		}
		f(t.Default, nil)
	case *IndirectJump:
		for _, b := range t.Targets {
			f(b, nil)
		}
	}
}
