package sema

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"comus/cfront/command"
	"comus/cfront/read"
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/internal/secondreader"
)

// secondOurs is what our front end makes of a unit, in the terms of the second reader.
type secondOurs struct {
	c     *checker
	in    *syntax.Input
	facts secondreader.Facts
	items []*secondreader.Item
}

// readOurs reads a unit with our front end.
func readOurs(file, text string, opts read.Options) (o *secondOurs, err error) {
	inv := command.Invocation{File: file}
	var in *syntax.Input
	if text == "" {
		in, _, err = read.Tokens(context.Background(), inv, opts)
	} else {
		in, _, err = read.Text(context.Background(), []byte(text), inv, opts)
	}
	if err != nil {
		return nil, err
	}
	in.Dialect(false)
	o = &secondOurs{in: in, c: newChecker(in, command.Flags{})}
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(*syntax.Error)
			if !ok {
				panic(p)
			}
			o, err = nil, e
		}
	}()
	seen := []*scope{o.c.file}
	o.c.seen = &seen
	ast, err := syntax.Parse(in)
	if err != nil {
		return nil, err
	}
	for _, it := range ast.Items {
		o.c.external(it)
	}
	if o.c.failed.any() {
		return nil, o.c.failed.err()
	}
	o.c.finish()
	known := map[*symbol]bool{}
	for _, s := range seen {
		o.scope(s, known)
	}
	for _, f := range o.c.unit.Funcs {
		if f.Body != nil {
			o.cases(reflect.ValueOf(f.Body.Stmts))
		}
	}
	for _, it := range ast.Items {
		o.item(it)
	}
	return o, nil
}

// place is where a token is, as the second reader has it.
func (o *secondOurs) place(p types.Pos) secondreader.Place {
	out := secondreader.Place{File: filepath.Base(p.File), Line: p.Line, Col: p.Col}
	if o.in.System[p.File] {
		out.Col = 0
	}
	return out
}

func (o *secondOurs) add(kind, name string, p types.Pos, is map[string]string) {
	if p.Line > 0 {
		o.facts = append(o.facts, &secondreader.Fact{Kind: kind, Name: name, At: o.place(p), Is: is})
	}
}

func (o *secondOurs) scope(s *scope, known map[*symbol]bool) {
	for name, s := range s.names {
		if known[s] || s.implicit || s.library || name == "" {
			continue
		}
		known[s] = true
		switch s.kind {
		case constSym:
			o.add("enumerator", name, s.pos, map[string]string{"value": s.val.String()})
		case typedefSym:
			o.add("typedef", name, s.pos, describedFacts(s.typ))
		case funcSym:
			o.add("function", name, s.pos, map[string]string{"type": described(s.typ, true), "linkage": linkageName(s.f.Linkage)})
		default:
			if s.param {
				o.add("parameter", name, s.pos, map[string]string{"type": described(s.v.Type, true)})
				continue
			}
			is := describedFacts(s.v.Type)
			is["linkage"] = linkageName(s.v.Linkage)
			if is["alignment"] != "" {
				is["alignment"] = strconv.FormatInt(s.v.Align, 10)
			}
			if s.v.Init != nil {
				is["bytes"] = secondreader.Hex(image(s.v))
			}
			o.add("object", name, s.pos, is)
		}
	}
	for tag, t := range s.tags {
		if t.Rec != nil && t.IsComplete() {
			o.add("tag", tag, t.Rec.Pos, describedFacts(t))
		}
	}
}

func linkageName(l tree.Linkage) string { return [...]string{"None", "Internal", "External"}[l] }

// described writes a type as the second reader does.
func described(t *types.Type, whole bool) string {
	switch t.Kind {
	case types.Vector:
		return fmt.Sprintf("vector(%d, %s)", t.Size, described(t.Elem, whole))
	case types.Pointer:
		return "pointer(" + described(t.Elem, false) + ")"
	case types.Array:
		n := "?"
		switch {
		case t.Len >= 0:
			n = strconv.FormatInt(t.Len, 10)
		case t.VLA != nil:
			n = "*"
		}
		return "array(" + n + ", " + described(t.Elem, whole) + ")"
	case types.Func:
		var ps []string
		for _, p := range t.Params {
			ps = append(ps, described(p, false))
		}
		if t.Variadic {
			ps = append(ps, "...")
		}
		if t.NoProto {
			ps = []string{"?"}
		}
		return "function(" + strings.Join(ps, ", ") + ") " + described(t.Elem, false)
	case types.VaList:
		return secondreader.VaList
	case types.Complex:
		return "_Complex " + described(t.Elem, false)
	case types.Struct, types.Union:
		return describedRecord(t, whole)
	}
	if t.Enum != nil {
		s := "enum " + t.Enum.Tag
		if t.Enum.Complete {
			base := *t
			base.Enum, base.Quals = nil, 0
			s += ":" + base.String()
		}
		return s
	}
	u := *t
	u.Quals = 0
	return u.String()
}

