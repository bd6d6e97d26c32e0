package private

import (
	"comus/check/anew"
	"comus/check/ticket"
	"comus/cir"
	"comus/scan/loop"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// Piece is memory that belongs to one thread of those that a call creates, or to the turn of a loop in which it is going to be created. Pieces of
// one kind, which [Piece.Kind] tells, can be compared.
type Piece struct {
	Kind Kind
	// Lo and Hi are the bytes that are accessed of it: from what would be the element number 0.
	Lo, Hi int64
	// Parent tells that it is the creating thread that makes the access, before it creates the thread whose piece it is.
	Parent bool
	// Puts tells of an element of a ring that the thread puts it in; otherwise it takes it out.
	Puts bool
}

// Kind is what pieces have in common that can be compared.
type Kind struct {
	Create *cir.Call
	// Allocated: an object of the thread's own. Otherwise an element of an array, at what Base is plus Stride times the number by which the loop counts plus Add.
	Allocated   bool
	Base        Base
	Stride, Add int64
	// Held is the store that notes the object in the element, if it is an object of which the element has the address.
	Held *cir.Store
	// Ticket is the counter from which the number of the element was drawn, if it has an object; Rows, what that is multiplied by. The array begins at what In holds, or at At or Global.
	Ticket, Rows, In, At ticket.Cell
	Global               *cir.Global
	Field                ticket.Field // or this is where it begins
	// Given is the call that has given the thread the number, if it was not drawn: that call is not in Create then. Or it has given the thread numbers of a Band.
	Given *cir.Call
	Band  ticket.Band
	// Ring is that which it is an element of, if that has an object; Rows is what holds its size then.
	Ring ticket.Ring
}

// Numbered tells that it is an element at a number that the thread has drawn, or was given.
func (k Kind) Numbered() bool { return k.Ticket.Obj != nil || k.Given != nil }

// Whole tells that it is all of an object.
func (k Kind) Whole() bool { return k.Allocated || k.Held != nil }

// Base is the address of an array.
type Base struct {
	// Cell is a global, which holds the address at an offset Off; nil: it is the value Sym plus Off.
	Cell *cir.Global
	Sym  *valuenum.Sym
	Off  int64
}

// Apart reports whether two pieces that different threads access have no byte in common, or are elements of a ring, which one of them puts in and the other one takes out.
func (p *Piece) Apart(q *Piece) bool {
	if p == nil || q == nil || p.Kind != q.Kind || p.Parent && q.Parent {
		return false
	}
	if p.Kind.Ring.Put.Obj != nil && p.Puts == q.Puts {
		return false
	}
	return p.Kind.Whole() || max(p.Hi, q.Hi)-min(p.Lo, q.Lo) <= p.Kind.Stride
}

// Result tells which accesses go to pieces.
type Result struct {
	pts     *pointsto.Result
	threads *thread.Result
	model   cir.Model
	groups  map[*thread.Thread]*group
	parents map[*thread.Node][]*group
	funcs   map[*thread.Node]*function
	joins   map[*thread.Thread][]*joined
	// holding are the groups whose holders matter to a thread; borrowed are the pieces that parameters of what it calls point to.
	holding  map[*thread.Thread][]*group
	borrowed map[borrowing]map[*thread.Node][]*Piece
	calls    map[*thread.Thread]*calls
	fresh    anew.Funcs
	work     int // calls that were looked at for single objects
	tickets  *ticket.Tickets[*thread.Node, *thread.Thread]
	used     map[usedBy]ticket.Uses[*thread.Node]
	stamps   map[stampAsked]stamp
}

// group is the threads of an identity, as far as it is known what they are given.
type group struct {
	t      *thread.Thread
	node   *thread.Node // that creates them
	create *cir.Call
	arg    cir.Value
	alloc  *cir.Call  // of the object that is given, nil if there is none
	loop   *loop.Loop // nil: no loop is known
	// via is the call of the function that creates them, inner, in the loop of node; nil: that does so itself.
	via   *cir.Call
	inner *thread.Node
	// facts are what parameters of functions hold that the threads run.
	facts map[*thread.Node][]*form
	// given is the piece that the argument is the address of; number is the number that it is.
	given   *Piece
	number  *form
	holders []holder
}

// function is what is known of a function.
type function struct {
	*valuenum.Func
	loops []*loop.Loop
	defs  map[int]cir.Instr
	home  map[cir.Instr]*cir.Block
	// indexed are the additions of an index that is no constant, by the base of what they give.
	indexed []*cir.Offset
}

// allocators are the functions of the library that return a new object.
var allocators = map[string]bool{"malloc": true, "calloc": true, "aligned_alloc": true, "memalign": true}

// arguments are the functions of the library that create a thread, with the number of the parameter that the thread is given.
var arguments = map[string]int{"pthread_create": 3, "thrd_create": 2}

// Analyse finds out what threads are given.
func Analyse(p *cir.Program, pts *pointsto.Result, threads *thread.Result) *Result {
	r := &Result{pts: pts, threads: threads, model: p.Model, groups: map[*thread.Thread]*group{}, parents: map[*thread.Node][]*group{}, funcs: map[*thread.Node]*function{},
		holding: map[*thread.Thread][]*group{}, borrowed: map[borrowing]map[*thread.Node][]*Piece{}, calls: map[*thread.Thread]*calls{}, used: map[usedBy]ticket.Uses[*thread.Node]{}, stamps: map[stampAsked]stamp{}}
	r.tickets = ticket.Find(graph{r}, pts, p.Model, threads.AllNodes())
	for _, t := range threads.Threads {
		if !t.Many {
			continue
		}
		n, create, ok := threads.Creation(t)
		if !ok {
			continue
		}
		f, direct := create.Callee.(*cir.Func)
		i, is := arguments[nameOf(f, direct)]
		if !is || i >= len(create.Args) || t.StartCall() == nil {
			continue
		}
		g := &group{t: t, node: n, create: create, arg: create.Args[i].X}
		if r.give(g) {
			r.follow(g)
			r.groups[t] = g
			if r.parents[n] = append(r.parents[n], g); g.node != n {
				r.parents[g.node] = append(r.parents[g.node], g)
			}
		}
	}
	r.findJoins()
	for _, t := range threads.Threads {
		if len(r.joins[t]) > 0 || r.isParent(t) {
			r.borrow(borrowing{t: t})
		}
	}
	for _, t := range threads.Threads {
		if g := r.groups[t]; g != nil {
			if r.findHolders(g); len(g.holders) > 0 {
				r.holding[t] = append(r.holding[t], g)
				r.holding[t.Parent] = append(r.holding[t.Parent], g)
			}
		}
	}
	for _, t := range threads.Threads { // what is held is borrowed, too
		if len(r.holding[t]) > 0 {
			r.borrow(borrowing{t: t})
		}
	}
	return r
}

// isParent reports whether a thread creates those of a group.
func (r *Result) isParent(t *thread.Thread) bool {
	for _, g := range r.groups {
		if g.t.Parent == t {
			return true
		}
	}
	return false
}

// nameOf returns the name of a function of the library, "" if it is none.
func nameOf(f *cir.Func, direct bool) string {
	if !direct || !f.Library {
		return ""
	}
	return f.Source
}

// function returns what is known of a node's function, nil if it is not looked at.
func (r *Result) function(n *thread.Node) *function {
	f, known := r.funcs[n]
	if known {
		return f
	}
	if s, loops := r.threads.Symbols(n); s != nil {
		f = &function{Func: s, loops: loops, defs: map[int]cir.Instr{}, home: map[cir.Instr]*cir.Block{}}
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				f.home[in] = b
				for _, d := range cir.Results(in) {
					f.defs[d.Index] = in
				}
				if o, ok := in.(*cir.Offset); ok && !isConstant(o.Index) {
					f.indexed = append(f.indexed, o)
				}
			}
		}
	}
	r.funcs[n] = f
	return f
}

