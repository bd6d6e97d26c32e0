package link

import (
	"fmt"
	"slices"
	"strings"

	"comus/cfront/types"
	"comus/cir"
)

// A function without a body that no header of the system declares is code of the program that nobody shows. It may do what C lets another unit do:
// access every object with external linkage and whatever it has got to know, call every function with external linkage, and start threads with them.
// So it gets a body here, which calls what stands for that code, of [cir.Open], with more arguments: a table of all that has external
// linkage, and the variables of each thread's own that have.

// others is what functions that nobody shows know of a program.
type others struct {
	table *cir.Global
	own   []cir.Value             // each thread's own variables
	inner map[*cir.Func]*cir.Func // what stands for the code of a function
	is    map[*cir.Func]bool
	made  []*cir.Func
}

// ofCallers begins the names of functions by which package callers, which stands for what others do with a library, gets at memory and functions.
const ofCallers = "comus_"

// isOpen reports whether a function without a body or contract is one of the program's own: no header of the system declares it, nor a model of
// the library.
func (l *linker) isOpen(f *cir.Func) bool {
	p := l.at[f]
	if l.opts.Unknown != cir.Havoc || l.opts.Refuse || l.opts.Libraries || p == nil || p.sym.Internal || strings.HasPrefix(p.sym.Name, ofCallers) {
		return false
	}
	return !slices.ContainsFunc(l.table[p.sym.Name].declared, func(d *place) bool { return d.unit.Library || d.sym.System })
}

// open returns what stands for the code of a function; the function itself gets a body that calls it, if it can hand on its arguments.
func (l *linker) open(f *cir.Func) *cir.Func {
	if g := l.others.inner[f]; g != nil {
		return g
	}
	l.know()
	g := &cir.Func{Name: f.Name + ".outside", Source: f.Source, Result: f.Result, Variadic: true, NoProto: f.NoProto, NoReturn: f.NoReturn, Unknown: cir.Open, Pos: f.Pos}
	for _, p := range f.Params {
		g.Params = append(g.Params, cir.Param{Reg: &cir.Reg{Index: g.NumRegs, Type: p.Reg.Type}, ByVal: p.ByVal, Align: p.Align, Name: p.Name})
		g.NumRegs++
	}
	l.others.inner[f], l.others.is[g] = g, true
	l.others.made = append(l.others.made, g)
	l.ask(g)
	l.note(f.Name, cir.Open)
	f.Unknown = cir.Open
	if !f.Weak { // which may not be there
		l.body(f, g)
	}
	return g
}

// isGiven reports whether direct calls of a function are calls of what stands for its code, because it has arguments that its body cannot hand on
// one by one, or no body.
func isGiven(f *cir.Func) bool { return f.Variadic || f.NoProto || f.Weak }

// know makes all that has external linkage a part of the program.
func (l *linker) know() {
	if l.others.table != nil {
		return
	}
	l.others.table = &cir.Global{Name: cir.OpenTable, Source: cir.OpenTable, Const: true, Library: true, Align: int64(l.prog.Model.PointerBits / 8)}
	for _, u := range l.units {
		for _, s := range u.Symbols {
			if !u.Library && !s.Internal && s.Defined && !s.Inline && s.Value != nil {
				l.ask(l.resolve(s.Value, nil))
			}
			if g, ok := s.Value.(*cir.Global); ok && g.ThreadLocal && !u.Library && !s.Internal && s.Defined {
				l.others.own = append(l.others.own, g)
			}
		}
	}
}

// body gives a function its body.
func (l *linker) body(f, g *cir.Func) {
	site := &cir.Site{Pos: f.Pos, Text: f.Source}
	b := &cir.Block{}
	call := &cir.Call{Info: cir.Info{Site: site}, Callee: g, Result: f.Result, Fixed: len(f.Params)}
	var params []cir.Param
	for i, p := range f.Params {
		r := &cir.Reg{Index: i, Type: p.Reg.Type}
		params = append(params, cir.Param{Reg: r, ByVal: p.ByVal, Align: p.Align, Name: p.Name})
		call.Args = append(call.Args, cir.Arg{X: r, ByVal: p.ByVal})
	}
	f.Params, f.NumRegs = params, len(params)
	var begin, after []cir.Instr
	if f.Variadic || f.NoProto {
		f.Variadic = true
		size := map[int]int64{32: 4, 64: 24}[l.prog.Model.PointerBits]
		ap := &cir.Local{Size: size, Align: int64(l.prog.Model.PointerBits / 8), Pos: f.Pos}
		f.Locals = append(f.Locals, ap)
		begin, after = append(begin, &cir.VaStart{Info: call.Info, Ap: ap}), append(after, &cir.VaEnd{Info: call.Info, Ap: ap})
		call.Args = append(call.Args, cir.Arg{X: ap})
	}
	end := &cir.Return{Info: call.Info}
	switch {
	case f.Result.Shape != nil:
		to := &cir.Local{Index: len(f.Locals), Size: f.Result.Shape.Size, Align: int64(l.prog.Model.PointerBits / 8), Shape: f.Result.Shape, Pos: f.Pos}
		f.Locals = append(f.Locals, to)
		call.To, end.X = to, to
	case f.Result.Type.Kind != cir.None:
		call.Dst = &cir.Reg{Index: f.NumRegs, Type: f.Result.Type}
		f.NumRegs++
		end.X = call.Dst
	}
	b.Instrs = slices.Concat(begin, l.openCall(f, g, call), after)
	b.Term = end
	if f.NoReturn {
		b.Term = &cir.Unreachable{Info: call.Info, Why: "'" + f.Source + "' returns, though it is declared that it does not"}
	}
	f.Blocks, f.Library = []*cir.Block{b}, true
}

