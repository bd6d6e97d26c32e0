package outside

import (
	"context"
	"fmt"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
)

// CallBack returns a program in which code outside calls what it may call; the same one if it calls nothing. pts is what pointsto.Analyse found of the
// program. The error is that of the context.
func CallBack(ctx context.Context, p *cir.Program, pts *pointsto.Result) (*cir.Program, error) {
	if !pts.FindsFunctions() {
		return p, nil
	}
	open, err := pointsto.AnalyseOpen(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(callsBack(p, open)) == 0 {
		return p, nil
	}
	c := p.Clone()
	if open, err = pointsto.AnalyseOpen(ctx, c); err != nil {
		return nil, err
	}
	m := &maker{prog: c, pts: open, copies: copiesOf(open), names: map[string]bool{}}
	for _, f := range c.Funcs {
		m.names[f.Name] = true
	}
	for _, s := range callsBack(c, open) {
		s.block.Instrs[s.at] = m.replace(s)
	}
	return c, ctx.Err()
}

// site is a call by which code outside may call functions of the program.
type site struct {
	f     *cir.Func
	block *cir.Block
	at    int
	call  *cir.Call
	back  []*cir.Func // in the order in which they are found
}

// copiesOf returns the contexts in which functions were analysed.
func copiesOf(pts *pointsto.Result) map[*cir.Func][]pointsto.Copy {
	copies := map[*cir.Func][]pointsto.Copy{}
	for _, c := range pts.Copies() {
		copies[c.Func] = append(copies[c.Func], c)
	}
	return copies
}

// callsBack returns these calls, in the order of the program.
func callsBack(p *cir.Program, pts *pointsto.Result) (list []*site) {
	copies := copiesOf(pts)
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for i, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || call.Unknown == cir.Pure {
					continue
				}
				s := &site{f: f, block: b, at: i, call: call}
				for _, c := range copies[f] {
					for _, g := range pts.CalledBack(c, call) {
						if !slices.Contains(s.back, g.Func) {
							s.back = append(s.back, g.Func)
						}
					}
				}
				if len(s.back) > 0 {
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// maker makes the functions.
type maker struct {
	prog   *cir.Program
	pts    *pointsto.Result
	copies map[*cir.Func][]pointsto.Copy
	names  map[string]bool
}

// add adds a function to the program.
func (m *maker) add(source string, pos cir.Pos) *cir.Func {
	name := ""
	for i := 1; name == "" || m.names[name]; i++ {
		name = fmt.Sprintf("comus.calls.%s.%d", source, i)
	}
	m.names[name] = true
	f := &cir.Func{Name: name, Source: source, Library: true, Pos: pos}
	m.prog.Funcs = append(m.prog.Funcs, f)
	return f
}

// nameOf returns the name of the function that is called.
func nameOf(call *cir.Call) string {
	if f, ok := call.Callee.(*cir.Func); ok {
		return f.Source
	}
	return "a function that is not known"
}

// replace returns what a call becomes: one of a function that calls back, and calls what was called.
func (m *maker) replace(s *site) *cir.Call {
	out := *s.call
	out.Unknown, out.Args = cir.Known, nil
	w := &writer{maker: m, site: s, f: m.add(nameOf(s.call), s.f.Pos), info: cir.Info{Site: s.call.Site}}
	inner := *s.call
	param := func(a cir.Arg) cir.Value {
		switch x := a.X.(type) {
		case cir.Int, cir.Float, cir.Null, cir.Undef, *cir.Global, *cir.Func:
			if a.ByVal == nil {
				return x
			}
		}
		r := w.reg(m.prog.Model.TypeOf(a.X))
		p := cir.Param{Reg: r, ByVal: a.ByVal, Name: fmt.Sprintf("a%d", len(w.f.Params))}
		if a.ByVal != nil {
			p.Align = int64(m.prog.Model.PointerBits / 8)
		}
		w.f.Params = append(w.f.Params, p)
		out.Args = append(out.Args, a)
		return r
	}
	if _, direct := inner.Callee.(*cir.Func); !direct {
		inner.Callee = param(cir.Arg{X: inner.Callee})
	}
	inner.Args = nil
	for _, a := range s.call.Args {
		inner.Args = append(inner.Args, cir.Arg{X: param(a), ByVal: a.ByVal})
	}
	out.Callee, out.Fixed = w.f, len(out.Args)
	w.call = &inner
	w.write()
	return &out
}

// contract returns the contract of what is called, nil if it has none.
func (s *site) contract() *contract.Function {
	f, ok := s.call.Callee.(*cir.Func)
	if !ok {
		return nil
	}
	return pointsto.ContractOf(s.call, f)
}

// hasBody reports whether what is called is a model, or may be a function of the program.
func (s *site) hasBody() bool {
	f, ok := s.call.Callee.(*cir.Func)
	return !ok || len(f.Blocks) > 0
}

// inThread reports whether functions are called at any time in other threads.
func inThread(c *contract.Function) bool {
	if c == nil {
		return false
	}
	later := func(x contract.Call) bool { return x.When == contract.InThread || x.When == contract.AsSignal }
	return slices.ContainsFunc(c.Params, func(p contract.Param) bool { return slices.ContainsFunc(p.Calls, later) }) ||
		c.Variadic != nil && slices.ContainsFunc(c.Variadic.Calls, later)
}
