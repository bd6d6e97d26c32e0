package scancheck

import (
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/points"
)

// calledBack returns the copies of functions of the program that may be called, by code outside, during a call of a copy. Who has a contract
// calls only what it is given to be called, what was kept in a state that it has to do with, and what stands in variables of the library; all others may
// call whatever is known outside.
func (p *program) calledBack(c points.Copy, call *cir.Call, outside bool) []int {
	var from []*points.Object
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
		if !direct && (len(to) == 0 || slices.ContainsFunc(to, func(l points.Location) bool { return l.Obj.External })) {
			return p.back
		}
		for _, o := range p.pts.Objects {
			if o.Global != nil && o.Global.External {
				from = append(from, o)
			}
		}
	}
	// What memory outside holds is none that these functions look for: what they call they were given.
	from = slices.DeleteFunc(from, func(o *points.Object) bool { return o.External })
	return p.functionsFrom(from)
}

// functionsFrom returns the functions of the program that can be reached from some objects, without those that are found in memory outside only.
func (p *program) functionsFrom(from []*points.Object) (list []int) {
	seen := map[*points.Object]bool{}
	for work := from; len(work) > 0; {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[o] || o.External {
			continue
		}
		seen[o] = true
		if m, ok := p.number[points.Copy{Func: o.Func}]; ok && o.IsFunc() && len(o.Func.Blocks) > 0 {
			list = append(list, m)
		}
		for _, l := range p.pts.Held(o) {
			work = append(work, l.Obj)
		}
	}
	slices.Sort(list)
	return list
}

// fits reports whether a call has the arguments that a contract speaks of.
func fits(k *contract.Function, call *cir.Call) bool {
	formats := slices.ContainsFunc(k.Params, func(p contract.Param) bool { return p.Format != contract.NoFormat })
	return len(k.Params) <= len(call.Args) && (k.Variadic != nil || len(k.Params) == len(call.Args) || formats)
}

// callable returns what the arguments of a call point to, if one of them is called by the function.
func (p *program) callable(c points.Copy, call *cir.Call, k *contract.Function) (from []*points.Object) {
	calls := false
	for i := range call.Args {
		calls = calls || i < len(k.Params) && len(k.Params[i].Calls) > 0 || i >= len(k.Params) && k.Variadic != nil && len(k.Variadic.Calls) > 0
	}
	if calls {
		for _, arg := range call.Args {
			for _, l := range p.pts.Places(c.Func, c.Ctx, arg.X) {
				from = append(from, l.Obj)
			}
		}
	}
	return from
}

// keptFor returns what is kept in the states that a function has to do with.
func (p *program) keptFor(k *contract.Function) (from []*points.Object) {
	states := slices.Concat(k.Reads, k.Writes)
	params := k.Params
	if k.Variadic != nil {
		params = append(slices.Clip(params), *k.Variadic)
	}
	for _, q := range params {
		if s, ok := contract.Default().StateOf(q.Handle); ok {
			states = append(states, s)
		}
		for _, keep := range q.Keeps {
			states = append(states, keep.State)
		}
	}
	for _, s := range states {
		for _, l := range p.pts.KeptIn(s) {
			from = append(from, l.Obj)
		}
	}
	return from
}
