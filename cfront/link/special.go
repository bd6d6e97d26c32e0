package link

import (
	"strings"

	"comus/cir"
)

// special makes other instructions of a call of a function with a meaning of its own, nil if the
// arguments do not fit.
type special func(l *linker, name string, c *cir.Call) []cir.Instr

// specials are the functions with a meaning of their own, where the program does not define them.
var specials = map[string]special{
	"__VERIFIER_assume": assume, "__CPROVER_assume": assume, "assume": assume,
	"__VERIFIER_assert": assertion, "__CPROVER_assert": assertion, "assert": assertion,
	"__assert_fail": failed, "__assert_perror_fail": failed, "__assert": failed,
	"__VERIFIER_atomic_begin": plain(cir.AtomicBegin, 0), "__CPROVER_atomic_begin": plain(cir.AtomicBegin, 0),
	"__VERIFIER_atomic_end": plain(cir.AtomicEnd, 0), "__CPROVER_atomic_end": plain(cir.AtomicEnd, 0),
	"__VERIFIER_nondet_memory": plain(cir.HavocBytes, 2),
	"setjmp":                   plain(cir.Setjmp, 1), "_setjmp": plain(cir.Setjmp, 1), "sigsetjmp": plain(cir.Setjmp, 1), "__sigsetjmp": plain(cir.Setjmp, 1),
}

// always are those that are meant even if the program defines them.
var always = map[string]special{
	"reach_error": failed, "__VERIFIER_error": failed, "assume_abort_if_not": assume,
}

// fallbacks are those whose models may be missing.
var fallbacks = map[string]special{
	"abort": plain(cir.Trap, 0), "longjmp": plain(cir.Longjmp, 2), "_longjmp": plain(cir.Longjmp, 2), "siglongjmp": plain(cir.Longjmp, 2),
	"memcpy": memory(false), "memmove": memory(true), "memset": memset,
}

// nondets are the beginnings of the names of inputs.
var nondets = []string{"__VERIFIER_nondet_", "nondet_", "__CPROVER_nondet"}

// meaningOf returns what a call of a name means, nil for an ordinary one.
func (l *linker) meaningOf(name string) special {
	if s := always[name]; s != nil {
		return s
	}
	if _, ok := cir.IntrinsicNamed(name); ok || name == "__comus_assumption" || name == "__comus_copy" || name == "__comus_fill" {
		return intrinsic
	}
	e := l.table[name]
	if e != nil && e.ours() {
		return nil
	}
	if s := specials[name]; s != nil {
		return s
	}
	for _, p := range nondets {
		if strings.HasPrefix(name, p) {
			return input
		}
	}
	if s := fallbacks[name]; s != nil && (e == nil || e.definition() == nil) {
		return s
	}
	return nil
}

// isSpecial tells whether a library need not be asked for a name.
func (l *linker) isSpecial(name string) bool {
	return l.meaningOf(name) != nil && fallbacks[name] == nil
}

// call returns the instructions that a call becomes, if it becomes others.
func (l *linker) call(c *cir.Call) ([]cir.Instr, bool) {
	f, ok := c.Callee.(*cir.Func)
	if !ok {
		return nil, false
	}
	p := l.at[f]
	if p == nil || p.sym.Internal && always[p.sym.Name] == nil {
		return nil, false
	}
	if s := l.meaningOf(p.sym.Name); s != nil && p.sym.Alias == "" {
		if is := s(l, p.sym.Name, c); is != nil {
			return finish(c, is), true
		}
	}
	g, ok := l.resolve(f, p).(*cir.Func)
	if ok && l.others.inner[g] != nil && isGiven(g) {
		return l.openCall(g, l.others.inner[g], c), true
	}
	if !ok || len(g.Blocks) > 0 {
		return nil, false
	}
	if a := l.alias(g.Name); a != g.Name {
		if s := l.meaningOf(a); s != nil {
			if is := s(l, a, c); is != nil {
				return finish(c, is), true
			}
		}
	}
	l.ask(g)
	return l.unknownCall(g, c)
}