// Piece returns the piece that a thread accesses some bytes of by an instruction of a node, from an address on; nil if it is not known to be one. A negative
// size is not known. If an object is given, it is about bytes of that only.
func (r *Result) Piece(t *thread.Thread, n *thread.Node, in cir.Located, addr cir.Value, size int64, about *pointsto.Object) *Piece {
	if addr == nil || about != nil && !r.concerns(t) {
		return nil
	}
	if size == Onward {
		size = r.room(n, addr, 0, about)
	}
	p := r.piece(t, n, in, addr, size, maxHeld, about)
	if p == nowhere {
		return nil
	}
	return p
}

func (r *Result) piece(t *thread.Thread, n *thread.Node, in cir.Located, addr cir.Value, size int64, deep int, about *pointsto.Object) *Piece {
	if p := r.directPiece(t, n, in, addr, size, about); p != nil {
		return p
	}
	if p := r.borrowedPiece(t, n, addr, size, about); p != nil {
		return p
	}
	if p := r.heldPiece(t, n, in, addr, deep); p != nil {
		return p
	}
	return r.drawnPiece(t, n, in, addr, size)
}

// directPiece returns the piece that can be seen from where a thread has its argument, creates threads or joins them.
func (r *Result) directPiece(t *thread.Thread, n *thread.Node, in cir.Located, addr cir.Value, size int64, about *pointsto.Object) *Piece {
	g := r.groups[t]
	if p := r.joinedPiece(t, n, in, addr, size); p != nil {
		return p
	}
	if g == nil && len(r.parents[n]) == 0 {
		return nil
	}
	f := r.function(n)
	if f == nil {
		return nil
	}
	if g != nil {
		if p := r.childs(g, n, f, addr, size, r.about(n, about)); p != nil {
			return p
		}
	}
	for _, g := range r.parents[n] {
		i, ok := in.(cir.Instr)
		switch {
		case !ok || g.t.Parent != t:
		case g.loop == nil:
			if r.yetToGive(g, f, i, addr) {
				return &Piece{Kind: Kind{Create: g.create, Allocated: true}, Parent: true}
			}
		case g.via != nil && n == g.inner:
			if size >= 0 && !f.gets(g.create, i, nil) {
				if p := r.elementVia(g, addr, size); p != nil {
					p.Parent = true
					return p
				}
			}
		case size >= 0 && g.before(f, i):
			if p := r.parentPiece(g, f, addr, size); p != nil {
				return p
			}
		}
	}
	return nil
}

// Allocations reports whether threads of an identity are given objects of their own.
func (r *Result) Allocations(t *thread.Thread) bool {
	g := r.groups[t]
	return g != nil && g.given != nil && g.given.Kind.Allocated
}
