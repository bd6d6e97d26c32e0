package specialise

import (
	"bytes"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// The arguments of the program are memory that is there before it begins: argv is an array of argc pointers to strings and a null pointer
// behind them (C11 5.1.2.2.1p2). What the strings hold is not followed, nor how long they are. But each has an address of its own that tells
// which one it is, so it is known which pointers are null, and which are to the beginning of a string, where there is a character.
// Functions of the library that read strings do not go beyond their ends.

const (
	vectorAt = 1 << 59 // where argv lies
	// stringRoom is how far the strings are from one another: further than they are long, and no distance that a program has a pointer go.
	stringRoom = 1<<31 + 1<<20
	stringsAt  = stringRoom << 29 // where the first string lies
	maxStrings = 1 << 31
)

// assumeProgramName is what Linux does since version 5.18, and the interpreter.
const assumeProgramName = "main is given the name of the program: argc is not 0"

// vector is what is known of argv.
type vector struct {
	obj   *object
	count *ir.Var // argc, as main was given it
	used  bool    // the array is accessed
	// written tells that something may be stored there, so that what it holds is not known.
	written bool
}

// argument gives main one of its arguments.
func (b *builder) argument(i int, p *cir.Param) *value {
	if i == 1 && b.argv.count != nil && p.Reg.Type.IsPointer() {
		return b.pointerTo(b.vectorObject(), 0)
	}
	v := b.anything(p.Reg.Type, "", &cir.Site{Text: p.Name})
	if i > 0 || b.fr.fn.Source != "main" || !v.typ.IsInt() { // another function that the program begins with is given anything
		return v
	}
	if b.facts.argvUsed || reads(b.fr.fn, p.Reg) {
		b.assume(assumeProgramName)
	}
	cmds := []ir.Cmd{ir.AssumeCmd(b.L.Ge(v.t, b.L.Int(1)))}
	if v.typ == cir.I32 && b.m.PointerBits == 64 {
		b.argv.count = b.newVar("given."+p.Name, "", irType(v.typ), b.th.index)
		cmds = append(cmds, ir.AssignCmd(b.argv.count, v.t))
	}
	b.emit(p.Name, cmds...)
	return v
}

// reads reports whether a function does more with a parameter than store it to a local that it never reads.
func reads(f *cir.Func, p *cir.Reg) (yes bool) {
	var home *cir.Local
	for _, blk := range f.Blocks {
		for _, in := range blk.Instrs {
			if s, ok := in.(*cir.Store); ok && s.X == cir.Value(p) {
				home, _ = s.Addr.(*cir.Local)
			}
		}
	}
	use := func(v cir.Value) {
		if l, ok := v.(*cir.Local); v == cir.Value(p) || ok && l == home {
			yes = true
		}
	}
	for _, blk := range f.Blocks {
		for _, in := range blk.Instrs {
			switch in := in.(type) {
			case *cir.Store:
				if l, ok := in.Addr.(*cir.Local); !ok || l != home || in.X != cir.Value(p) {
					cir.Operands(in, use)
				}
			case *cir.LifeStart, *cir.LifeEnd:
			default:
				cir.Operands(in, use)
			}
		}
		cir.TermOperands(blk.Term, use)
	}
	return yes
}

// vectorObject returns the object that argv points to.
func (b *builder) vectorObject() *object {
	if b.argv.obj == nil {
		o := &object{blueprint: blueprint{key: "argv", name: "argv", size: -1, thread: ir.Shared, owner: -1}, addr: vectorAt, vague: true, shared: true, cells: map[int64]*cell{}}
		b.objects[o.key], b.argv.obj = o, o
	}
	return b.argv.obj
}

// knowsArguments reports whether it is known here how many arguments there are: other threads do not ask.
func (b *builder) knowsArguments() bool { return b.argv.count != nil && b.th.index == 0 }

// inVector returns the condition that bytes at an address are in argv.
func (b *builder) inVector(addr *logic.Term, bytes int64) *logic.Term {
	off := b.L.Sub(addr, b.L.Int(vectorAt))
	end := b.L.Mul(b.L.Add(b.argv.count.Sym, b.L.Int(1)), b.L.Int(8))
	return b.L.And(b.L.Ge(off, b.L.Int(0)), b.L.Le(b.L.Add(off, b.L.Int(bytes)), end))
}

// resolveVector resolves a pointer into argv.
func (b *builder) resolveVector(p *value, ts *targets, firstBit, bits int64) {
	b.argv.used = true
	ts.vague, ts.outside = true, true
	if !b.knowsArguments() {
		ts.doubtful = true
		return
	}
	ts.bounds = true
	ts.ok = append(ts.ok, b.inVector(p.t, (firstBit+bits+7)/8))
}

// resolveOutside completes what is known of an access of some bits to where a pointer from outside may lead: it is not valid
// if the pointer is null, and it is if the pointer is to the beginning of a string that the program was given, into argv, or into one of the objects that
// it may lead to as well.
func (b *builder) resolveOutside(p *value, ts *targets, valid []*logic.Term, firstBit, bits int64) {
	if bits == 8 && b.fr.reads {
		ts.doubt = b.L.And(b.L.Lt(p.t, b.L.Int(stringsAt)), b.L.Not(b.L.Or(valid...)))
		return
	}
	null := b.L.Eq(p.t, b.L.Int(0))
	ts.ok = append(ts.ok, b.L.Not(null))
	if bits == 8 {
		valid = append(valid, b.isString(p.t))
	}
	if b.knowsArguments() && bits == int64(b.m.PointerBits) {
		b.argv.used = true
		valid = append(valid, b.inVector(p.t, (firstBit+bits+7)/8))
	}
	ts.doubt = b.L.Not(b.L.Or(append(valid, null)...))
}

// isString returns the condition that an address is the beginning of a string.
func (b *builder) isString(addr *logic.Term) *logic.Term {
	return b.eachCase(addr, func(t *logic.Term) *logic.Term {
		is := b.L.And(b.L.Ge(t, b.L.Int(stringsAt)), b.L.Lt(t, b.L.Int(stringsAt+stringRoom*maxStrings)))
		if !b.isMultiple(t, stringRoom) {
			is = b.L.And(is, b.L.Eq(b.L.Mod(t, b.L.Int(stringRoom)), b.L.Int(0)))
		}
		return is
	})
}

// eachCase returns a condition on a term, asked about each of the values that the term chooses from.
func (b *builder) eachCase(t *logic.Term, cond func(t *logic.Term) *logic.Term) *logic.Term {
	if t.Op() != logic.OpIte {
		return cond(t)
	}
	args := t.Args()
	yes, no := b.eachCase(args[1], cond), b.eachCase(args[2], cond)
	return b.L.Or(b.L.And(args[0], yes), b.L.And(b.L.Not(args[0]), no))
}

// loadArgument reads from argv, or from somewhere else outside of the program; nil if nothing is known of what is there.
func (b *builder) loadArgument(ts *targets, p *value, a cir.Access, bits int64) *value {
	if !b.knowsArguments() || b.facts.argvWritten || !ts.outside || len(ts.list) > 0 || !a.Type.IsPointer() || bits != 64 || a.Bits != nil {
		return nil
	}
	off := b.L.Sub(p.t, b.L.Int(vectorAt))
	is := b.inVector(p.t, 8)
	if !b.isMultiple(p.t, 8) {
		is = b.L.And(is, b.L.Eq(b.L.Mod(off, b.L.Int(8)), b.L.Int(0)))
	}
	w := &value{typ: a.Type, site: b.site, side: slices.Clone(p.side)}
	last := b.L.Mul(b.argv.count.Sym, b.L.Int(8))
	w.t = b.L.Ite(b.L.Lt(off, last), b.L.Add(b.L.Int(stringsAt), b.L.Mul(off, b.L.Int(stringRoom/8))), b.L.Int(0))
	if at := p.at; at != nil && at.obj == b.argv.obj && at.aligned(8) {
		w.side = append(w.side, ts.ok...)
		w.rng = &interval{logic.IntValue(0), logic.IntValue(stringsAt + stringRoom*maxStrings)}
		return w
	}
	mark := b.hold(w, &value{typ: cir.Bool, t: b.L.BoolToInt(is)})
	other := b.anything(a.Type, untracked, b.site)
	w, is = b.held[mark], b.L.IntToBool(b.held[mark+1].t)
	b.release(mark)
	x := *w
	x.t, x.rng = b.L.Ite(is, w.t, other.t), nil
	return &x
}

// aligned reports whether a place is a multiple of n bytes from where its object begins.
func (at *place) aligned(n int64) bool {
	return at.off%n == 0 && !slices.ContainsFunc(at.idx, func(x index) bool { return x.scale%n != 0 })
}

// writesOutside notes that memory outside of the program may change, argv among it.
func (b *builder) writesOutside() { b.argv.written = true }

// given is a pointer that a function of the library is given and reads as a string, which may be one from outside.
type given struct {
	arg      int
	alone    bool      // it leads nowhere else,
	to       []*object // but to these strings
	nullable bool
	some     bool // it need not be read
}

// readsStrings reports whether a function of the library reads nothing but strings of what it is given from outside, and these.
func (b *builder) readsStrings(in *cir.Call, f *cir.Func, args []*value) (strings []given, ok bool) {
	if !f.Library || !b.opts.Check.Memory {
		return nil, false
	}
	if b.fr.fn.Library {
		return nil, b.fr.reads
	}
	c, ok := contract.Lookup(f.Source)
	if !ok || len(in.Args) > len(c.Params) || len(args) != len(in.Args) {
		return nil, false
	}
	for i, a := range in.Args {
		if !args[i].typ.IsPointer() {
			continue
		}
		switch may, alone, list := b.mayBeOutside(args[i], a.X); {
		case !may:
		case !isRead(&c.Params[i]):
			return nil, false
		default:
			p := &c.Params[i]
			strings = append(strings, given{i, alone, list, p.Nullable, len(p.Accesses[0].Extent) > 1})
		}
	}
	return strings, len(strings) > 0
}

// areStrings makes it an error, as far as is known, that one of some pointers is not to the beginning of a string. It returns those that have yet to be read from
// shared memory.
func (b *builder) areStrings(args []*value, which []given) (pending []given) {
	for _, g := range which {
		x := args[g.arg]
		if b.pending(x) {
			pending = append(pending, g)
			continue
		}
		null := b.L.Eq(x.t, b.L.Int(0))
		switch {
		case g.nullable:
		case g.some:
			b.invalidIf(null, x.side, untracked)
		default:
			b.invalidIf(null, x.side, "")
		}
		ok := b.L.Or(null, b.isString(x.t))
		for _, o := range g.to {
			ok = b.L.Or(ok, b.L.And(b.L.Le(b.L.Int(o.addr), x.t), b.L.Le(x.t, b.L.Int(o.addr+o.lastCharacter()))))
		}
		doubt := b.L.Not(ok)
		if !g.alone { // what else it may lead to is looked at where it is read
			doubt = b.L.And(b.L.Ge(x.t, b.L.Int(vectorAt)), doubt)
		}
		b.invalidIf(doubt, x.side, untracked)
	}
	return pending
}

// isRead reports whether a parameter is a string that is only read.
func isRead(p *contract.Param) bool {
	for _, a := range p.Accesses {
		if a.Writes || !slices.ContainsFunc(a.Extent, func(l contract.Limit) bool { return l.Kind == contract.String }) {
			return false
		}
	}
	return len(p.Accesses) > 0 && len(p.Retains) == 0 && len(p.Calls) == 0 && p.Format == contract.NoFormat && !p.Frees && !p.FreesBelow
}

// isPartOfString reports whether what is read at a pointer is part of a string which a function of the library is given, which does not go further than that.
func (b *builder) isPartOfString(p *value, v cir.Value) bool {
	if !b.fr.reads {
		return false
	}
	if p.at == nil && !isNull(p) {
		return !slices.ContainsFunc(b.pts.Targets(b.fr.fn, b.fr.ctx, v), func(l pointsto.Location) bool {
			return !l.Obj.External && !isLibrarys(l.Obj) && len(b.stringsOf(l.Obj)) == 0
		})
	}
	may, alone, _ := b.mayBeOutside(p, v)
	return may && alone
}

// isLibrarys reports whether an object is a variable of the library's own.
func isLibrarys(o *pointsto.Object) bool {
	return o.Global != nil && o.Global.Library || o.Local != nil && o.Func.Library
}

// mayBeOutside reports whether a pointer may lead to a string that the program was given, or other memory outside of it, and whether only there, and to these objects, which are strings that
// nobody changes.
func (b *builder) mayBeOutside(p *value, v cir.Value) (may, alone bool, strings []*object) {
	if p.at != nil {
		o := p.at.obj
		return o == b.argv.obj || b.isVariable(o.abs), true, b.stringsOf(o.abs)
	}
	if isNull(p) {
		return false, false, nil
	}
	alone = true
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
		list := b.stringsOf(l.Obj)
		may = may || l.Obj.External || b.isVariable(l.Obj)
		alone = alone && (l.Obj.External || len(list) > 0)
		strings = append(strings, list...)
	}
	return may, alone, strings
}

