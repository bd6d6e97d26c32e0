package link

import (
	"fmt"
	"path/filepath"
	"strings"

	"comus/cfront/build"
	"comus/cir"
)

// resolve returns what a unit's symbol means in the program. p may be nil.
func (l *linker) resolve(s cir.Symbol, p *place) cir.Symbol {
	if f, ok := l.final[s]; ok {
		return f
	}
	if p == nil {
		p = l.at[s]
	}
	if p == nil {
		return s
	}
	l.final[s] = s // of an alias to itself
	r := l.meaning(s, p)
	l.final[s] = r
	return r
}

// meaning is resolve without memory.
func (l *linker) meaning(s cir.Symbol, p *place) cir.Symbol {
	if p.sym.Internal {
		if p.sym.Alias != "" {
			return l.aliased(p, s)
		}
		return s
	}
	name := p.sym.Name
	e := l.table[name]
	d := e.definition()
	if p.unit.Library && e.library != nil && !interposed[name] {
		if _, is := e.library.sym.Value.(*cir.Func); is {
			d = e.library // glibc's functions do not call what the program calls so
		}
	}
	if d == nil || d == e.inline {
		// Another name of a function of the library, whatever the program calls so.
		if a := l.table[l.alias(name)]; a != nil && a != e && a.library != nil {
			d = a.library
		}
	}
	switch {
	case d == nil:
		return l.external(e)
	case d.sym.Alias != "":
		return l.aliased(d, s)
	}
	return d.sym.Value
}

// interposed are the functions of which glibc calls those of the program, if it has them.
var interposed = map[string]bool{
	"malloc": true, "calloc": true, "realloc": true, "free": true, "memalign": true, "aligned_alloc": true, "posix_memalign": true, "valloc": true,
	"pvalloc": true, "malloc_usable_size": true,
}

// alias returns the library's name of a function.
func (l *linker) alias(name string) string {
	if l.opts.Alias == nil {
		return name
	}
	return l.opts.Alias(name)
}

// aliased resolves a symbol that is another name of one of its unit.
func (l *linker) aliased(p *place, s cir.Symbol) cir.Symbol {
	for _, t := range p.unit.Symbols {
		if t.Name == p.sym.Alias && t != p.sym {
			if t.Value == nil {
				return l.aliased(&place{p.unit, t}, s)
			}
			return l.resolve(t.Value, nil)
		}
	}
	if e := l.table[p.sym.Alias]; e != nil && e.definition() != nil {
		d := e.definition()
		if d.sym.Value != nil {
			return d.sym.Value
		}
	}
	l.errs = append(l.errs, fmt.Errorf("%s: '%s' is an alias of '%s', which is not defined", p.sym.Pos, p.sym.Name, p.sym.Alias))
	return s
}

// external returns the one declaration that stands for all of a name that nobody defines: the largest object.
func (l *linker) external(e *entry) cir.Symbol {
	best := e.declared[0]
	weak := true
	for _, p := range e.declared {
		weak = weak && p.sym.Weak
		if sizeOf(p.sym) > sizeOf(best.sym) {
			best = p
		}
	}
	switch v := best.sym.Value.(type) {
	case *cir.Func:
		v.Weak = weak
	case *cir.Global:
		v.Weak, v.External = weak, true
		if strings.HasPrefix(v.Source, "__start_") || strings.HasPrefix(v.Source, "__stop_") { // variables of the program are there
			l.errs = append(l.errs, fmt.Errorf("%s: '%s' is where a section begins or ends, which the linker of the system knows, and comus does not", best.sym.Pos, v.Source))
		}
	}
	return best.sym.Value
}

// ask makes a symbol a part of the program.
func (l *linker) ask(s cir.Symbol) {
	if l.used[s] {
		return
	}
	l.used[s] = true
	l.work = append(l.work, s)
}

// value is the program's for a unit's operand.
func (l *linker) value(v cir.Value) cir.Value {
	s, ok := v.(cir.Symbol)
	if !ok {
		return v
	}
	r := l.resolve(s, nil)
	l.ask(r)
	return r
}

// reach visits all that the program needs.
func (l *linker) reach() {
	for len(l.work) > 0 {
		s := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		switch s := s.(type) {
		case *cir.Global:
			l.global(s)
		case *cir.Func:
			l.function(s)
		}
		if len(l.work) == 0 {
			l.exitHandlers()
		}
	}
}

// exitHandlers makes the library's exit a part of a program that registers functions to be called there.
func (l *linker) exitHandlers() {
	for _, name := range []string{"atexit", "on_exit", "__cxa_atexit"} {
		if e := l.table[name]; e != nil && e.library != nil && l.used[e.library.sym.Value] {
			if x := l.table["exit"]; x != nil && x.definition() != nil && x.definition().sym.Value != nil {
				l.ask(x.definition().sym.Value)
			}
		}
	}
}

