package slice

import (
	"comus/cir"
)

// Slice is what is left of a program.
type Slice struct {
	// Program is the program that was given, changed.
	Program *cir.Program
	// Sites are the places of what is left of the program's own code, in a fixed order: programs with the same slice have as many.
	Sites []*cir.Site
	texts []string
}

// Of reduces a program.
func Of(p *cir.Program) *Slice {
	r := &reduction{prog: p, funcs: map[*cir.Func]*function{}}
	p.Funcs, p.Globals = reached(p)
	for _, f := range p.Funcs {
		x := read(f)
		r.funcs[f] = x
		r.order = append(r.order, x)
	}
	r.findTaken()
	r.findQuiet()
	r.findDraws()
	r.findParts()
	for _, x := range r.order {
		r.roots(x)
		x.changed = true
	}
	r.solve()
	for _, x := range r.order {
		if !x.fixed {
			r.reduce(x)
		}
	}
	p.Funcs, p.Globals = reached(p)
	shorten(p)
	g := &Slice{Program: p}
	g.findSites()
	return g
}

// findTaken finds the functions that somebody else than a direct call may call.
func (r *reduction) findTaken() {
	p := r.prog
	for _, list := range [][]*cir.Func{{p.Entry, p.FuncNamed("exit")}, p.Constructors, p.Destructors} {
		for _, f := range list {
			if x := r.funcs[f]; x != nil {
				x.taken = true
			}
		}
	}
	taken := func(v cir.Value) {
		if f, ok := v.(*cir.Func); ok {
			r.funcs[f].taken = true
		}
	}
	for _, g := range p.Globals {
		for _, rel := range g.Relocs {
			taken(rel.Target)
		}
	}
	for _, x := range r.order {
		for _, b := range x.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					cir.Operands(in, taken)
					continue
				}
				if _, direct := call.Callee.(*cir.Func); !direct {
					taken(call.Callee)
				}
				if call.To != nil {
					taken(call.To)
				}
				for _, a := range call.Args {
					taken(a.X)
				}
			}
			cir.TermOperands(b.Term, taken)
		}
	}
}

// reached returns the functions and globals that the program's beginning leads to, in the order of the program.
func reached(p *cir.Program) (funcs []*cir.Func, globals []*cir.Global) {
	seen := map[cir.Value]bool{}
	var work []cir.Value
	visit := func(v cir.Value) {
		switch v.(type) {
		case *cir.Func, *cir.Global:
			if !seen[v] {
				seen[v] = true
				work = append(work, v)
			}
		}
	}
	for _, list := range [][]*cir.Func{{p.Entry, p.FuncNamed("exit")}, p.Constructors, p.Destructors} {
		for _, f := range list {
			if f != nil {
				visit(f)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		switch v := v.(type) {
		case *cir.Global:
			for _, rel := range v.Relocs {
				visit(rel.Target)
			}
		case *cir.Func:
			for _, b := range v.Blocks {
				for _, in := range b.Instrs {
					cir.Operands(in, visit)
				}
				cir.TermOperands(b.Term, visit)
			}
		}
	}
	for _, f := range p.Funcs {
		if seen[f] {
			funcs = append(funcs, f)
		}
	}
	for _, g := range p.Globals {
		if seen[g] || g.Source == "errno" { // which analyses look for
			globals = append(globals, g)
		}
	}
	return funcs, globals
}

// findSites notes the places of what is left, and takes away their texts.
func (g *Slice) findSites() {
	seen := map[*cir.Site]bool{}
	visit := func(in cir.Located) {
		for s := in.Meta().Site; s != nil && !seen[s]; s = s.Stmt {
			seen[s] = true
			g.Sites, g.texts = append(g.Sites, s), append(g.texts, s.Text)
		}
	}
	for _, f := range g.Program.Funcs {
		if f.Library {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				visit(in)
			}
			visit(b.Term)
		}
	}
	g.Strip()
}

// Strip takes away the texts of places, for an analysis.
func (g *Slice) Strip() {
	g.Restore()
	for _, s := range g.Sites {
		m := s.Member()
		if m != "" {
			m = "_" + m
		}
		s.Text = m
	}
}

// Restore gives places their texts back, for people.
func (g *Slice) Restore() {
	for i, s := range g.Sites {
		s.Text = g.texts[i]
	}
}
