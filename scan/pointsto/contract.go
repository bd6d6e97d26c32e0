package pointsto

import (
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/cfront/contract"
	"comus/cir"
)

// ContractOf returns the contract of a function without a body that a call gets to, nil if it has none that fits.
func ContractOf(in *cir.Call, f *cir.Func) *contract.Function {
	how := f.Unknown
	if in.Callee == cir.Value(f) && in.Unknown != cir.Known {
		how = in.Unknown
	}
	if how != cir.Contract {
		return nil
	}
	c, ok := contract.Lookup(f.Source)
	if !ok || len(c.Params) > len(in.Args) || c.Variadic == nil && len(c.Params) < len(in.Args) && !c.Formats() {
		return nil // a function of the program's, with the same name
	}
	return c
}

// deal is a call of a function by its contract.
type deal struct {
	*analysis
	x  *instance
	in *cir.Call
	c  *contract.Function
}

// byContract states what a function without a body may do that has a contract: through which arguments it writes what, what it keeps, and what
// it returns. All that its arguments lead to is taken for known outside, as far as others ask that ([Result.Outside]).
func (a *analysis) byContract(x *instance, in *cir.Call, c *contract.Function) {
	d := &deal{a, x, in, c}
	calls := slices.ContainsFunc(c.Params, callsAnything) || c.Variadic != nil && callsAnything(*c.Variadic)
	for i := range in.Args {
		n := d.arg(i)
		if n == nil {
			continue
		}
		a.flow(n, a.given)
		p := c.Argument(i)
		if calls { // who is called may be given whatever the arguments lead to
			a.flow(n, a.cell(a.external, 0))
		}
		if p == nil {
			d.formatted(n)
		} else {
			d.through(p, n)
			d.calls(p, n)
		}
	}
	d.returns()
}

// callsAnything reports whether it is not said what a function is given that is called.
func callsAnything(p contract.Param) bool {
	return slices.ContainsFunc(p.Calls, func(c contract.Call) bool { return c.Args == nil })
}

// calls states what functions are given that a parameter leads to and that are called: what the contract says, or whatever can be reached from the arguments
// and what is kept in the states that the function has to do with. Memory of the library leads to what is known outside.
func (d *deal) calls(p *contract.Param, n *node) {
	for _, call := range p.Calls {
		var anything *node
		given := map[int]*node{}
		of := func(i int) *node {
			if i < len(call.Args) && !slices.ContainsFunc(call.Args[i], func(v contract.Value) bool { return v.Kind == contract.Any || v.Kind == contract.Anywhere }) {
				if given[i] == nil {
					given[i] = d.newNode()
					d.flow(d.values(call.Args[i], true), given[i])
				}
				return given[i]
			}
			if anything == nil {
				anything = d.newNode()
				d.flow(d.foreign, anything)
				d.anything(anything)
			}
			return anything
		}
		outside := false
		var f func(Location)
		f = func(l Location) {
			switch {
			case l.Obj.IsFunc():
				d.calledBack(l.Obj.Func, of)
			case l.Obj.External && !outside: // memory of the library, where the program stores functions
				outside = true
				d.each(d.cell(d.external, 0), f)
			}
		}
		d.each(n, f)
		d.each(d.below(n), f)
	}
}

// arg returns the node of an argument, nil for one without locations.
func (d *deal) arg(i int) *node {
	if i < 0 || i >= len(d.in.Args) {
		return nil
	}
	return d.value(d.x, d.in.Args[i].X)
}

// formatted states what is written through an argument as a format says: numbers, characters and pointers by scanf, numbers only by printf.
func (d *deal) formatted(n *node) {
	if slices.ContainsFunc(d.c.Params, func(p contract.Param) bool { return p.Format == contract.Scanf || p.Format == contract.WideScanf }) {
		d.each(n, func(l Location) { d.floodAt(d.foreign, l, -1) })
	}
}