// openCall completes a call of what stands for the code of a function.
func (l *linker) openCall(f, g *cir.Func, c *cir.Call) []cir.Instr {
	c.Callee, c.Unknown, c.Returns = g, cir.Open, !f.NoReturn
	c.Args = append(c.Args, cir.Arg{X: l.others.table})
	for _, v := range l.others.own {
		c.Args = append(c.Args, cir.Arg{X: v})
	}
	return []cir.Instr{&cir.Assumption{Info: cir.Info{Site: c.Site}, Sentence: sentence(f.Name, cir.Open)}, c}
}

// tabulate fills the table: after all that the program needs is known.
func (l *linker) tabulate() {
	t := l.others.table
	if t == nil {
		return
	}
	word := int64(l.prog.Model.PointerBits / 8)
	seen := map[cir.Symbol]bool{}
	t.Size = word // for what it gets to know
	for _, u := range l.units {
		for _, s := range u.Symbols {
			if s.Value == nil || u.Library || s.Internal || s.Inline || synchronises(s.Type) {
				continue
			}
			v := l.resolve(s.Value, nil)
			if !l.used[v] || seen[v] || v == cir.Symbol(l.prog.Entry) || !l.isTheirs(v) {
				continue
			}
			seen[v] = true
			t.Relocs = append(t.Relocs, cir.Reloc{Offset: t.Size, Target: v})
			t.Size += word
		}
	}
	t.Shape = &cir.Shape{Size: t.Size, Len: t.Size / word, Elem: &cir.Shape{Size: word, Scalar: l.prog.Model.Pointer()}}
	l.prog.Globals = append(l.prog.Globals, t)
	l.prog.Funcs = append(l.prog.Funcs, l.others.made...)
}

// isTheirs reports whether the table has a symbol: an object, or a function that is shown.
func (l *linker) isTheirs(s cir.Symbol) bool {
	switch s := s.(type) {
	case *cir.Global:
		return !s.ThreadLocal && !s.Library
	case *cir.Func:
		return len(s.Blocks) > 0 && !s.Library
	}
	return false
}

// synchronises reports whether an object is a lock, semaphore or the like: the unions of glibc's headers. Code that nobody shows is taken to leave them
// alone.
func synchronises(t *types.Type) bool {
	for t != nil && t.Kind == types.Array {
		t = t.Elem
	}
	has := func(name string) bool {
		return slices.ContainsFunc(t.Rec.Fields, func(f types.Field) bool { return f.Name == name })
	}
	return t != nil && t.Kind == types.Union && t.Rec != nil && has("__size") && has("__align")
}

// note notes what is assumed of a function without a body.
func (l *linker) note(name string, u cir.Unknown) {
	l.res.Unknown = append(l.res.Unknown, name)
	l.res.Notes = append(l.res.Notes, sentence(name, u))
}

// sentence is what is assumed of an unknown function.
func sentence(name string, u cir.Unknown) string {
	switch u {
	case cir.Pure:
		return fmt.Sprintf("the unknown function '%s' changes no memory, starts no thread and takes no lock", name)
	case cir.Open:
		return fmt.Sprintf("the unknown function '%s' accesses memory of the program only while it is called, or in functions of the program that it calls or starts threads with; it uses no locks, semaphores and the like of the program, does not call main, and no thread of its own runs a handler of signals of the program", name)
	}
	return fmt.Sprintf("the unknown function '%s' changes only memory reachable from its arguments, returns no pointer to anything else in the program, calls only functions that it is given, starts no thread and takes no lock", name)
}
