package gist

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/cir"
)

// joinLiterals makes one object of all string literals with the same conversions of printf in the same order: of their other characters nobody wants to
// know, and nobody may write them. It numbers what has no name of its own.
func joinLiterals(p *cir.Program) {
	one := map[string]*cir.Global{}
	is := map[cir.Value]*cir.Global{}
	var shape *cir.Shape
	for _, g := range p.Globals {
		if !g.Literal || g.Library || len(g.Relocs) > 0 || g.Shape == nil || g.Shape.Elem == nil || g.Shape.Elem.Size != 1 {
			continue
		}
		if shape == nil {
			shape = g.Shape.Elem
		}
		text := conversions(string(g.Data))
		first := one[text]
		if first == nil {
			n := int64(len(text) + 1)
			first = &cir.Global{Size: n, Align: 1, Shape: &cir.Shape{Size: n, Elem: shape, Len: n, Name: fmt.Sprintf("char [%d]", n)},
				Data: []byte(text), Const: g.Const, Literal: true}
			one[text] = first
		}
		is[g] = first
	}
	p.Globals = slices.DeleteFunc(p.Globals, func(g *cir.Global) bool { return is[g] != nil })
	for _, text := range slices.Sorted(maps.Keys(one)) {
		p.Globals = append(p.Globals, one[text])
	}
	rewrite(p, is)
	n := 0
	for _, g := range p.Globals {
		if g.Source == "" {
			n++
			g.Name = fmt.Sprintf(".data.%d", n)
		}
	}
}

// rewrite puts globals in the place of others.
func rewrite(p *cir.Program, is map[cir.Value]*cir.Global) {
	value := func(v cir.Value) cir.Value {
		if g, ok := v.(*cir.Global); ok {
			if first := is[g]; first != nil {
				return first
			}
		}
		return v
	}
	for _, g := range p.Globals {
		for i, r := range g.Relocs {
			if s, ok := value(r.Target).(cir.Symbol); ok {
				g.Relocs[i].Target = s
			}
		}
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				cir.Rewrite(in, value)
			}
			cir.RewriteTerm(b.Term, value)
		}
	}
}

// conversions returns the conversions of a format, without what stands between them.
func conversions(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		from := i
		for i++; i < len(text) && strings.IndexByte("-+ #0123456789.*'hlLqjztIwVv$", text[i]) >= 0; i++ {
		}
		b.WriteString(text[from:min(i+1, len(text))])
	}
	return b.String()
}