// through states what is written and kept through an argument.
func (d *deal) through(p *contract.Param, n *node) {
	for _, k := range p.Retains {
		if k.Contents {
			d.keepContents(k.State, p, n)
			continue
		}
		d.flow(n, d.keeps(k.State).pointers)
		if len(p.Calls) > 0 {
			d.flow(n, d.keeps(k.State).calls)
		}
		for _, acc := range k.Accesses { // what is kept in the same state may be found there
			what := d.newNode()
			d.flow(d.values(acc.Stores, true), what)
			d.flow(d.keeps(k.State).all, what)
			d.writes(acc, n, what)
		}
	}
	for _, acc := range p.Accesses {
		if acc.Writes {
			d.writes(acc, n, d.values(acc.Stores, true))
		}
	}
	if p.VaList {
		d.each(n, func(l Location) { d.each(d.cell(l.Obj, 0), func(m Location) { d.floodAt(d.foreign, m, -1) }) })
	}
}

// writes states that an access writes something, if it does.
func (d *deal) writes(acc contract.Access, n, what *node) {
	if !acc.Writes {
		return
	}
	size := int64(-1)
	for _, l := range acc.Extent {
		switch l.Kind {
		case contract.Below, contract.Deep:
			d.each(d.below(n), func(m Location) { d.flood(what, m.Obj) })
			if l.Kind == contract.Deep { // the object itself, too
				d.each(n, func(m Location) { d.flood(what, m.Obj) })
			}
		case contract.Whole:
			d.each(n, func(m Location) { d.flood(what, m.Obj) })
		case contract.Bytes:
			if k := d.product(l.Bytes); k >= 0 && (size < 0 || k < size) {
				size = k
			}
		}
	}
	if slices.ContainsFunc(acc.Extent, func(l contract.Limit) bool {
		return l.Kind == contract.Bytes || l.Kind == contract.String || l.Kind == contract.WideString
	}) || len(acc.Extent) == 0 {
		d.each(n, func(m Location) { d.floodAt(what, m, size) })
	}
}

// product returns a number of bytes, -1 if it is not known.
func (d *deal) product(p contract.Product) int64 { return Product(d.prog.Model, d.in, p) }

// Product returns a number of bytes of which a contract speaks at a call, -1 if it is not known, or huge.
func Product(m cir.Model, in *cir.Call, p contract.Product) int64 {
	args := contract.Arguments{Value: func(i int) (uint64, bool) {
		if i < len(in.Args) {
			if c, ok := in.Args[i].X.(cir.Int); ok && c.Hi == 0 {
				return c.Lo, true
			}
		}
		return 0, false
	}}
	if m.PointerBits == 32 {
		args.Model = contract.ILP32
	}
	if n, ok := contract.Default().Eval(p, args); ok && n <= 1<<30 {
		return int64(n)
	}
	return -1
}

// returns states what the result may point to.
func (d *deal) returns() {
	if d.in.Dst != nil && d.carries(d.in.Dst.Type) {
		if d.in.Dst.Type.IsPointer() || slices.ContainsFunc(d.c.Results, func(v contract.Value) bool { return v.Kind == contract.Any || v.Kind == contract.Same }) {
			d.flow(d.values(d.c.Results, d.in.Dst.Type.IsPointer()), d.reg(d.x, d.in.Dst))
		}
	}
	if d.in.To != nil {
		to := d.value(d.x, d.in.To)
		d.flow(to, d.given)
		d.each(to, func(l Location) { d.flood(d.foreign, l.Obj) })
	}
}

// values returns a node of what some values may point to; none at all: any bytes. Any value of a pointer leads to whatever the function can reach.
func (d *deal) values(vs []contract.Value, pointer bool) *node {
	if len(vs) == 0 {
		return d.foreign
	}
	n := d.newNode()
	for _, v := range vs {
		switch v.Kind {
		case contract.Any, contract.Anywhere:
			d.flow(d.foreign, n)
			if pointer {
				d.anything(n)
			}
		case contract.Same:
			d.flow(d.arg(v.Param), n)
		case contract.Into:
			d.flow(d.foreign, n)
			d.move(d.arg(v.Param), n, Any, 0)
		case contract.BelowParam:
			d.flow(d.foreign, n)
			d.move(d.below(d.arg(v.Param)), n, Any, 0)
		case contract.Kept:
			k := d.keeps(v.State)
			d.flow(d.foreign, n)
			d.flow(k.pointers, n)
			d.move(k.pointers, n, Any, 0)
			d.flow(k.contents, n)
		case contract.Fresh, contract.Static, contract.ThreadLocal, contract.PlainBytes:
			d.flow(d.foreign, n)
		}
	}
	return n
}

