package scan

import (
	"fmt"
	"slices"

	"comus/check/scancheck"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/race"
	"comus/scan/thread"
	"comus/scan/transfer"
	"comus/scan/valuenum"
)

// certifier writes down what the analyses claim. What the form has no name for is left out: it makes the certificate weaker, not wrong.
type certifier struct {
	a       *analysis
	places  map[cir.Located]certificate.Place
	copies  map[pointsto.Copy]int
	acts    map[*lockset.Activation]int
	meets   map[*valuenum.Sym]string // names of symbols of the function at hand
	inside  bool                     // what is said is of a block behind the first one: addresses of elements have names there
	threads *thread.Result
}

// begin returns a certificate with what is claimed of copies of functions and of threads, and who goes on with it. It is made once: rules are asked with it, and claims
// about locations come behind it.
func (a *analysis) begin() (*certifier, *certificate.Certificate) {
	if a.certifier != nil {
		return a.certifier, a.claims
	}
	c := &certifier{a: a, places: map[cir.Located]certificate.Place{}, copies: map[pointsto.Copy]int{}, acts: map[*lockset.Activation]int{}, threads: a.threads}
	out := &certificate.Certificate{Version: certificate.Version}
	for _, f := range a.prog.Funcs {
		for i, b := range f.Blocks {
			for k, in := range b.Instrs {
				c.places[in] = certificate.Place{Func: f.Name, Block: i, Instr: k}
			}
			c.places[b.Term] = certificate.Place{Func: f.Name, Block: i, Instr: len(b.Instrs)}
		}
	}
	for i, x := range a.pts.Copies() {
		c.copies[x] = i
		y := certificate.Copy{Func: x.Func.Name}
		if x.Ctx.Call != nil {
			p := c.places[x.Ctx.Call]
			y.Call = &p
		}
		out.Copies = append(out.Copies, y)
	}
	for _, t := range a.threads.Threads {
		out.Threads = append(out.Threads, c.thread(t))
	}
	a.certifier, a.claims = c, out
	return c, out
}

// rules returns the checker's rules for the threads that were found, nil if they cannot be asked about this program, and the number that a node's copy has there.
func (a *analysis) rules() (*scancheck.Rules, func(*thread.Node) int) {
	if a.threads.Single() {
		return nil, nil
	}
	c, claims := a.begin()
	r, err := scancheck.NewRules(a.prog, a.pts, claims)
	if err != nil { // more threads than the checker tells apart
		return nil, nil
	}
	return r, func(n *thread.Node) int { return c.copies[n.Copy()] }
}

// certify returns the certificate of what was found.
func (a *analysis) certify(locations []*race.Location, transfers []*transfer.Proof) *certificate.Certificate {
	c, out := a.begin()
	out.Activations = c.activations()
	for _, l := range locations {
		out.Locations = append(out.Locations, c.location(l))
	}
	for _, p := range transfers {
		out.Transfers = append(out.Transfers, transferClaim(p))
	}
	return out
}

func (c *certifier) thread(t *thread.Thread) certificate.Thread {
	k := c.threads.Claims(t)
	x := certificate.Thread{Parent: -1, Root: c.copies[t.Root.Copy()], Start: t.Start.Name, Many: t.Many, Loose: k.Loose, End: k.End.Members()}
	if t.Parent != nil {
		x.Parent = t.Parent.Index
		p := c.places[k.Group]
		x.Group = &p
	}
	for _, m := range k.Creates {
		x.Creates = append(x.Creates, certificate.Creates{Group: c.places[m.Group], Start: m.Start.Name, Thread: m.Made.Index})
	}
	for _, n := range k.Nodes {
		y := certificate.Node{Copy: c.copies[n.Node.Copy()], Entry: n.Entry.Members(), Sum: effect(n.Sum)}
		for _, e := range n.Blocks {
			y.Blocks = append(y.Blocks, effect(e))
		}
		x.Nodes = append(x.Nodes, y)
	}
	return x
}

func effect(e thread.EffectClaim) certificate.Effect {
	return certificate.Effect{Adds: e.Adds.Members(), Takes: e.Takes.Members(), Never: e.Never}
}

