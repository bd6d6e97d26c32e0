package specialise

import (
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/pointsto"
)

// contractOf returns the contract of a function without a body, nil if it has none that fits.
func contractOf(in *cir.Call) *contract.Function {
	f, ok := in.Callee.(*cir.Func)
	if !ok || in.Unknown != cir.Contract {
		return nil
	}
	c, ok := contract.Lookup(f.Source)
	if !ok || len(c.Params) > len(in.Args) || c.Variadic == nil && len(c.Params) < len(in.Args) && !c.Formats() {
		return nil // a function of the program's, with the same name
	}
	return c
}

// byContract changes what a contract says that a call may change. Bounds of extents are not used: an object that may be
// written is written as a whole.
func (b *builder) byContract(in *cir.Call, c *contract.Function, args []*value, approx string) {
	for i, a := range in.Args {
		switch far := b.reachOf(in, c, c.Argument(i)); {
		case b.cur == nil || far == nothing:
		case far == direct:
			b.havocDirect(args[i], a.X, approx)
		default:
			b.havocReachable(args[i], a.X, approx)
		}
	}
	if g := pointsto.Errno(b.cp); c.Errno && g != nil {
		b.havocObject(b.global(g), approx)
	}
	if s := c.Assumes(); s != "" {
		b.assume(s)
	}
}

// span is how far from a pointer a function may change memory.
type span int

const (
	nothing span = iota
	direct       // the object that it points to
	all          // all that can be reached from there
)

// reachOf returns how far a function may change memory through an argument; p is nil for one that its contract does not know.
func (b *builder) reachOf(in *cir.Call, c *contract.Function, p *contract.Param) span {
	switch {
	case p == nil:
		if b.printsOnly(in, c) {
			return nothing
		}
		return all
	case p.Ignored && len(p.Accesses) == 0:
		return nothing
	case len(p.Calls) > 0 || p.FreesBelow || p.Frees || p.VaList:
		return all
	}
	r := nothing
	for _, k := range p.Retains {
		for _, a := range k.Accesses {
			if a.Writes {
				return all
			}
		}
	}
	for _, a := range p.Accesses {
		if !a.Writes {
			continue
		}
		r = direct
		for _, l := range a.Extent {
			if l.Kind == contract.Below || l.Kind == contract.Deep {
				return all
			}
		}
	}
	return r
}

// printsOnly reports whether the arguments after the parameters are only printed: the format is a literal without %n.
func (b *builder) printsOnly(in *cir.Call, c *contract.Function) bool {
	for i := range c.Params {
		if c.Params[i].Format != contract.Printf {
			continue
		}
		v := b.operand(in.Args[i].X)
		return v.at != nil && len(v.at.idx) == 0 && v.at.obj.global != nil && v.at.obj.global.Literal && !strings.Contains(string(v.at.obj.global.Data), "n")
	}
	return false
}

// havocDirect gives the objects that a pointer points to any values.
func (b *builder) havocDirect(v *value, x cir.Value, approx string) {
	if v.at != nil {
		b.havocObject(v.at.obj, approx)
		return
	}
	b.havocEach(b.aims(v, x), approx)
}

// havocEach gives all that some abstract objects stand for any values.
func (b *builder) havocEach(objects []*pointsto.Object, approx string) {
	seen := map[*object]bool{}
	for _, abs := range objects {
		if abs.External {
			b.writesOutside()
			continue
		}
		for _, o := range b.instances(abs) {
			if !seen[o] {
				seen[o] = true
				b.havocObject(o, approx)
			}
		}
	}
}

// noteCallbacks names that functions are not called that a function without a body is given; what others call, package outside says.
func (b *builder) noteCallbacks(in *cir.Call, name string) {
	for _, a := range in.Args {
		for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, a.X) {
			if l.Obj.IsFunc() && len(l.Obj.Func.Blocks) > 0 {
				b.assume(name + " does not call the functions that it is given")
				return
			}
		}
	}
}