// anything lets whatever the function can reach flow into a node.
func (d *deal) anything(n *node) {
	for i := range d.in.Args {
		if p := d.c.Argument(i); p != nil && p.Inert() && i < len(d.c.Params) {
			continue
		}
		d.flow(d.arg(i), n)
		d.move(d.arg(i), n, Any, 0)
		below := d.below(d.arg(i))
		d.move(below, n, Any, 0)
		if p := d.c.Argument(i); p == nil || p.Handle == "" { // of what objects of the library lead to, states say what was kept
			d.throughOutside(d.arg(i), n)
			d.throughOutside(below, n)
		}
	}
	for _, s := range slices.Concat(d.c.Reads, d.c.Writes) {
		d.move(d.keeps(s).all, n, Any, 0)
	}
}

// throughOutside lets what is known outside flow into a node if another one leads there.
func (a *analysis) throughOutside(from, to *node) {
	a.each(from, func(l Location) {
		if l.Obj.External {
			a.move(a.cell(a.external, 0), to, Any, 0)
			a.flow(a.cell(a.external, 0), to)
		}
	})
}

// below returns a node of all that can be reached from what a node points to, without what it points to itself.
func (a *analysis) below(n *node) *node {
	if n == nil {
		return nil
	}
	all := &buffer{size: -1, all: a.newNode()}
	seen := map[*Object]bool{}
	follow := func(l Location) {
		if !seen[l.Obj] && !l.Obj.IsFunc() && !l.Obj.External {
			seen[l.Obj] = true
			a.reading(Location{l.Obj, Any}, all)
		}
	}
	a.each(n, follow)
	a.each(all.all, follow)
	return all.all
}

// state is what functions of the library keep in a hidden state: pointers; those of them that lead to functions to be called; what was among bytes that they
// keep; and all of it, with what can be reached from the pointers.
type state struct{ pointers, calls, contents, all *node }

// keeps returns what functions of the library keep in a hidden state. What is among bytes is nothing that they follow.
func (a *analysis) keeps(s contract.State) *state {
	k := a.kept[s]
	if k == nil {
		k = &state{a.newNode(), a.newNode(), a.newNode(), a.newNode()}
		a.kept[s] = k
		a.flow(k.contents, k.all)
		a.flow(k.pointers, k.all)
		a.flow(a.below(k.pointers), k.all)
		a.flow(k.pointers, a.given)
		if !kernels[s] {
			a.flow(k.all, a.cell(a.external, 0))
		}
	}
	return k
}

// keepContents states that the bytes are kept in a state which are read through an argument.
func (d *deal) keepContents(s contract.State, p *contract.Param, n *node) {
	size := int64(-1)
	for _, acc := range p.Accesses {
		if acc.Reads && len(acc.Extent) == 1 && acc.Extent[0].Kind == contract.Bytes {
			size = max(size, d.product(acc.Extent[0].Bytes))
		}
	}
	b := &buffer{size: size, all: d.keeps(s).contents}
	d.each(n, func(l Location) {
		if !l.Obj.IsFunc() {
			d.reading(l, b)
		}
	})
}

// kernels are the states that are in the kernel: a program has no pointers to memory where it would find what was kept.
var kernels = map[contract.State]bool{"world": true, "epoll": true, carried: true}

// KeptToCall returns what functions of the library keep pointers to in a state in order to call what these lead to.
func (r *Result) KeptToCall(s contract.State) []Location {
	if k := r.a.kept[s]; k != nil {
		return r.sorted(&find(k.calls).set)
	}
	return nil
}

// Kept returns what functions of the library keep pointers to, and may hand to any thread.
func (r *Result) Kept() []Location {
	var all intsets.Sparse
	for _, k := range r.a.kept {
		all.UnionWith(&find(k.all).set)
	}
	return r.sorted(&all)
}