// activations returns what is claimed of the activations that threads run, of functions of the program's own.
func (c *certifier) activations() (list []certificate.Activation) {
	var all []*lockset.Activation
	seen := map[*lockset.Activation]bool{}
	for i := range c.a.pts.Roots {
		for _, x := range c.a.locks.Reach(c.a.locks.Root(i)) {
			if !seen[x] && x.Own() {
				seen[x] = true
				c.acts[x] = len(all)
				all = append(all, x)
			}
		}
	}
	for _, x := range all {
		list = append(list, c.activation(x))
	}
	return list
}

func (c *certifier) activation(x *lockset.Activation) certificate.Activation {
	f, syms := x.Copy.Func, x.Symbols()
	c.meets = map[*valuenum.Sym]string{}
	for b, ms := range syms.Meets {
		for _, m := range ms {
			if l, ok := m.Sym.What.(*cir.Local); ok && m.Sym.Kind == valuenum.Phi {
				c.meets[m.Sym] = meetName(b, l)
			}
		}
	}
	y := certificate.Activation{Copy: c.copies[x.Copy], Entry: c.locks(x, x.Entry())}
	for _, b := range f.Blocks {
		held, ok := x.Begin(b)
		s := certificate.State{Never: !ok}
		if c.inside = b != f.Blocks[0]; ok {
			s.Held = c.locks(x, held)
			for _, h := range syms.Begin[b] {
				if n, ok := c.name(x, h.Value); ok {
					s.Cells = append(s.Cells, certificate.Cell{Local: h.Local.Index, Is: n})
				}
			}
			s.Owned = c.owned(x, b)
		}
		y.Blocks = append(y.Blocks, s)
	}
	c.inside = false
	exit, returns := x.Exit()
	y.Exit = certificate.State{Never: !returns, Held: c.locks(x, exit)}
	y.Calls = c.calls(x)
	return y
}

// meetName names what a local holds wherever control gets to a block.
func meetName(b *cir.Block, l *cir.Local) string { return fmt.Sprintf("meet:%d:%d", b.Index, l.Index) }

// owned names the objects that a function owns where a block begins: those that it allocated, and its locals.
func (c *certifier) owned(x *lockset.Activation, b *cir.Block) (list []string) {
	for _, s := range c.a.escape.Begin(x.Copy, b) {
		switch s.Kind {
		case valuenum.Phi: // of another table
			if l, ok := s.What.(*cir.Local); ok && s.N == 0 {
				list = append(list, meetName(s.Block, l))
			}
			continue
		case valuenum.Reg, valuenum.Local:
		default:
			continue
		}
		if n, ok := c.name(x, valuenum.Value{Base: s}); ok {
			list = append(list, n.Base)
		}
	}
	return list
}

// calls returns what an activation's calls get to, functions that the library calls back included.
func (c *certifier) calls(x *lockset.Activation) (list []certificate.Calls) {
	at := map[certificate.Place]int{}
	x.EachCall(func(in *cir.Call, to *lockset.Activation) {
		k, own := c.acts[to]
		if in == nil || !own {
			return
		}
		p := c.places[in]
		i, ok := at[p]
		if !ok {
			i = len(list)
			at[p] = i
			list = append(list, certificate.Calls{Block: p.Block, Instr: p.Instr})
		}
		if !slices.Contains(list[i].To, k) {
			list[i].To = append(list[i].To, k)
		}
	})
	return list
}

// locks writes down locks by their names in a function; what has no name there is left out.
func (c *certifier) locks(x *lockset.Activation, held []lockset.Claim) (list []certificate.Lock) {
	for _, h := range held {
		l := certificate.Lock{At: at(h.At), Reading: h.Mode == lockset.Reading}
		for _, v := range h.Names {
			if n, ok := c.name(x, v); ok {
				l.Names = append(l.Names, n)
			}
		}
		if len(l.Names) > 0 {
			list = append(list, l)
		}
	}
	return list
}

func at(ls []pointsto.Location) (list []certificate.At) {
	for _, l := range ls {
		list = append(list, certificate.At{Object: l.Obj.ID, Off: l.Off})
	}
	return list
}

