package cgen

import (
	"fmt"
	"strings"

	"comus/cir"
)

// function prints one function.
type function struct {
	*printer
	f      *cir.Func
	b      strings.Builder
	locals map[*cir.Local]string
	line   string // the #line of what is printed now
}

// functions returns the functions of the library, or all others.
func (pr *printer) functions(library bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#include \"%s.h\"\n", pr.opts.Name)
	for _, f := range pr.p.Funcs {
		if len(f.Blocks) > 0 && f.Library == library {
			fn := &function{printer: pr, f: f, locals: map[*cir.Local]string{}}
			fn.print()
			b.WriteString(fn.b.String())
		}
	}
	return b.String()
}

// result returns the C type of what a function returns.
func result(r cir.Result) string {
	if r.Shape != nil {
		return "void"
	}
	return ctype(r.Type)
}

// signature returns the head of a function, with the names of its parameters or without.
func (pr *printer) signature(f *cir.Func, named bool) string {
	var ps []string
	if f.Result.Shape != nil {
		ps = append(ps, "comus_ptr comus_to")
	}
	for _, p := range f.Params {
		s := ctype(p.Reg.Type)
		if named {
			s += " " + reg(p.Reg)
		}
		ps = append(ps, s)
	}
	if f.Variadic && len(ps) == 0 {
		ps = append(ps, "int comus_none")
	}
	if f.Variadic {
		ps = append(ps, "...")
	}
	if len(ps) == 0 {
		ps = append(ps, "void")
	}
	return fmt.Sprintf("%s %s(%s)", result(f.Result), pr.names[f], strings.Join(ps, ", "))
}

func reg(r *cir.Reg) string { return fmt.Sprintf("comus_r%d", r.Index) }

func label(b *cir.Block) string { return fmt.Sprintf("comus_L%d", b.Index) }

// emit prints a line, which is one of the user's.
func (fn *function) emit(format string, args ...any) {
	if fn.line != "" {
		fn.b.WriteString(fn.line)
	}
	fmt.Fprintf(&fn.b, "  "+format+"\n", args...)
}

// print prints the function.
func (fn *function) print() {
	fn.nameLocals()
	fn.at(&cir.Site{Pos: fn.f.Pos})
	quiet := ""
	if fn.opts.Quiet != nil && fn.opts.Quiet(fn.f) {
		quiet = "COMUS_QUIET "
	}
	fn.b.WriteString(fn.line + quiet + fn.signature(fn.f, true) + " {\n")
	declared := map[*cir.Reg]bool{}
	for _, p := range fn.f.Params {
		declared[p.Reg] = true
		if p.ByVal != nil {
			n := max(p.ByVal.Size, 1)
			fn.emit("unsigned char comus_copy%d[%d] __attribute__((aligned(%d)));", p.Reg.Index, n, max(p.Align, 1))
			fn.emit("__builtin_memcpy(comus_copy%d, %s, %d);", p.Reg.Index, reg(p.Reg), p.ByVal.Size)
			fn.emit("%s = comus_copy%d;", reg(p.Reg), p.Reg.Index)
		}
	}
	declare := func(r *cir.Reg) {
		if r != nil && !declared[r] {
			declared[r] = true
			fn.emit("%s %s;", ctype(r.Type), reg(r))
		}
	}
	for _, b := range fn.f.Blocks {
		for _, r := range b.Params {
			declare(r)
		}
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				declare(r)
			}
		}
	}
	for _, l := range fn.f.Locals {
		fn.emit("%s;", fn.declare(l.Shape, l.Size, l.Align, fn.locals[l], "", false))
	}
	if fn.f.Atomic {
		fn.emit("comus_atomic_begin();")
	}
	for _, b := range fn.f.Blocks {
		fn.b.WriteString(label(b) + ":;\n")
		for _, in := range b.Instrs {
			fn.at(in.Meta().Site)
			fn.instr(in)
		}
		fn.at(b.Term.Meta().Site)
		fn.term(b.Term)
	}
	fn.b.WriteString("}\n\n")
}

// at says where the next lines come from.
func (fn *function) at(s *cir.Site) {
	if s == nil || fn.opts.Path == nil || fn.f.Library || s.Pos.Line <= 0 {
		return
	}
	fn.line = fmt.Sprintf("#line %d %s\n", s.Pos.Line, quote(fn.opts.Path(s.Pos.File)))
}

