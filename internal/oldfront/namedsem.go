package cfront

import (
	"regexp"
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// A named semaphore is one object for each name in the program, and a variable that
// tells whether the name exists. What is outside of the program does not take part: no
// name exists at first. sem_close does nothing, as the system keeps the semaphore.

// assumeNamed is what named semaphores come with.
const assumeNamed = "a semaphore that the program opens by its name does not exist before, and is not created again after sem_unlink"

// The states of a name.
const (
	nameFree     = iota // it was never there
	nameExists          // sem_open has created it
	nameUnlinked        // sem_unlink has removed it
)

// What sem_open and sem_unlink leave in errno, and the flags of sem_open, as on Linux.
const (
	enoent = 2
	eexist = 17
	oCreat = 0o100
	oExcl  = 0o200
)

// namedSem is the semaphore of a name.
type namedSem struct {
	obj   *object // nil if it is only unlinked
	state *ir.Var
}

// semType is the type of the semaphore of a name, nil for one that is only unlinked.
type semType struct {
	name string
	typ  *ctype
}

// initNamed makes the semaphores of the names that turned out so far.
func (b *lowerer) initNamed() {
	for _, s := range b.src.named {
		n := &namedSem{state: b.newVar("exists."+plainName(s.name), "", ir.Type{Bits: 8}, ir.Shared)}
		n.state.Init = &logic.Value{}
		if s.typ != nil {
			n.obj = b.newObject("semaphore."+plainName(s.name), "", nil, s.typ, ir.Shared, &logic.Value{})
			n.obj.key = "semaphore " + s.name
			b.known(n.obj)
		}
		b.named[s.name] = n
	}
}

var notInNames = regexp.MustCompile(`\W`)

// plainName makes the name of a semaphore one of variables.
func plainName(name string) string {
	return notInNames.ReplaceAllString(strings.TrimPrefix(name, "/"), "_")
}

// namedSem returns the semaphore of the name that v points to. The first time a name
// turns up, lowering starts anew.
func (b *lowerer) namedSem(c call, v *value, typ *ctype) *namedSem {
	text, ok := cc.StringValue(""), false
	if v.kind == vPtr && !v.maybeNull && v.pl.obj != nil && v.pl.obj.literal {
		if k, fixed := v.pl.fixed(); fixed && k == 0 {
			text, ok = v.pl.obj.text.Value().(cc.StringValue)
		}
	}
	if !ok {
		b.fail(c.n, "unsupported: %s of a name that is not known here", c.name)
	}
	name := strings.TrimSuffix(string(text), "\x00")
	if len(name) < 2 || name[0] != '/' || strings.ContainsAny(name[1:], "/\x00") || len(name) > 200 {
		b.fail(c.n, "unsupported: %s of a name that does not consist of / and other characters", c.name)
	}
	if s := b.named[name]; s != nil && (s.obj != nil || typ == nil) {
		b.assume(assumeNamed)
		return s
	}
	for i := range b.src.named {
		if s := &b.src.named[i]; s.name == name {
			s.typ = typ
			panic(restart{})
		}
	}
	b.src.named = append(b.src.named, semType{name, typ})
	panic(restart{})
}

// semOpen lowers sem_open, which fails only because of what exists.
func (b *lowerer) semOpen(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return &value{kind: vUnknown, src: c.n}
	}
	typ := b.typeOf(c.n.Type().(*cc.PointerType).Elem(), nil)
	flags, ok := vals[1].constant()
	f, small := flags.Int64()
	if typ.kind != tSem || !ok || !small || len(vals[1].side) > 0 {
		b.fail(c.n, "unsupported: sem_open with flags that are not known here")
	}
	s := b.namedSem(c, vals[0], typ)
	create, exclusive := f&oCreat != 0, f&oCreat != 0 && f&oExcl != 0
	initial := b.semValue(c, vals, create)
	mark := b.hold(initial)
	b.settleAll()
	b.letGo(mark)
	start := b.cur
	var opened, failed []*flow
	way := func(state int64, list *[]*flow, why int64) {
		b.cur = start.clone()
		is := ir.AssumeCmd(b.L.Eq(s.state.Sym, b.L.Int(state)))
		switch {
		case why != 0:
			b.emit(c.n, b.text(c.n)+" fails", is)
			b.setErrno(c.n, b.L.Int(why))
		case state == nameExists:
			b.emit(c.n, b.text(c.n), is)
		default:
			b.atomically(c.n, func() {
				b.emit(c.n, b.text(c.n)+" creates the semaphore", is, ir.AssignCmd(s.state, b.L.Int(nameExists)))
				b.emitValue(c.n, "", initial, ir.AssignCmd(s.obj.cells[0].v, initial.t))
			})
			b.setErrno(c.n, nil) // glibc tries to open it first
		}
		*list = append(*list, b.cur)
	}
	if exclusive {
		way(nameExists, &failed, eexist)
	} else {
		way(nameExists, &opened, 0)
	}
	if create {
		way(nameFree, &opened, 0)
	} else {
		way(nameFree, &failed, enoent)
		way(nameUnlinked, &failed, enoent)
	}
	b.join(c.n, failed...)
	no := b.cur
	b.join(c.n, opened...)
	return b.mergeValues(c.n, b.cur, &value{kind: vPtr, pl: s.obj.whole(), src: c.n}, no, b.constInt(0, b.ptrInt))
}

// semValue returns the value of a semaphore to create.
func (b *lowerer) semValue(c call, vals []*value, create bool) *value {
	if !create {
		return b.constInt(0, ir.Type{Bits: 32})
	}
	b.want(c, 4)
	v := vals[3]
	if v.kind != vInt {
		b.fail(c.n, "unsupported: pointer as the value of a semaphore")
	}
	v = b.convert(c.n, v, ir.Type{Bits: 32})
	b.materialise(v)
	if !isFixed(v) || v.bounds().hi.Cmp(logic.IntValue(maxCount)) > 0 {
		b.assume(assumeCount)
		w := *v
		w.side = append(w.side, b.L.Le(v.t, b.L.Int(maxCount)))
		v = &w
	}
	return v
}

// semUnlink lowers sem_unlink.
func (b *lowerer) semUnlink(c call) *value {
	b.want(c, 1)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	s := b.namedSem(c, vals[0], nil)
	exists := b.L.Eq(s.state.Sym, b.L.Int(nameExists))
	ways := b.tryStep(c, s.state, exists, b.L.Int(nameUnlinked), -1)
	b.cur = ways[1].f
	b.setErrno(c.n, b.L.Int(enoent))
	ways[1].f = b.cur
	return b.byResult(c, ways)
}
