package cir

import (
	"fmt"
	"strings"
)

var opNames = [...]string{Add: "add", Sub: "sub", Mul: "mul", Div: "div", Rem: "rem", And: "and", Or: "or", Xor: "xor", Shl: "shl", Shr: "shr",
	Neg: "neg", Not: "not", Sqrt: "sqrt", Fabs: "fabs", Clz: "clz", Ctz: "ctz", Popcount: "popcount", Bswap: "bswap"}

// String returns the operator's name.
func (o Op) String() string { return opNames[o] }

var predNames = [...]string{Eq: "eq", Ne: "ne", Lt: "lt", Le: "le", Gt: "gt", Ge: "ge"}

// String returns the comparison's name.
func (p Pred) String() string { return predNames[p] }

var orderNames = [...]string{Plain: "plain", Relaxed: "relaxed", Acquire: "acquire", Release: "release", AcqRel: "acq_rel", SeqCst: "seq_cst"}

// String returns the order's name.
func (o Order) String() string { return orderNames[o] }

var rmwNames = [...]string{Xchg: "xchg", RMWAdd: "add", RMWSub: "sub", RMWAnd: "and", RMWOr: "or", RMWXor: "xor", RMWNand: "nand", RMWTest: "test_and_set"}

// String returns the operation's name.
func (o RMWOp) String() string { return rmwNames[o] }

// accessText describes an access: "i32 align 4 volatile seq_cst bits 3+5".
func (a Access) text() string {
	s := fmt.Sprintf("%s align %d", a.Type, a.Align)
	if a.Bits != nil {
		s += fmt.Sprintf(" bits %d+%d", a.Bits.Offset, a.Bits.Width)
	}
	if a.Volatile {
		s += " volatile"
	}
	if a.Order != Plain {
		s += " " + a.Order.String()
	}
	return s
}

func wrapText(wrap bool) string {
	if wrap {
		return " wrap"
	}
	return ""
}

// InstrText returns an instruction in the printer's notation.
func InstrText(i Instr) string {
	v := ValueText
	switch i := i.(type) {
	case *Unary:
		return fmt.Sprintf("%s = %s%s %s %s", regText(i.Dst), i.Op, wrapText(i.Wrap), i.Dst.Type, v(i.X))
	case *Binary:
		return fmt.Sprintf("%s = %s%s %s %s, %s", regText(i.Dst), i.Op, wrapText(i.Wrap), i.Dst.Type, v(i.X), v(i.Y))
	case *Overflow:
		return fmt.Sprintf("%s, %s = overflow %s %s %s, %s", regText(i.Dst), regText(i.Over), i.Op, i.Dst.Type, v(i.X), v(i.Y))
	case *Compare:
		return fmt.Sprintf("%s = %s %s, %s", regText(i.Dst), i.Pred, v(i.X), v(i.Y))
	case *Convert:
		return fmt.Sprintf("%s = convert %s to %s", regText(i.Dst), v(i.X), i.Dst.Type)
	case *Bitcast:
		return fmt.Sprintf("%s = bitcast %s to %s", regText(i.Dst), v(i.X), i.Dst.Type)
	case *Select:
		return fmt.Sprintf("%s = select %s ? %s : %s", regText(i.Dst), v(i.Cond), v(i.X), v(i.Y))
	case *Offset:
		return offsetText(i)
	case *Distance:
		return fmt.Sprintf("%s = distance (%s - %s) / %d", regText(i.Dst), v(i.X), v(i.Y), i.Size)
	}
	return memoryText(i)
}

func offsetText(i *Offset) string {
	s := fmt.Sprintf("%s = offset %s", regText(i.Dst), ValueText(i.P))
	if i.Index != nil {
		s += fmt.Sprintf(" + %s*%d", ValueText(i.Index), i.Scale)
	}
	if i.Disp != 0 {
		s += fmt.Sprintf(" %+d", i.Disp)
	}
	if i.Len != 0 {
		s += fmt.Sprintf(" len %d", i.Len)
	}
	if i.Of != nil {
		s += fmt.Sprintf(" of %s", i.Of.Name)
		if i.At != 0 {
			s += fmt.Sprintf(" at %+d", i.At)
		}
	}
	return s
}