// nameLocals gives locals their names in the source, if these mean nothing else here.
func (fn *function) nameLocals() {
	used := map[string]bool{}
	note := func(v cir.Value) {
		if n, ok := fn.names[v]; ok {
			used[n] = true
		}
	}
	for _, b := range fn.f.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, note)
		}
		cir.TermOperands(b.Term, note)
	}
	for _, l := range fn.f.Locals {
		name := identifier(l.Name)
		if l.Name == "" {
			name = "comus_temp"
		}
		n := name
		for i := 2; used[n]; i++ {
			n = fmt.Sprintf("%s_%d", name, i)
		}
		used[n] = true
		fn.locals[l] = n
	}
}

// val returns an operand.
func (fn *function) val(v cir.Value) string {
	switch v := v.(type) {
	case *cir.Reg:
		return reg(v)
	case cir.Int:
		return integer(v)
	case cir.Float:
		return float(v)
	case cir.Null:
		return fmt.Sprintf("((comus_ptr)%#xUL)", v.Addr)
	case cir.Undef:
		return fmt.Sprintf("((%s)0)", ctype(v.Type))
	case *cir.Local:
		return fmt.Sprintf("((comus_ptr)&%s)", fn.locals[v])
	}
	return fn.address(v)
}

func (fn *function) typ(v cir.Value) cir.Type { return fn.p.Model.TypeOf(v) }

// set assigns a register.
func (fn *function) set(r *cir.Reg, format string, args ...any) {
	if r == nil {
		return
	}
	fn.emit("%s = %s;", reg(r), fmt.Sprintf(format, args...))
}

// jump goes to a block, whose parameters get their values all at once.
func (fn *function) jump(to *cir.Block, args []cir.Value) string {
	var b strings.Builder
	if len(args) == 1 {
		fmt.Fprintf(&b, "%s = %s; ", reg(to.Params[0]), fn.val(args[0]))
	} else {
		for i, a := range args {
			fmt.Fprintf(&b, "%s comus_a%d = %s; ", ctype(to.Params[i].Type), i, fn.val(a))
		}
		for i := range args {
			fmt.Fprintf(&b, "%s = comus_a%d; ", reg(to.Params[i]), i)
		}
	}
	return fmt.Sprintf("{ %sgoto %s; }", b.String(), label(to))
}

// term prints what ends a block.
func (fn *function) term(t cir.Term) {
	switch t := t.(type) {
	case *cir.Jump:
		fn.emit("%s", fn.jump(t.To, t.Args))
	case *cir.Branch:
		fn.emit("if (%s) %s else %s", fn.val(t.Cond), fn.jump(t.Then, t.ThenArgs), fn.jump(t.Else, t.ElseArgs))
	case *cir.Switch:
		typ := fn.typ(t.X)
		for _, c := range t.Cases {
			c.Lo.Type, c.Hi.Type = typ, typ
			c.Lo, c.Hi = c.Lo.Normal(), c.Hi.Normal()
			if c.Lo == c.Hi {
				fn.emit("if (%s == %s) goto %s;", fn.val(t.X), integer(c.Lo), label(c.To))
			} else {
				fn.emit("if (%s >= %s && %s <= %s) goto %s;", fn.val(t.X), integer(c.Lo), fn.val(t.X), integer(c.Hi), label(c.To))
			}
		}
		fn.emit("goto %s;", label(t.Default))
	case *cir.IndirectJump:
		for _, b := range t.Targets {
			fn.emit("if (%s == %s) goto %s;", fn.val(t.X), fn.address(b), label(b))
		}
		fn.emit("__builtin_trap();")
	case *cir.Return:
		fn.ret(t)
	case *cir.Unreachable:
		fn.emit("comus_unreachable(%s);", quote(t.Why))
		if fn.f.Result.Shape == nil && fn.f.Result.Type.Kind != cir.None {
			fn.emit("return 0;")
		} else {
			fn.emit("return;")
		}
	default:
		fn.failf("cannot print the end %T of a block", t)
	}
}

// ret prints a return.
func (fn *function) ret(t *cir.Return) {
	end := ""
	if fn.f.Atomic {
		end = "comus_atomic_end(); "
	}
	r := fn.f.Result
	switch {
	case r.Shape != nil && t.X != nil:
		fn.emit("__builtin_memmove(comus_to, %s, %d); %sreturn;", fn.val(t.X), r.Shape.Size, end)
	case t.X != nil:
		fn.emit("{ %s comus_v = %s; %sreturn comus_v; }", ctype(r.Type), fn.val(t.X), end)
	case r.Shape == nil && r.Type.Kind != cir.None:
		fn.emit("%sreturn 0;", end)
	default:
		fn.emit("%sreturn;", end)
	}
}

// quote returns a string literal.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(c))
		case c < ' ' || c >= 127 || c == '?':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