// isVariable reports whether an object is the value of a variable of the environment, as the library makes it.
func (b *builder) isVariable(o *pointsto.Object) bool {
	return o != nil && isEnvironment(o) && (o.Func.Source == "any_string" || o.Func.Source == "setenv")
}

// stringsOf returns the objects that one stands for, if they are strings that nobody changes.
func (b *builder) stringsOf(abs *pointsto.Object) []*object {
	switch {
	case abs == nil:
	case abs.Global != nil && abs.Global.Literal && lastZero(abs.Global) >= 0:
		return []*object{b.global(abs.Global)}
	case b.isVariable(abs) && !b.facts.environmentWritten:
		list := b.instances(abs)
		if !slices.ContainsFunc(list, func(o *object) bool { return o.many }) {
			return list
		}
	}
	return nil
}

// lastCharacter returns up to where a string in an object begins at most.
func (o *object) lastCharacter() int64 {
	if o.global != nil {
		return lastZero(o.global)
	}
	return 0
}

// changes notes that what a pointer points to may change: argv, or a string of the environment.
func (b *builder) changes(p *value, v cir.Value) {
	if p.at != nil && p.at.obj == b.argv.obj {
		b.writesOutside()
	}
	for _, abs := range b.aims(p, v) {
		b.noteString(abs)
		if abs.External {
			b.writesOutside()
		}
	}
}

// noteString notes that an object changes, which may be the value of a variable of the environment.
func (b *builder) noteString(abs *pointsto.Object) {
	if b.isVariable(abs) && !b.isOwner() {
		b.environmentWritten = true
	}
}

// lastZero returns where the last zero byte of a constant is, which may be cut off; -1 if it has none.
func lastZero(g *cir.Global) int64 {
	if int64(len(g.Data)) < g.Size {
		return g.Size - 1
	}
	return int64(bytes.LastIndexByte(g.Data, 0))
}
