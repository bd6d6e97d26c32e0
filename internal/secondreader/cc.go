package secondreader

import (
	"maps"
	"slices"
	"strconv"

	"modernc.org/cc/v4"
)

// Facts returns what cc knows of each declaration of the unit.
func (u *Unit) Facts() Facts {
	f := &facts{u: u, file: map[string]*Fact{}, statics: map[*cc.Declarator]*cc.Initializer{}, params: map[any]bool{}}
	for l := u.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		f.walk(l.ExternalDeclaration)
	}
	f.scope(u.ast.Scope)
	return f.out
}

type facts struct {
	u       *Unit
	out     Facts
	file    map[string]*Fact // what has linkage
	statics map[*cc.Declarator]*cc.Initializer
	params  map[any]bool // *cc.Declarator, or the name and place of one of an old-style definition
}

func (f *facts) add(kind, name string, at cc.Node, is map[string]string) *Fact {
	x := &Fact{kind, name, f.u.r.place(at), is}
	if x.At.File != "<builtin>" && x.At.File != "<predefined>" && x.At.File != "." {
		f.out = append(f.out, x)
	}
	return x
}

// scope adds what is declared in a scope and in those within.
func (f *facts) scope(s *cc.Scope) {
	for _, name := range slices.Sorted(maps.Keys(s.Nodes)) {
		var ds []*cc.Declarator
		var tag cc.Node // where it is first
		for _, n := range s.Nodes[name] {
			switch n := n.(type) {
			case *cc.Declarator:
				if !n.IsSynthetic() && name != "__func__" { // cc declares it itself
					ds = append(ds, n)
				}
			case *cc.Enumerator:
				f.add("enumerator", name, n, map[string]string{"value": value(n.Value())})
			case *cc.Parameter: // of an old-style definition
				f.parameter(name, name+n.Position().String(), n, n.Type())
			case *cc.StructOrUnionSpecifier:
				if tag == nil {
					tag = n
				}
				if n.Case == cc.StructOrUnionSpecifierDef && n.Type() != cc.Invalid {
					f.add("tag", name, tag, typeFacts(n.Type()))
				}
			}
		}
		if len(ds) > 0 {
			f.declarators(name, ds, s.Parent == nil)
		}
	}
	for _, c := range s.Children {
		f.scope(c)
	}
}

// declarators adds a name that is declared in a scope, once or more than once.
func (f *facts) declarators(name string, ds []*cc.Declarator, file bool) {
	if ds[0].IsParam() {
		f.parameter(name, ds[0], ds[0], ds[0].Type())
		return
	}
	d, init := ds[0], (*cc.Initializer)(nil)
	for _, e := range ds {
		if better(e.Type(), d.Type()) || e.IsFuncDef() && !better(d.Type(), e.Type()) {
			d = e
		}
		if i := f.statics[e]; i != nil {
			d, init = e, i
			break
		}
	}
	linkage := d.Linkage()
	if linkage != cc.None {
		if p := f.u.r.place(ds[0]); !file && f.file[name] != nil {
			if first := f.file[name]; first.At.File == p.File && first.At.Line > p.Line {
				first.At = p
			}
			return
		}
	}
	is := typeFacts(d.Type())
	kind := "object"
	switch {
	case d.IsTypename():
		kind = "typedef"
	case d.Type().Kind() == cc.Function:
		kind = "function"
		is = map[string]string{"type": describe(d.Type(), true), "linkage": linkage.String()}
	default:
		is["linkage"] = linkage.String()
		if a := int64(d.Alignas()); a > 0 {
			is["alignment"] = strconv.FormatInt(max(a, int64(d.Type().Align())), 10)
		}
		if init != nil {
			is["bytes"] = bytesOf(d.Type(), init)
		}
	}
	if x := f.add(kind, name, ds[0], is); linkage != cc.None {
		f.file[name] = x
	}
}

// parameter adds a parameter, once: that of a definition is in two scopes.
func (f *facts) parameter(name string, which any, n cc.Node, t cc.Type) {
	if !f.params[which] {
		f.params[which] = true
		f.add("parameter", name, n, map[string]string{"type": describe(t.Decay(), true)})
	}
}

// better tells whether a type says more than another one of the same name.
func better(a, b cc.Type) bool {
	if fa, ok := a.(*cc.FunctionType); ok {
		fb, ok := b.(*cc.FunctionType)
		return ok && (fa.MaxArgs() >= 0 && fb.MaxArgs() < 0 && !fb.IsVariadic() || len(fa.Parameters()) > len(fb.Parameters()))
	}
	return !a.IsIncomplete() && b.IsIncomplete()
}

func typeFacts(t cc.Type) map[string]string {
	is := map[string]string{"type": describe(t, true)}
	vla := false
	for e, ok := t.(*cc.ArrayType); ok; e, ok = e.Elem().(*cc.ArrayType) {
		vla = vla || e.IsVLA()
	}
	if !t.IsIncomplete() && !vla && t.Kind() != cc.Void && t.Kind() != cc.Function {
		is["size"] = strconv.FormatInt(t.Size(), 10)
		is["alignment"] = strconv.Itoa(t.Align())
	}
	return is
}

// value writes a constant; "" if it is not known.
func value(v cc.Value) string {
	switch v := v.(type) {
	case cc.Int64Value:
		return strconv.FormatInt(int64(v), 10)
	case cc.UInt64Value:
		return strconv.FormatUint(uint64(v), 10)
	}
	return ""
}