// unknownCall says what a call of a function without a body may do, and what is assumed of it.
func (l *linker) unknownCall(g *cir.Func, c *cir.Call) ([]cir.Instr, bool) {
	if l.opts.Contract != nil && l.opts.Contract(g.Name) {
		c.Unknown = cir.Contract
		return nil, false
	}
	if l.isOpen(g) {
		inner := l.open(g)
		if !isGiven(g) {
			return nil, false
		}
		return l.openCall(g, inner, c), true
	}
	c.Unknown = l.opts.Unknown
	note := &cir.Assumption{Info: cir.Info{Site: c.Site}, Sentence: sentence(g.Name, c.Unknown)}
	return []cir.Instr{note, c}, true
}

// finish gives the instructions the call's place, and its result a value if they give it none.
func finish(c *cir.Call, is []cir.Instr) []cir.Instr {
	assigned := false
	for _, i := range is {
		m := i.Meta()
		m.Site = c.Site
		if m.Approx == "" {
			m.Approx = c.Approx
		}
		for _, r := range cir.Results(i) {
			assigned = assigned || r == c.Dst
		}
	}
	if c.Dst != nil && !assigned {
		is = append(is, &cir.Convert{Info: c.Info, Dst: c.Dst, X: cir.Undef{Type: c.Dst.Type}})
	}
	return is
}

// plain is an intrinsic with the first n arguments of the call.
func plain(op cir.IntrinsicOp, n int) special {
	return func(_ *linker, _ string, c *cir.Call) []cir.Instr {
		if len(c.Args) < n {
			return nil
		}
		i := &cir.Intrinsic{Op: op, Args: values(c.Args[:n])}
		if op == cir.Setjmp {
			i.Dst = c.Dst
		}
		return []cir.Instr{i}
	}
}

// values are the operands of arguments.
func values(args []cir.Arg) []cir.Value {
	vs := make([]cir.Value, len(args))
	for i, a := range args {
		vs[i] = a.X
	}
	return vs
}

// assume prunes executions.
func assume(_ *linker, _ string, c *cir.Call) []cir.Instr {
	if len(c.Args) < 1 || !isInt(c.Args[0].X) {
		return nil
	}
	return []cir.Instr{&cir.Intrinsic{Op: cir.Assume, Args: values(c.Args[:1])}}
}

// isInt tells whether an operand is an integer.
func isInt(v cir.Value) bool {
	switch v := v.(type) {
	case *cir.Reg:
		return v.Type.IsInt()
	case cir.Int:
		return true
	}
	return false
}

// assertion is an error if the argument is 0.
func assertion(_ *linker, name string, c *cir.Call) []cir.Instr {
	if len(c.Args) < 1 || !isInt(c.Args[0].X) {
		return nil
	}
	return []cir.Instr{&cir.Intrinsic{Op: cir.Assert, Args: values(c.Args[:1]), Name: textOf(c, name)}}
}

// failed is an error.
func failed(_ *linker, name string, c *cir.Call) []cir.Instr {
	text := textOf(c, name)
	if name == "__assert_fail" && !strings.HasPrefix(text, "assert") && len(c.Args) > 0 {
		if s, ok := literal(c.Args[0].X); ok {
			text = "assert(" + s + ")"
		}
	}
	is := []cir.Instr{&cir.Intrinsic{Op: cir.Assert, Args: []cir.Value{cir.IntOf(cir.I32, 0)}, Name: text}}
	if !c.Returns {
		is = append(is, &cir.Intrinsic{Op: cir.Trap})
	}
	return is
}

// textOf is a call as the user wrote it.
func textOf(c *cir.Call, name string) string {
	if c.Site != nil && c.Site.Text != "" {
		return c.Site.Text
	}
	return name + "()"
}

// input is any value of the result's type.
func input(_ *linker, name string, c *cir.Call) []cir.Instr {
	switch {
	case c.Result.Shape != nil:
		n := cir.Int{Type: sizeType(c), Lo: uint64(c.Result.Shape.Size)}
		return []cir.Instr{&cir.Intrinsic{Op: cir.HavocBytes, Args: []cir.Value{c.To, n}, Name: name}}
	case c.Dst == nil || len(c.Args) > 0:
		return nil
	}
	return []cir.Instr{&cir.Intrinsic{Op: cir.Nondet, Dst: c.Dst, Name: name}}
}