// indexed returns the name of the address of an element, or of something in one: by the register that was given the address where it was computed.
func (c *certifier) indexed(x *lockset.Activation, v valuenum.Value) (certificate.Name, bool) {
	if x == nil || !c.inside {
		return certificate.Name{}, false
	}
	for _, b := range x.Copy.Func.Blocks {
		for _, in := range b.Instrs {
			if o, ok := in.(*cir.Offset); ok && o.Index != nil {
				if d, ok := v.Minus(x.Symbols().Value(o.Dst)); ok {
					return certificate.Name{Base: fmt.Sprintf("reg:%d", o.Dst.Index), Off: d}, true
				}
			}
		}
	}
	return certificate.Name{}, false
}

// name returns what a value is called in a function.
func (c *certifier) name(x *lockset.Activation, v valuenum.Value) (certificate.Name, bool) {
	n := certificate.Name{Off: v.Off}
	if v.Index != nil {
		return c.indexed(x, v)
	}
	s := v.Base
	if s == nil {
		return n, true
	}
	own := x != nil && s.Func == x.Copy.Func
	switch {
	case s.Kind == valuenum.Param && own:
		n.Base = fmt.Sprintf("param:%d", s.N)
	case s.Kind == valuenum.Reg && own:
		n.Base = fmt.Sprintf("reg:%d", s.N)
	case s.Kind == valuenum.Phi && own:
		n.Base = c.meets[s]
	case s.Kind == valuenum.Local && own:
		n.Base = fmt.Sprintf("local:%d", s.What.(*cir.Local).Index)
	case s.Kind == valuenum.Global:
		n.Base = "global:" + s.What.(cir.Symbol).SymbolName()
	case s.Kind == valuenum.Place:
		n.Base = fmt.Sprintf("object:%d", s.What.(*pointsto.Object).ID)
	case s.Kind == valuenum.Atomic:
		n.Base = "atomic"
	case s.Kind == valuenum.Result:
		n.Base = "result"
	}
	return n, n.Base != ""
}

// reasonOf names the reasons of package race.
var reasonOf = map[race.Why]string{race.Suspected: certificate.Suspect, race.ReadOnly: certificate.ReadOnly, race.Atomic: certificate.Atomic,
	race.Locked: certificate.Locked, race.Ordered: certificate.Ordered, race.Own: certificate.Own, race.Apart: certificate.Apart, race.Signalled: certificate.Signalled, race.Phased: certificate.Phased, race.Transferred: certificate.Transferred, race.Assigned: certificate.Assigned, race.Counted: certificate.Counted, race.Latched: certificate.Latched, race.HandedOver: certificate.HandedOver}

func (c *certifier) location(l *race.Location) certificate.Location {
	o, lo, hi, freed, hidden := l.Memory()
	x := certificate.Location{Name: l.Name, Lo: lo, Hi: hi}
	switch {
	case o == nil || hidden:
		x.Kind, x.State, x.Lo, x.Hi = certificate.Hidden, l.State(), 0, 0
		x.Suspected = l.Why == race.Suspected
		if o != nil {
			x.Object = o.ID
		}
		return x
	case freed:
		x.Kind = certificate.Freed
	}
	x.Object = o.ID
	if l.Why == race.Suspected && !c.a.opts.Whole {
		x.Suspected = true
		return x
	}
	groups := l.Groups()
	for _, g := range groups {
		x.Groups = append(x.Groups, c.group(g))
	}
	for i := range groups {
		for j := i; j < len(groups); j++ {
			x.Pairs = append(x.Pairs, reasonOf[l.Pair(i, j)])
		}
	}
	return x
}

