package scancheck

import (
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
)

// calledBack returns the copies of functions of the program that may be called, by code outside, during a call of a copy. Who has a contract
// calls only what it is given to be called, what was kept in a state that it has to do with, and what stands in variables of the library; all others may
// call whatever is known outside.
func (p *program) calledBack(c pointsto.Copy, call *cir.Call, outside bool) []int {
	var from, hooks []*pointsto.Object
	for _, f := range p.pts.Callees(c.Func, c.Ctx, call) {
		switch {
		case len(f.Blocks) == 0:
			k := contractOf(call, f)
			if k == nil || !fits(k, call) {
				return p.back
			}
			from = append(from, p.callable(c, call, k)...)
			from = append(from, p.keptFor(k)...)
		case f.Library && !c.Func.Library:
			if k, ok := contract.Lookup(f.Source); ok {
				from = append(from, p.keptFor(k)...)
			}
		}
	}
	if _, direct := call.Callee.(*cir.Func); outside {
		to := p.pts.Places(c.Func, c.Ctx, call.Callee)
		if !direct && (len(to) == 0 || slices.ContainsFunc(to, func(l pointsto.Location) bool { return l.Obj.External })) {
			return p.back
		}
		for _, o := range p.pts.Objects {
			if o.Global != nil && o.Global.External {
				hooks = append(hooks, o)
			}
		}
	}
	list := append(p.functions(p.reachable(from)), p.functions(p.hooked(hooks))...)
	slices.Sort(list)
	return slices.Compact(list)
}

// hooked returns what can be reached from variables of the library, but not by way of its memory.
func (p *program) hooked(work []*pointsto.Object) map[*pointsto.Object]bool {
	seen := map[*pointsto.Object]bool{}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[o] || o.External {
			continue
		}
		seen[o] = true
		for _, l := range p.pts.Held(o) {
			work = append(work, l.Obj)
		}
	}
	return seen
}

// functions returns the functions among some objects, as far as code outside may call them at all.
func (p *program) functions(objects map[*pointsto.Object]bool) (list []int) {
	for o := range objects {
		if m, ok := p.number[pointsto.Copy{Func: o.Func}]; ok && o.IsFunc() && slices.Contains(p.back, m) {
			list = append(list, m)
		}
	}
	return list
}

// fits reports whether a call has the arguments that a contract speaks of.
func fits(k *contract.Function, call *cir.Call) bool {
	formats := slices.ContainsFunc(k.Params, func(p contract.Param) bool { return p.Format != contract.NoFormat })
	return len(k.Params) <= len(call.Args) && (k.Variadic != nil || len(k.Params) == len(call.Args) || formats)
}

// callable returns what the arguments of a call point to that lead to what the function calls.
func (p *program) callable(c pointsto.Copy, call *cir.Call, k *contract.Function) (from []*pointsto.Object) {
	for i, arg := range call.Args {
		if i < len(k.Params) && len(k.Params[i].Calls) > 0 || i >= len(k.Params) && k.Variadic != nil && len(k.Variadic.Calls) > 0 {
			for _, l := range p.pts.Places(c.Func, c.Ctx, arg.X) {
				from = append(from, l.Obj)
			}
		}
	}
	return from
}

// keptFor returns what is kept, to be called, in the states that a function has to do with.
func (p *program) keptFor(k *contract.Function) (from []*pointsto.Object) {
	states := slices.Concat(k.Reads, k.Writes)
	params := k.Params
	if k.Variadic != nil {
		params = append(slices.Clip(params), *k.Variadic)
	}
	for _, q := range params {
		if s, ok := contract.Default().StateOf(q.Handle); ok {
			states = append(states, s)
		}
		for _, keep := range q.Retains {
			states = append(states, keep.State)
		}
	}
	for _, s := range states {
		for _, l := range p.pts.KeptToCall(s) {
			from = append(from, l.Obj)
		}
	}
	return from
}
