package sema

import (
	"regexp"
	"strconv"
	"strings"

	"comus/cfront/syntax"
	"comus/cfront/types"
)

// attrs are the attributes that matter, of one declaration.
type attrs struct {
	align       int64 // 0: none
	packed      bool
	transparent bool
	noreturn    bool
	weak        bool
	common      bool
	gnuInline   bool
	ms, gcc     bool
	bigEndian   bool
	mode        string
	vector      int64 // bytes
	cleanup     string
	cleanupAt   *syntax.Attr
	ctor, dtor  *int
	alias       string
	weakref     bool
	ifunc       string
}

// noAttrs are no attributes; nobody changes them.
var noAttrs = &attrs{}

// attributes reads lists of attributes.
func (c *checker) attributes(lists ...[]*syntax.Attr) *attrs {
	some := 0
	for _, l := range lists {
		some += len(l)
	}
	if some == 0 {
		return noAttrs
	}
	a := &attrs{}
	for _, l := range lists {
		for _, x := range l {
			c.attribute(a, x)
		}
	}
	return a
}

func (c *checker) attribute(a *attrs, x *syntax.Attr) {
	switch x.Name {
	case "aligned":
		a.align = max(a.align, c.attrAlign(x))
	case "packed":
		a.packed = true
	case "transparent_union":
		a.transparent = true
	case "noreturn", "_Noreturn":
		a.noreturn = true
	case "weak":
		a.weak = true
	case "common":
		a.common = true
	case "gnu_inline":
		a.gnuInline = true
	case "ms_struct":
		a.ms = true
	case "gcc_struct":
		a.gcc = true
	case "scalar_storage_order":
		if s := attrString(x, 0); strings.HasPrefix(s, "big") {
			a.bigEndian = true
		}
	case "mode":
		if len(x.Args) == 1 {
			if n, ok := x.Args[0].(*syntax.NameExpr); ok {
				a.mode = strings.Trim(n.Name, "_")
			}
		}
	case "vector_size":
		c.attrVector(a, x)
	case "cleanup":
		if len(x.Args) == 1 {
			if n, ok := x.Args[0].(*syntax.NameExpr); ok {
				a.cleanup, a.cleanupAt = n.Name, x
			}
		}
		if a.cleanup == "" {
			c.fail(x, "cleanup argument not an identifier")
		}
	case "constructor":
		a.ctor = c.attrPriority(x)
	case "destructor":
		a.dtor = c.attrPriority(x)
	case "alias":
		a.alias = attrString(x, 0)
	case "weakref":
		a.weakref, a.weak = true, true
		if s := attrString(x, 0); s != "" {
			a.alias = s
		}
	case "section":
		if s := attrString(x, 0); runsOutside.MatchString(s) {
			c.fail(x, "section ‘%s’ holds what runs before main or after the program, which is not supported: use the attributes constructor and destructor", s)
		}
	case "ifunc":
		a.ifunc = attrString(x, 0)
	}
}

// runsOutside matches the sections with code, or pointers to functions, that run before main or at the end of a program.
var runsOutside = regexp.MustCompile(`^\.(preinit_array|init_array|fini_array|ctors|dtors|init|fini)(\.|$)`)

// attrString is an argument that is a string literal; "" if it is none.
func attrString(x *syntax.Attr, i int) string {
	if i >= len(x.Args) {
		return ""
	}
	s, ok := x.Args[i].(*syntax.StringExpr)
	if !ok {
		return ""
	}
	out := ""
	for _, p := range s.Parts {
		if v, err := strconv.Unquote(p); err == nil {
			out += v
		}
	}
	return out
}

// attrAlign is the alignment that an aligned attribute asks for.
func (c *checker) attrAlign(x *syntax.Attr) int64 {
	if len(x.Args) == 0 {
		return 16
	}
	v, ok := c.evalInt(c.value(x.Args[0]))
	if !ok {
		c.fail(x, "requested alignment is not an integer constant")
	}
	n := v.Int64()
	if n == 0 {
		return 0
	}
	if !v.IsInt64() || n < 0 || n&(n-1) != 0 {
		c.fail(x, "requested alignment ‘%v’ is not a positive power of 2", v)
	}
	if n > 1<<28 {
		c.fail(x, "requested alignment ‘%v’ exceeds maximum 268435456", v)
	}
	return n
}