// global visits an object.
func (l *linker) global(g *cir.Global) {
	if p := l.at[g]; p != nil {
		g.Library = p.unit.Library && p.sym.Defined
		if !p.sym.Internal {
			l.sizes(g, l.table[p.sym.Name])
		}
	}
	for i := range g.Relocs {
		r := &g.Relocs[i]
		if s, ok := l.value(r.Target).(cir.Symbol); ok {
			r.Target = s
		}
	}
}

// sizes warns of declarations of an object that are larger than it is, and aligns a common one for all.
func (l *linker) sizes(g *cir.Global, e *entry) {
	if e == nil {
		return
	}
	for _, p := range e.declared {
		if d, ok := p.sym.Value.(*cir.Global); ok && d.Size > g.Size && !g.External {
			l.prog.Warnings = append(l.prog.Warnings, fmt.Sprintf("%s: warning: '%s' has %d bytes here, but %d at %s", p.sym.Pos, p.sym.Name, d.Size, g.Size, g.Pos))
		}
	}
}

// function visits a function's instructions.
func (l *linker) function(f *cir.Func) {
	if p := l.at[f]; p != nil {
		f.Library = f.Library || p.unit.Library
	}
	if len(f.Blocks) == 0 {
		l.unknown(f)
		return
	}
	for _, b := range f.Blocks {
		l.block(b)
		cir.RewriteTerm(b.Term, l.value)
	}
}

// block visits the instructions of a block; calls of some functions become other instructions.
func (l *linker) block(b *cir.Block) {
	var kept []cir.Instr // what stands before the instruction, once it differs
	for k, i := range b.Instrs {
		is, changed := []cir.Instr(nil), false
		if c, ok := i.(*cir.Call); ok {
			is, changed = l.call(c)
		}
		if changed && kept == nil {
			kept = append(make([]cir.Instr, 0, len(b.Instrs)+4), b.Instrs[:k]...)
		}
		if !changed {
			cir.Rewrite(i, l.value)
			if kept != nil {
				kept = append(kept, i)
			}
			continue
		}
		for _, x := range is {
			cir.Rewrite(x, l.value)
		}
		kept = append(kept, is...)
	}
	if kept != nil {
		b.Instrs = kept
	}
}

// unknown decides what calls of a function without a body may do.
func (l *linker) unknown(f *cir.Func) {
	name := f.Name
	switch {
	case l.opts.Contract != nil && l.opts.Contract(name) && !l.others.is[f]:
		f.Unknown = cir.Contract
		return
	case l.opts.Refuse:
		l.errs = append(l.errs, fmt.Errorf("%s: function '%s' has no body, and comus does not know it", f.Pos, name))
	}
	if l.others.is[f] {
		return
	}
	if l.isOpen(f) {
		l.open(f)
		return
	}
	f.Unknown = l.opts.Unknown
	l.note(name, f.Unknown)
}

// collect lists what the program is made of and gives everything a name of its own.
func (l *linker) collect() {
	taken := map[string]bool{}
	for _, u := range l.units {
		for _, s := range u.Symbols {
			if s.Value == nil || !l.used[s.Value] || l.hidden(u, s) {
				continue
			}
			taken[s.Name] = true
			rename(s.Value, s.Name)
		}
	}
	done := map[cir.Symbol]bool{}
	for _, u := range l.units {
		base := filepath.Base(u.File)
		for _, s := range u.Symbols {
			if s.Value == nil || !l.used[s.Value] || done[s.Value] {
				continue
			}
			done[s.Value] = true
			if l.hidden(u, s) {
				rename(s.Value, internalName(s.Name, base, taken))
			}
			switch v := s.Value.(type) {
			case *cir.Global:
				l.prog.Globals = append(l.prog.Globals, v)
			case *cir.Func:
				l.prog.Funcs = append(l.prog.Funcs, v)
			}
		}
	}
}

// hidden reports whether only its unit means a symbol by its name, or only the library does.
func (l *linker) hidden(u *build.Unit, s *build.Symbol) bool {
	return s.Internal || u.Library && l.table[s.Name] != nil && l.table[s.Name].ours()
}

// internalName makes a name for something internal to a file.
func internalName(name, base string, taken map[string]bool) string {
	full := base + ":" + name
	if strings.HasPrefix(name, ".") {
		full = name
	}
	unique := full
	for k := 2; taken[unique]; k++ {
		unique = fmt.Sprintf("%s.%d", full, k)
	}
	taken[unique] = true
	return unique
}

// rename gives a symbol its name in the program.
func rename(s cir.Symbol, name string) {
	switch s := s.(type) {
	case *cir.Global:
		s.Name = name
	case *cir.Func:
		s.Name = name
	}
}