// sizeType is an integer type for sizes.
func sizeType(*cir.Call) cir.Type { return cir.U64 }

// memory is memcpy or memmove.
func memory(overlap bool) special {
	return func(l *linker, _ string, c *cir.Call) []cir.Instr {
		if len(c.Args) != 3 {
			return nil
		}
		is := []cir.Instr{&cir.Copy{Dst: c.Args[0].X, Src: c.Args[1].X, Size: c.Args[2].X, Align: 1, Overlap: overlap}}
		return l.sized(c, is, 2)
	}
}

// memset fills memory.
func memset(l *linker, _ string, c *cir.Call) []cir.Instr {
	b, ok := c.Args[1].X.(cir.Int)
	if len(c.Args) != 3 || !ok {
		return nil
	}
	b.Type = cir.U8
	is := []cir.Instr{&cir.Fill{Dst: c.Args[0].X, Byte: b.Normal(), Size: c.Args[2].X}}
	return l.sized(c, is, 2)
}

// sized gives a copy the result of memcpy, if the size is of the right type.
func (l *linker) sized(c *cir.Call, is []cir.Instr, size int) []cir.Instr {
	if l.prog.Model.TypeOf(c.Args[size].X) != l.prog.Model.Size() || l.prog.Model.TypeOf(c.Args[0].X) != l.prog.Model.Pointer() {
		return nil
	}
	if c.Dst != nil {
		is = append(is, &cir.Offset{Dst: c.Dst, P: c.Args[0].X})
	}
	return is
}

// literal is the text of a string literal.
func literal(v cir.Value) (string, bool) {
	g, ok := v.(*cir.Global)
	if !ok || !g.Literal {
		return "", false
	}
	s, _, _ := strings.Cut(string(g.Data), "\x00")
	return s, true
}

// intrinsic is a call of a function of comus.h.
func intrinsic(l *linker, name string, c *cir.Call) []cir.Instr {
	texts := make([]string, 0, 2)
	var args []cir.Value
	literals := literalArgs[name]
	for k, a := range c.Args {
		if literals > 0 && isLiteralArg(name, k) {
			s, ok := literal(a.X)
			if !ok {
				return nil
			}
			texts = append(texts, s)
			continue
		}
		args = append(args, a.X)
	}
	if literals != len(texts) {
		return nil
	}
	switch name {
	case "__comus_assumption":
		return []cir.Instr{&cir.Assumption{Sentence: texts[0]}}
	case "__comus_copy":
		overlap, ok := args[3].(cir.Int)
		if !ok {
			return nil
		}
		return []cir.Instr{&cir.Copy{Dst: args[0], Src: args[1], Size: args[2], Align: 1, Overlap: overlap.Lo != 0}}
	case "__comus_fill":
		return []cir.Instr{&cir.Fill{Dst: args[0], Byte: args[1], Size: args[2]}}
	}
	op, ok := cir.IntrinsicNamed(name)
	if !ok {
		return nil
	}
	i := &cir.Intrinsic{Op: op, Dst: c.Dst, Args: args}
	switch {
	case op == cir.Approximation, op == cir.HavocBytes && len(texts) > 0:
		i.Approx = texts[0]
	case op == cir.Undefined:
		i.Check, i.Name = texts[0], texts[1]
	case len(texts) > 0:
		i.Name = texts[0]
	}
	return []cir.Instr{i}
}

// literalArgs are the numbers of arguments of intrinsics that are literals.
var literalArgs = map[string]int{
	"__comus_assert": 1, "__comus_undefined": 2, "__comus_assumption": 1, "__comus_assumed": 1, "__comus_approximation": 1, "__comus_unknown_bytes": 1,
	"__comus_math": 1, "__comus_mathf": 1,
}

// isLiteralArg tells whether the k-th argument of such an intrinsic is a literal.
func isLiteralArg(name string, k int) bool {
	switch name {
	case "__comus_assert", "__comus_assumed":
		return k == 1
	case "__comus_undefined":
		return k >= 1
	case "__comus_unknown_bytes":
		return k == 2
	}
	return k == 0
}