func (c *checker) attrVector(a *attrs, x *syntax.Attr) {
	if len(x.Args) != 1 {
		c.fail(x, "wrong number of arguments specified for ‘vector_size’ attribute")
	}
	v, ok := c.evalInt(c.value(x.Args[0]))
	if !ok || !v.IsInt64() || v.Sign() <= 0 {
		c.fail(x, "‘vector_size’ attribute argument is not a positive integer constant")
	}
	a.vector = v.Int64()
}

// attrPriority is the priority of a constructor or destructor.
func (c *checker) attrPriority(x *syntax.Attr) *int {
	p := 65535
	if len(x.Args) == 1 {
		v, ok := c.evalInt(c.value(x.Args[0]))
		if !ok || !v.IsInt64() || v.Int64() < 0 || v.Int64() > 65535 {
			c.fail(x, "constructor and destructor priorities must be integers from 0 to 65535 inclusive")
		}
		p = int(v.Int64())
	}
	return &p
}

// retype gives a type what the attributes mode and vector_size say.
func (c *checker) retype(n syntax.Node, t *types.Type, a *attrs) *types.Type {
	if a.mode != "" {
		t = c.moded(n, t, a.mode)
	}
	if a.vector > 0 {
		t = c.vectorized(n, t, a.vector)
	}
	return t
}

// through applies f to the type at the end of pointers, arrays and functions.
func (c *checker) through(t *types.Type, f func(*types.Type) *types.Type) *types.Type {
	switch t.Kind {
	case types.Pointer:
		return c.t.Pointer(c.through(t.Elem, f)).With(t.Quals)
	case types.Array:
		if t.VLA != nil {
			return types.VLAOf(c.through(t.Elem, f), t.VLA)
		}
		return types.ArrayOf(c.through(t.Elem, f), t.Len)
	case types.Func:
		ft := *t
		ft.Elem = c.through(t.Elem, f)
		return &ft
	}
	return f(t)
}

// vectorized makes vectors of so many bytes of the scalar in a type.
func (c *checker) vectorized(n syntax.Node, t *types.Type, bytes int64) *types.Type {
	return c.through(t, func(e *types.Type) *types.Type {
		if !e.IsReal() || e.Kind == types.Bool {
			c.fail(n, "invalid vector type for attribute ‘vector_size’")
		}
		if bytes%e.Size != 0 {
			c.fail(n, "vector size not an integral multiple of component size")
		}
		k := bytes / e.Size
		if k&(k-1) != 0 {
			c.fail(n, "number of vector components %d not a power of two", k)
		}
		return types.VectorOf(e.Unqualified(), k).With(e.Quals)
	})
}

// moded applies the attribute mode.
func (c *checker) moded(n syntax.Node, t *types.Type, mode string) *types.Type {
	bits := map[string]int{"QI": 8, "byte": 8, "HI": 16, "SI": 32, "DI": 64, "TI": 128,
		"word": c.t.PointerBits, "pointer": c.t.PointerBits, "unwind_word": c.t.PointerBits,
		"libgcc_cmp_return": c.t.PointerBits, "libgcc_shift_count": c.t.PointerBits}
	floats := map[string]*types.Type{"HF": c.t.Float16, "SF": c.t.Float, "DF": c.t.Double, "XF": c.t.LongDouble, "TF": c.t.Float128}
	if t.Kind == types.Pointer {
		return t
	}
	base := t.Unqualified()
	var to *types.Type
	switch {
	case strings.HasPrefix(mode, "V"):
		i := 1
		for i < len(mode) && mode[i] >= '0' && mode[i] <= '9' {
			i++
		}
		k, _ := strconv.Atoi(mode[1:i])
		e := c.moded(n, base, mode[i:])
		if k == 0 {
			c.fail(n, "unknown machine mode ‘%s’", mode)
		}
		return types.VectorOf(e, int64(k)).With(t.Quals)
	case base.IsInteger() && bits[mode] != 0:
		to = c.t.IntOf(bits[mode], base.Signed)
		if base.Enum != nil {
			e := *to
			e.Enum = base.Enum
			to = &e
		}
	case base.Kind == types.Float && floats[mode] != nil:
		to = floats[mode]
	case base.Kind == types.Complex && len(mode) == 2 && mode[1] == 'C' && floats[mode[:1]+"F"] != nil:
		to = types.ComplexOf(floats[mode[:1]+"F"])
	}
	if to == nil {
		if bits[mode] == 0 && floats[mode] == nil {
			c.fail(n, "unknown machine mode ‘%s’", mode)
		}
		c.fail(n, "mode ‘%s’ applied to inappropriate type", mode)
	}
	return to.With(t.Quals)
}