// memoryText prints the instructions that access memory.
func memoryText(i Instr) string {
	v := ValueText
	switch i := i.(type) {
	case *Load:
		return fmt.Sprintf("%s = load %s, %s", regText(i.Dst), v(i.Addr), i.Access.text())
	case *Store:
		return fmt.Sprintf("store %s, %s, %s", v(i.Addr), v(i.X), i.Access.text())
	case *Copy:
		over := ""
		if i.Overlap {
			over = " overlap"
		}
		return fmt.Sprintf("copy %s, %s, %s bytes%s", v(i.Dst), v(i.Src), v(i.Size), over)
	case *Fill:
		return fmt.Sprintf("fill %s, %s, %s bytes", v(i.Dst), v(i.Byte), v(i.Size))
	case *RMW:
		return fmt.Sprintf("%s = rmw %s %s, %s, %s", regText(i.Dst), i.Op, v(i.Addr), v(i.X), i.Access.text())
	case *CmpXchg:
		weak := ""
		if i.Weak {
			weak = " weak"
		}
		return fmt.Sprintf("%s, %s = cmpxchg%s %s, %s, %s, %s", regText(i.Old), regText(i.OK), weak, v(i.Addr), v(i.Expected), v(i.New), i.Access.text())
	case *Fence:
		if i.Compiler {
			return "fence compiler"
		}
		return "fence " + i.Order.String()
	case *LifeStart:
		return "life start " + localText(i.Local)
	case *LifeEnd:
		return "life end " + localText(i.Local)
	case *Alloca:
		return fmt.Sprintf("%s = alloca %s align %d %s", regText(i.Dst), v(i.Size), i.Align, i.Name)
	case *StackSave:
		return regText(i.Dst) + " = stacksave"
	case *StackRestore:
		return "stackrestore " + v(i.Mark)
	}
	return callText(i)
}

// callText prints calls and what belongs to them.
func callText(i Instr) string {
	v := ValueText
	switch i := i.(type) {
	case *Call:
		var args []string
		for n, a := range i.Args {
			s := v(a.X)
			if a.ByVal != nil {
				s = fmt.Sprintf("byval(%d) %s", a.ByVal.Size, s)
			}
			if n == i.Fixed {
				s = "| " + s
			}
			args = append(args, s)
		}
		s := fmt.Sprintf("call %s(%s) %s", v(i.Callee), strings.Join(args, ", "), resultText(i.Result))
		if i.Dst != nil {
			s = regText(i.Dst) + " = " + s
		}
		if i.To != nil {
			s += " to " + v(i.To)
		}
		if !i.Returns {
			s += " noreturn"
		}
		return s + [...]string{Known: "", Havoc: " unknown", Pure: " pure", Contract: " contract", Open: " open"}[i.Unknown]
	case *VaStart:
		return "va_start " + v(i.Ap)
	case *VaArg:
		if i.Shape != nil {
			return fmt.Sprintf("va_arg %s, struct %d to %s", v(i.Ap), i.Shape.Size, v(i.To))
		}
		return fmt.Sprintf("%s = va_arg %s, %s", regText(i.Dst), v(i.Ap), i.Dst.Type)
	case *VaCopy:
		return fmt.Sprintf("va_copy %s, %s", v(i.Dst), v(i.Src))
	case *VaEnd:
		return "va_end " + v(i.Ap)
	case *Assumption:
		return fmt.Sprintf("assumption %q", i.Sentence)
	case *Intrinsic:
		return intrinsicText(i)
	}
	return fmt.Sprintf("?%T", i)
}

func intrinsicText(i *Intrinsic) string {
	var args []string
	for _, a := range i.Args {
		args = append(args, ValueText(a))
	}
	s := fmt.Sprintf("%s(%s)", i.Op, strings.Join(args, ", "))
	if i.Dst != nil {
		s = fmt.Sprintf("%s = %s", regText(i.Dst), s)
		if i.Op == Nondet {
			s += " " + i.Dst.Type.String()
		}
	}
	for _, x := range []string{i.Check, i.Name} {
		if x != "" {
			s += fmt.Sprintf(" %q", x)
		}
	}
	return s
}

func targetText(b *Block, args []Value) string {
	if len(args) == 0 {
		return fmt.Sprintf("b%d", b.Index)
	}
	var vs []string
	for _, a := range args {
		vs = append(vs, ValueText(a))
	}
	return fmt.Sprintf("b%d(%s)", b.Index, strings.Join(vs, ", "))
}

// TermText returns a terminator in the printer's notation.
func TermText(t Term) string {
	switch t := t.(type) {
	case *Jump:
		return "jump " + targetText(t.To, t.Args)
	case *Branch:
		return fmt.Sprintf("branch %s ? %s : %s", ValueText(t.Cond), targetText(t.Then, t.ThenArgs), targetText(t.Else, t.ElseArgs))
	case *Switch:
		s := "switch " + ValueText(t.X)
		for _, c := range t.Cases {
			s += " " + c.Lo.Big().String()
			if c.Hi != c.Lo {
				s += ".." + c.Hi.Big().String()
			}
			s += fmt.Sprintf(": b%d,", c.To.Index)
		}
		return fmt.Sprintf("%s default: b%d", s, t.Default.Index)
	case *IndirectJump:
		var to []string
		for _, b := range t.Targets {
			to = append(to, fmt.Sprintf("b%d", b.Index))
		}
		return fmt.Sprintf("jump *%s [%s]", ValueText(t.X), strings.Join(to, " "))
	case *Return:
		if t.X == nil {
			return "return"
		}
		return "return " + ValueText(t.X)
	case *Unreachable:
		return "unreachable " + t.Why
	}
	return fmt.Sprintf("?%T", t)
}
