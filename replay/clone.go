package replay

import (
	"reflect"
	"slices"

	"comus/cir"
)

// cloner copies a program so that instructions can be put between its own.
type cloner struct {
	funcs   map[*cir.Func]*cir.Func
	globals map[*cir.Global]*cir.Global
	blocks  map[*cir.Block]*cir.Block
}

// clone returns a copy of a program whose functions, blocks, instructions and globals are new. Registers and locals are
// those of the original.
func clone(p *cir.Program) *cir.Program {
	c := &cloner{map[*cir.Func]*cir.Func{}, map[*cir.Global]*cir.Global{}, map[*cir.Block]*cir.Block{}}
	q := *p
	q.Funcs, q.Globals = nil, nil
	for _, f := range p.Funcs {
		g := *f
		g.Blocks, g.Locals = nil, slices.Clone(f.Locals)
		c.funcs[f] = &g
		q.Funcs = append(q.Funcs, &g)
		for _, b := range f.Blocks {
			d := *b
			c.blocks[b] = &d
			g.Blocks = append(g.Blocks, &d)
		}
	}
	for _, x := range p.Globals {
		y := *x
		c.globals[x] = &y
		q.Globals = append(q.Globals, &y)
	}
	for _, x := range q.Globals {
		x.Relocs = slices.Clone(x.Relocs)
		for i, r := range x.Relocs {
			x.Relocs[i].Target = c.value(r.Target).(cir.Symbol)
		}
	}
	for _, f := range q.Funcs {
		for _, b := range f.Blocks {
			b.Instrs = slices.Clone(b.Instrs)
			for i, in := range b.Instrs {
				b.Instrs[i] = c.instr(in)
			}
			b.Term = c.term(b.Term)
		}
	}
	q.Entry = c.funcs[p.Entry]
	q.Constructors, q.Destructors = c.functions(p.Constructors), c.functions(p.Destructors)
	return &q
}

func (c *cloner) functions(fs []*cir.Func) []*cir.Func {
	var out []*cir.Func
	for _, f := range fs {
		out = append(out, c.funcs[f])
	}
	return out
}

// value returns what stands for an operand.
func (c *cloner) value(v cir.Value) cir.Value {
	switch v := v.(type) {
	case *cir.Func:
		return c.funcs[v]
	case *cir.Global:
		return c.globals[v]
	case *cir.Block:
		return c.blocks[v]
	}
	return v
}

// shallow copies what a pointer points to.
func shallow[T any](x T) T {
	v := reflect.New(reflect.TypeOf(x).Elem())
	v.Elem().Set(reflect.ValueOf(x).Elem())
	return v.Interface().(T)
}

func (c *cloner) instr(in cir.Instr) cir.Instr {
	out := shallow(in)
	switch out := out.(type) {
	case *cir.Call:
		out.Args = slices.Clone(out.Args)
	case *cir.Intrinsic:
		out.Args = slices.Clone(out.Args)
	}
	cir.Rewrite(out, c.value)
	return out
}

func (c *cloner) term(t cir.Term) cir.Term {
	out := shallow(t)
	switch out := out.(type) {
	case *cir.Jump:
		out.To, out.Args = c.blocks[out.To], slices.Clone(out.Args)
	case *cir.Branch:
		out.Then, out.Else = c.blocks[out.Then], c.blocks[out.Else]
		out.ThenArgs, out.ElseArgs = slices.Clone(out.ThenArgs), slices.Clone(out.ElseArgs)
	case *cir.Switch:
		out.Cases = slices.Clone(out.Cases)
		for i := range out.Cases {
			out.Cases[i].To = c.blocks[out.Cases[i].To]
		}
		out.Default = c.blocks[out.Default]
	case *cir.IndirectJump:
		out.Targets = slices.Clone(out.Targets)
		for i, b := range out.Targets {
			out.Targets[i] = c.blocks[b]
		}
	}
	cir.RewriteTerm(out, c.value)
	return out
}
