package pointsto

import (
	"maps"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
)

// CalledBack returns the copies of functions of the program that code outside may call during a call, by the thread that makes the call. A
// function that nobody knows may call whatever is known outside. One with a contract calls what it says: the functions that can be reached from
// its arguments, if some of them are called, and those that were kept, by any function, in a state that it touches or keeps something in. What a
// program stores in variables of the library (a hook) may be called by everyone. The slice is kept, and must not be changed.
func (r *Result) CalledBack(c Copy, call *cir.Call) []Copy {
	x := r.instance(c.Func, c.Ctx)
	if x == nil || !r.a.open {
		return nil
	}
	key := calledKey{x, call}
	list, known := r.back[key]
	if !known {
		if r.back == nil {
			r.back = map[calledKey][]Copy{}
		}
		list = r.calledBack(x, call)
		r.back[key] = list
	}
	return list
}

func (r *Result) calledBack(x *instance, call *cir.Call) []Copy {
	set := map[*instance]bool{}
	add := func(objects map[*Object]bool) {
		for o := range objects {
			if y := r.instance(o.Func, Context{}); o.IsFunc() && r.a.backs[y] {
				set[y] = true
			}
		}
	}
	outside := false
	to := r.Callees(x.fn, x.ctx, call)
	for _, f := range to {
		if len(f.Blocks) > 0 {
			if c, ok := contract.Lookup(f.Source); ok && f.Library && !x.fn.Library { // its model does what it says of its arguments itself
				add(r.closure(r.keptFor(c), true))
			}
			continue
		}
		outside = true
		c := ContractOf(call, f)
		if c == nil {
			return r.KnownOutside()
		}
		add(r.closure(r.calledBy(x, call, c), true))
	}
	if _, direct := call.Callee.(*cir.Func); !direct {
		if len(to) == 0 || slices.ContainsFunc(r.Places(x.fn, x.ctx, call.Callee), func(l Location) bool { return l.Obj.External }) {
			return r.KnownOutside()
		}
	}
	if outside {
		add(r.hooks())
	}
	return r.inOrder(set)
}

// calledBy returns the nodes of pointers from which the functions can be reached that a call of a function with a contract may call.
func (r *Result) calledBy(x *instance, call *cir.Call, c *contract.Function) (from []*node) {
	for i, arg := range call.Args {
		if p := c.Argument(i); p != nil && len(p.Calls) > 0 {
			from = append(from, r.a.value(x, arg.X))
		}
	}
	return append(from, r.keptFor(c)...)
}

// keptFor returns the nodes of what is kept to be called in the states that a function touches or keeps something in.
func (r *Result) keptFor(c *contract.Function) (from []*node) {
	states := slices.Concat(c.Reads, c.Writes)
	params := c.Params
	if c.Variadic != nil {
		params = append(slices.Clip(params), *c.Variadic)
	}
	for i := range params {
		for _, k := range params[i].Retains {
			states = append(states, k.State)
		}
		if s, ok := contract.Default().StateOf(params[i].Handle); ok {
			states = append(states, s)
		}
	}
	for _, s := range states {
		if k := r.a.kept[s]; k != nil {
			from = append(from, k.calls)
		}
	}
	return from
}

// closure returns the objects that can be reached from some pointers, through memory of the library or not.
func (r *Result) closure(from []*node, through bool) map[*Object]bool {
	seen := map[*Object]bool{}
	var work []*Object
	add := func(o *Object) {
		if !seen[o] && (through || !o.External) {
			seen[o] = true
			work = append(work, o)
		}
	}
	for _, n := range from {
		if n != nil {
			r.eachAim(n, add)
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range o.cells {
			r.eachAim(n, add)
		}
	}
	return seen
}

// hooks returns what can be reached from the variables of the library.
func (r *Result) hooks() map[*Object]bool {
	if r.hooked == nil {
		var from []*node
		for _, o := range r.Objects {
			if o.Global != nil && o.Global.External {
				for _, n := range o.cells {
					from = append(from, n)
				}
			}
		}
		r.hooked = r.closure(from, false)
	}
	return r.hooked
}

// Hooked reports whether a function can be reached from a variable of the library.
func (r *Result) Hooked(f *cir.Func) bool {
	for o := range r.hooks() {
		if o.IsFunc() && o.Func == f {
			return true
		}
	}
	return false
}

// FindsFunctions reports whether code outside of the program may find functions of it: among what it was given, what it keeps, or what can be reached from there.
func (r *Result) FindsFunctions() bool {
	from := []*node{r.a.cell(r.a.external, 0), r.a.given}
	for _, k := range r.a.kept {
		from = append(from, k.all, k.calls)
	}
	has := func(o *Object) bool { return o.IsFunc() && len(o.Func.Blocks) > 0 }
	for o := range r.closure(from, true) {
		if has(o) {
			return true
		}
	}
	for o := range r.hooks() {
		if has(o) {
			return true
		}
	}
	return false
}

// backCallers returns, for copies that code outside may call, the copies that call that code.
func (r *Result) backCallers() map[*instance][]*instance {
	callers := map[*instance][]*instance{}
	if !r.a.open {
		return callers
	}
	for _, x := range r.a.order {
		seen := map[*instance]bool{}
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, c := range r.CalledBack(Copy{x.fn, x.ctx}, call) {
					if y := r.instance(c.Func, c.Ctx); !seen[y] {
						seen[y] = true
						callers[y] = append(callers[y], x)
					}
				}
			}
		}
	}
	return callers
}

// gets returns the copies that a call may get to, by way of code outside, too.
func (r *Result) gets(x *instance, call *cir.Call) map[*instance]bool {
	back := r.CalledBack(Copy{x.fn, x.ctx}, call)
	if len(back) == 0 {
		return x.calls[call]
	}
	all := maps.Clone(x.calls[call])
	if all == nil {
		all = map[*instance]bool{}
	}
	for _, c := range back {
		all[r.instance(c.Func, c.Ctx)] = true
	}
	return all
}
