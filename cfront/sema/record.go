package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/types"
)

// record checks a struct or union specifier. alone tells that it is a declaration by itself.
func (c *checker) record(n *syntax.Record, alone bool) *types.Type {
	kind, word := types.Struct, "struct"
	if n.Union {
		kind, word = types.Union, "union"
	}
	var t *types.Type
	if n.Tag != "" {
		t = c.lookupTag(n.Tag, n.Body || alone)
		if t != nil && t.Kind != kind {
			c.fail(n, "‘%s’ defined as wrong kind of tag", n.Tag)
		}
	}
	if t == nil {
		t = &types.Type{Kind: kind, Size: -1, Align: 1, Rec: &types.Record{Tag: n.Tag, Union: n.Union, ID: c.id(), Pos: c.in.Pos(n.First)}}
		if n.Tag != "" {
			c.declareTag(n.Tag, t)
		}
	}
	if !n.Body {
		return t
	}
	if t.Rec.Complete {
		c.fail(n, "redefinition of ‘%s %s’", word, n.Tag)
	}
	if t.Rec.Packed { // being defined
		c.fail(n, "nested redefinition of ‘%s %s’", word, n.Tag)
	}
	c.members(n, t)
	return t
}

func (c *checker) declareTag(tag string, t *types.Type) {
	s := c.scope
	if s.tags == nil {
		s.tags = map[string]*types.Type{}
	}
	s.tags[tag] = t
}

// recordDef is a struct or union that is being defined.
type recordDef struct {
	c      *checker
	n      *syntax.Record
	rec    *types.Record
	fields []types.Field
	specs  []types.FieldSpec
	names  map[string]bool
}

// members checks the members and lays them out.
func (c *checker) members(n *syntax.Record, t *types.Type) {
	a := c.attributes(n.Attrs)
	d := &recordDef{c: c, n: n, rec: t.Rec, names: map[string]bool{}}
	for _, m := range n.Members {
		switch m := m.(type) {
		case *syntax.StaticAssert:
			c.staticAssert(m)
		case *syntax.Members:
			d.declaration(m)
		}
	}
	if t.Rec.Complete {
		c.fail(n, "nested redefinition of ‘%s’", t)
	}
	d.flexible()
	l := types.Layout{Union: n.Union, Packed: a.packed, Pack: n.Pack, Align: a.align, MS: (a.ms || n.MS) && !a.gcc}
	if n.Pack == 0 && c.flags.PackStruct > 0 {
		l.Pack = int64(c.flags.PackStruct)
	}
	if t.UserAlign {
		l.Align = max(l.Align, t.Align)
	}
	size, align, user := c.t.LayOut(l, d.fields, d.specs)
	t.Rec.Fields, t.Rec.Packed, t.Rec.Complete, t.Rec.Transparent = d.fields, a.packed, true, a.transparent && n.Union
	t.Rec.BigEndian = a.bigEndian || n.BigEnd
	if t.Rec.VLA {
		size = -1
	}
	t.Complete(size, align, user)
}

// declaration checks a declaration of members.
func (d *recordDef) declaration(m *syntax.Members) {
	c := d.c
	info := c.specs(m.Specs, len(m.Decls) == 0)
	if m.Specs.Storage != 0 {
		c.fail(m, "storage class specified for structure field")
	}
	if info.auto {
		c.fail(m, "‘__auto_type’ in structure field")
	}
	if len(m.Decls) == 0 {
		d.anonymous(m, info)
		return
	}
	for _, f := range m.Decls {
		d.member(f, info)
	}
}

// anonymous adds a struct or union without a name.
func (d *recordDef) anonymous(m *syntax.Members, info *specInfo) {
	c := d.c
	if !info.typ.IsRecord() || info.typ.Rec.Tag != "" && !(c.flags.MSExtensions) {
		return // declares nothing
	}
	if info.Base != syntax.RecordBase && !c.flags.MSExtensions {
		return
	}
	if !info.typ.IsComplete() && !info.typ.Rec.VLA {
		c.fail(m, "field has incomplete type")
	}
	d.checkNames(m, info.typ.Rec)
	d.add(types.Field{Type: info.typ}, types.FieldSpec{Align: max(info.attrs.align, info.align), Packed: info.attrs.packed})
}