func describedRecord(t *types.Type, whole bool) string {
	s := map[bool]string{false: "struct ", true: "union "}[t.Kind == types.Union] + t.Rec.Tag
	if !whole || !t.IsComplete() {
		return s
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s{%d/%d", s, t.Size, t.Align)
	for _, f := range t.Rec.Fields {
		switch {
		case f.BitField && (f.Name == "" || f.Width == 0):
		case f.BitField:
			fmt.Fprintf(&b, "; %s@bit %d:%d %s", f.Name, f.Offset*8+int64(f.BitOffset), f.Width, described(f.Type, false))
		default:
			fmt.Fprintf(&b, "; %s@%d %s", f.Name, f.Offset, described(f.Type, true))
		}
	}
	return b.String() + "}"
}

func describedFacts(t *types.Type) map[string]string {
	is := map[string]string{"type": described(t, true)}
	if t.IsComplete() && !t.IsVLA() && t.Kind != types.Void && t.Kind != types.Func {
		is["size"] = strconv.FormatInt(t.Size, 10)
		is["alignment"] = strconv.FormatInt(t.Align, 10)
	}
	return is
}

// cases looks for labels of cases.
func (o *secondOurs) cases(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			o.cases(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			o.cases(v.Index(i))
		}
	case reflect.Pointer:
		switch x := v.Interface().(type) {
		case *tree.Switch:
			for _, k := range x.Cases {
				o.add("case", "", k.Site.Pos, map[string]string{"value": k.Lo.String(), "last": k.Hi.String()})
			}
		case *tree.Var, *tree.Func, *tree.Label, *tree.Site, *types.Type, *types.Field:
			return
		}
		if !v.IsNil() {
			o.cases(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if n := v.Type().Field(i); n.IsExported() && n.Name != "Cases" && n.Name != "Default" {
				o.cases(v.Field(i))
			}
		}
	}
}

// item notes the tokens of an item of file scope and the spans of its nodes, as cc has them: for it, __extension__ is a macro without text, and adjacent
// literals are one.
func (o *secondOurs) item(n syntax.Node) {
	s := n.At()
	it := &secondreader.Item{Spans: map[secondreader.Span]bool{}}
	before := make([]int, s.Last-s.First+2) // how many tokens that count are before each
	for i := s.First; i <= s.Last; i++ {
		t := &o.in.Tokens[i]
		before[i-s.First] = len(it.Tokens)
		if len(it.Tokens) == 0 {
			it.At = o.place(t.Pos)
		}
		switch {
		case t.Kind == syntax.Pragma || t.Text == "__extension__":
		case t.Kind == syntax.String && len(it.Tokens) > 0 && t.Text[0] == '"' && strings.HasSuffix(it.Tokens[len(it.Tokens)-1], `"`):
			last := &it.Tokens[len(it.Tokens)-1] // cc has joined literals
			*last = (*last)[:len(*last)-1] + t.Text[1:]
			before[i-s.First]--
		case t.Text == "__FUNCTION__" || t.Text == "__PRETTY_FUNCTION__":
			it.Tokens = append(it.Tokens, "__func__")
		default:
			it.Tokens = append(it.Tokens, t.Text)
		}
	}
	before[len(before)-1] = len(it.Tokens)
	o.spans(reflect.ValueOf(n), func(kind byte, p syntax.Span) {
		first, last := before[p.First-s.First], before[p.Last-s.First+1]-1
		it.Spans[secondreader.Span{Kind: kind, First: first, Last: last}] = true
	})
	o.items = append(o.items, it)
}

func (o *secondOurs) spans(v reflect.Value, add func(byte, syntax.Span)) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(syntax.Node); ok && v.Kind() == reflect.Pointer {
			if k := spanKind(n); k != 0 {
				add(k, n.At())
			}
		}
		o.spans(v.Elem(), add)
	case reflect.Slice:
		for i := range v.Len() {
			o.spans(v.Index(i), add)
		}
	case reflect.Struct:
		switch address(v).(type) {
		case *syntax.Asm, *syntax.Attr:
			return
		}
		if l, ok := address(v).(*syntax.CompoundLit); ok { // cc's has no initialiser of its own, but the list
			o.spans(reflect.ValueOf(l.Type), add)
			o.spans(reflect.ValueOf(l.Init.List), add)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				o.spans(v.Field(i), add)
			}
		}
	}
}

func address(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	return nil
}

func spanKind(n syntax.Node) byte {
	switch n := n.(type) {
	case *syntax.Block, *syntax.ExprStmt, *syntax.If, *syntax.Switch, *syntax.While, *syntax.For, *syntax.Case, *syntax.Default, *syntax.Labeled,
		*syntax.Goto, *syntax.Jump, *syntax.Return, *syntax.Asm:
		return 's'
	case *syntax.Declaration:
		return 'd'
	case *syntax.TypeName:
		return 't'
	case *syntax.Init:
		return 'i'
	case *syntax.Declarator:
		if n.Name != "" {
			return 'r'
		}
	case *syntax.Binary: // cc has a list for a, b, c
		if n.Op != "," {
			return 'e'
		}
	case syntax.Expr:
		return 'e'
	}
	return 0
}
