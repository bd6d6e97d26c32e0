package interp

import "comus/cir"

// places numbers the places that threads come to, with the calls that led there: a number is that of an activation
// (of a function, called at a place) and of an instruction.
type places struct {
	nodes []node
	index map[node]uint32
}

// mostPlaces is how many activations are told apart by all the calls that led there. Beyond, as recursion may lead to
// any number, those of the program's functions are told apart no more.
const mostPlaces = 1 << 18

// node is an activation of a function: which one is calling whose call is at pc-1 of its code. The first
// is none.
type node struct {
	caller uint32
	fn     *fn
	pc     int32
}

// of returns the place of what the thread does in its innermost activation.
func (p *places) of(f *frame) uint64 { return uint64(p.node(f))<<32 | uint64(uint32(f.pc)) }

// node returns the number of an activation.
func (p *places) node(f *frame) uint32 {
	if f == nil {
		return 0
	}
	if f.node != 0 && f.nodeOf == f.serial {
		return f.node
	}
	n := node{fn: f.fn}
	if len(p.nodes) < mostPlaces || f.fn.f.Library {
		n.caller = p.node(f.caller)
	}
	if n.caller != 0 {
		n.pc = f.caller.pc
	}
	if p.index == nil {
		p.index, p.nodes = map[node]uint32{}, make([]node, 1)
	}
	i, ok := p.index[n]
	if !ok {
		i = uint32(len(p.nodes))
		p.nodes = append(p.nodes, n)
		p.index[n] = i
	}
	f.node, f.nodeOf = i, f.serial
	return i
}

// siteAt is the place of an instruction.
func (c *fn) siteAt(pc int32) *cir.Site {
	if i := pc - 1; i >= 0 && int(i) < len(c.code) && c.code[i].x != nil {
		return c.code[i].x.site
	}
	return nil
}

// isVolatile reports whether the instruction at a place is an access of a volatile object that a machine performs by one instruction, in the program's own code.
func (p *places) isVolatile(where uint64, m *cir.Model) bool {
	i, pc := uint32(where>>32), int32(uint32(where))
	if i == 0 || p.nodes[i].fn.f.Library {
		return false
	}
	code := p.nodes[i].fn.code
	return pc > 0 && int(pc) <= len(code) && code[pc-1].x != nil && code[pc-1].x.acc.Whole(m)
}

// describe says where a place is in the program: activations of the library's functions inside count as the call of the
// outermost, via. If there is nothing but the library, it is that.
func (p *places) describe(where uint64) (function, via string, site *cir.Site, stack []Call) {
	i, pc := uint32(where>>32), int32(uint32(where))
	if i == 0 {
		return "", "", nil, nil
	}
	n := p.nodes[i]
	for n.fn.f.Library && n.caller != 0 && p.inProgram(n.caller) {
		via = n.fn.name()
		pc, n = n.pc, p.nodes[n.caller]
	}
	function, site = n.fn.name(), n.fn.siteAt(pc)
	for {
		i, pc := n.caller, n.pc
		for i != 0 && p.nodes[i].fn.f.Library {
			pc, i = p.nodes[i].pc, p.nodes[i].caller
		}
		c := Call{Func: n.fn.name()}
		if i == 0 {
			return function, via, site, append(stack, c)
		}
		c.Site = p.nodes[i].fn.siteAt(pc)
		stack, n = append(stack, c), p.nodes[i]
	}
}

// inProgram tells whether an activation is of a function that is not the library's, or was called by one.
func (p *places) inProgram(i uint32) bool {
	for ; i != 0; i = p.nodes[i].caller {
		if !p.nodes[i].fn.f.Library {
			return true
		}
	}
	return false
}

// name is what reports call a function.
func (c *fn) name() string {
	if c.f.Source != "" {
		return c.f.Source
	}
	return c.f.Name
}

// describe says which object it is; of one on the heap, where it was allocated.
func (m *Machine) describe(o *Object) string {
	if o.kind == heapObject && o.shadow != nil && o.shadow.born != 0 {
		if _, _, site, _ := m.places.describe(o.shadow.born); site != nil {
			return "heap object of " + site.Pos.String()
		}
	}
	if o.name == "" {
		return "an object"
	}
	return o.name
}

// heapObject describes an object of the heap, nil if it is none, or its places are not known.
func (m *Machine) heapObject(o *Object) *HeapObject {
	if o == nil || o.kind != heapObject || o.shadow == nil || o.shadow.born == 0 {
		return nil
	}
	x := &HeapObject{Size: o.size, Born: &Side{}}
	x.Born.Func, x.Born.Via, x.Born.Site, x.Born.Stack = m.places.describe(o.shadow.born)
	if x.Born.Site == nil {
		return nil
	}
	if a := o.shadow.freed; o.shadow.gone && m.races != nil {
		s := m.races.side(int(a.Thread), a.Kind, a.Where)
		x.Freed = &s
	}
	return x
}