// checkNames refuses members of an anonymous struct that are there already.
func (d *recordDef) checkNames(n syntax.Node, r *types.Record) {
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Name == "" {
			if f.Type.IsRecord() {
				d.checkNames(n, f.Type.Rec)
			}
			continue
		}
		d.name(n, f.Name)
	}
}

func (d *recordDef) name(n syntax.Node, name string) {
	if d.names[name] {
		d.c.fail(n, "duplicate member ‘%s’", name)
	}
	d.names[name] = true
}

func (d *recordDef) add(f types.Field, s types.FieldSpec) {
	if f.Type.IsVLA() {
		d.rec.VLA = true
	}
	if f.Type.IsVM() {
		d.rec.VM = true
	}
	d.fields = append(d.fields, f)
	d.specs = append(d.specs, s)
}

// member adds a member.
func (d *recordDef) member(m *syntax.MemberDecl, info *specInfo) {
	c := d.c
	t := info.typ
	name := ""
	var declAttrs []*syntax.Attr
	if m.Decl != nil {
		t = c.declarator(t, m.Decl, memberPlace)
		name = m.Decl.Name
		declAttrs = m.Decl.Attrs
	}
	a := c.attributes(m.Attrs, declAttrs)
	t = c.retype(m, t, a)
	label := "‘" + name + "’"
	if name == "" {
		label = "‘<anonymous>’"
	} else {
		d.name(m, name)
	}
	f := types.Field{Name: name, Type: t}
	spec := types.FieldSpec{Align: max(a.align, info.attrs.align)}
	if info.align > 0 {
		spec.Align = max(spec.Align, info.align)
	}
	packed := a.packed || info.attrs.packed
	if m.Bits != nil {
		d.bitField(m, &f, label, info)
		spec.Packed = packed
		if info.align > 0 {
			c.fail(m, "alignment specified for bit-field %s", label)
		}
	} else {
		spec.Packed = packed && t.Align > 1
		switch {
		case t.Kind == types.Func:
			c.fail(m, "field %s declared as a function", label)
		case t.Kind == types.Void:
			c.fail(m, "variable or field %s declared void", label)
		case !t.IsComplete() && !(t.Kind == types.Array && t.Len < 0 && t.VLA == nil):
			c.fail(m, "field %s has incomplete type", label)
		}
	}
	d.add(f, spec)
}

// bitField checks the width of a bit-field.
func (d *recordDef) bitField(m *syntax.MemberDecl, f *types.Field, label string, info *specInfo) {
	c := d.c
	t := f.Type
	if !t.IsInteger() || !t.IsComplete() {
		c.fail(m, "bit-field %s has invalid type", label)
	}
	x := c.value(m.Bits)
	if !x.Type().IsInteger() {
		c.fail(m.Bits, "bit-field %s width not an integer constant", label)
	}
	v, ok := c.evalInt(x)
	switch {
	case !ok:
		c.fail(m.Bits, "bit-field %s width not an integer constant", label)
	case v.Sign() < 0:
		c.fail(m.Bits, "negative width in bit-field %s", label)
	case !v.IsInt64() || v.Int64() > int64(t.Bits):
		c.fail(m.Bits, "width of %s exceeds its type", label)
	case v.Sign() == 0 && f.Name != "":
		c.fail(m.Bits, "zero width for bit-field %s", label)
	}
	f.BitField, f.Width = true, int(v.Int64())
	if c.flags.BitfieldsUnsigned && t.Enum == nil && t.Kind == types.Int && t.Signed && info.Signed == 0 && info.Base != syntax.NameBase {
		f.Type = c.t.IntOf(t.Bits, false).With(t.Quals)
	}
}

// flexible marks a flexible array member and refuses misplaced ones.
func (d *recordDef) flexible() {
	for i := range d.fields {
		f := &d.fields[i]
		if f.Type.Kind != types.Array || f.Type.Len >= 0 || f.Type.VLA != nil {
			continue
		}
		named := false
		for _, g := range d.fields[:i] {
			named = named || g.Name != "" || g.Type.IsRecord()
		}
		switch {
		case d.n.Union:
			d.c.fail(d.n, "flexible array member in union")
		case i != len(d.fields)-1:
			d.c.fail(d.n, "flexible array member not at end of struct")
		case !named:
			d.c.fail(d.n, "flexible array member in a struct with no named members")
		}
		f.Flexible = true
	}
}