func (c *certifier) group(g race.Group) certificate.Group {
	x := certificate.Group{Thread: g.Thread.Index, Lo: g.Lo, Hi: g.Hi, Write: g.Write, Atomic: g.Atomic, Scalar: g.Scalar, Own: g.Own, Running: g.Running.Members()}
	for _, l := range g.Locks {
		h := certificate.Held{At: at(l.At), Reading: l.Mode == lockset.Reading}
		for _, k := range l.Keys {
			switch n, ok := c.name(nil, k.Value); {
			case k.Kind == lockset.Absolute && ok:
				h.Keys = append(h.Keys, certificate.Key{Kind: certificate.Absolute, Name: n})
			case k.Kind == lockset.Object && ok:
				h.Keys = append(h.Keys, certificate.Key{Kind: certificate.Object, Name: n})
			case k.Kind == lockset.Element && ok:
				h.Keys = append(h.Keys, certificate.Key{Kind: certificate.Element, Name: n})
			case k.Kind == lockset.Address && k.Value.Index == nil && k.Value.Base != nil && k.Value.Base.Kind == valuenum.Accessed:
				h.Keys = append(h.Keys, certificate.Key{Kind: certificate.Address, Name: certificate.Name{Off: k.Value.Off}})
			}
		}
		if len(h.Keys) > 0 {
			x.Locks = append(x.Locks, h)
		}
	}
	for _, a := range g.At {
		p := c.places[a.In]
		x.Accesses = append(x.Accesses, certificate.Access{Copy: c.copies[a.Node.Copy()], Block: p.Block, Instr: p.Instr})
	}
	return x
}

// transferClaim writes down how the ownership of objects is transferred.
func transferClaim(p *transfer.Proof) certificate.Transfer {
	h := certificate.Transfer{Link: p.Link, Ends: p.Ends}
	for _, o := range p.Objects {
		h.Objects = append(h.Objects, o.ID)
	}
	number := make([]int, len(p.Cells)) // cells are written down container by container
	n := 0
	for r, l := range p.Locks {
		if p.Kind != nil && r > p.Kind.Region {
			break // these are about the same containers
		}
		c := certificate.Container{Lock: certificate.At{Object: l.Obj.ID, Off: l.Off}, Many: p.Kind != nil && r == p.Kind.Region}
		for i, k := range p.Cells {
			if k.Region == r {
				c.Cells = append(c.Cells, certificate.OwnCell{At: certificate.At{Object: k.At.Obj.ID, Off: k.At.Off}, Owns: k.Owns})
				number[i] = n
				n++
			}
		}
		numbers := map[int]int{}
		for i, k := range p.Numbers {
			if k.Region == r {
				numbers[i] = len(c.Numbers)
				c.Numbers = append(c.Numbers, certificate.ContainerNumber{At: certificate.At{Object: k.At.Obj.ID, Off: k.At.Off}, Bits: k.Type.Bits, Signed: k.Type.Signed})
			}
		}
		for _, k := range p.Arrays {
			if k.Region != r {
				continue
			}
			y := certificate.OwnArray{At: certificate.At{Object: k.At.Obj.ID, Off: k.At.Off}, Count: -1}
			if k.Count >= 0 {
				y.Count = numbers[k.Count]
			}
			if k.Head >= 0 {
				y.Ring = &certificate.Ring{Head: numbers[k.Head], Tail: numbers[k.Tail]}
			}
			c.Arrays = append(c.Arrays, y)
		}
		h.Containers = append(h.Containers, c)
	}
	word := func(w transfer.Word) certificate.Word {
		if w.Is == transfer.OfCell {
			w.N = number[w.N]
		}
		return certificate.Word(w)
	}
	state := func(s transfer.State) certificate.ContainerState {
		x := certificate.ContainerState{In: s.In, Pred: s.Pred, Slots: s.Slots}
		if s.In && p.Link >= 0 {
			x.Link = word(s.Link)
		}
		for _, w := range s.Cells {
			x.Cells = append(x.Cells, word(w))
		}
		return x
	}
	for r := range h.Containers {
		for _, s := range p.States[r] {
			h.Containers[r].States = append(h.Containers[r].States, state(s))
		}
		for _, all := range p.Alone {
			if !h.Containers[r].Many {
				break
			}
			list := []certificate.ContainerState{}
			for _, s := range all {
				list = append(list, state(s))
			}
			h.Containers[r].Alone = append(h.Containers[r].Alone, list)
		}
	}
	return h
}
