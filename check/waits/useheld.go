package waits

import (
	"maps"
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// A lock that a thread surely holds is a token (as in separation logic, O'Hearn 2007): the call that takes it makes one, the call that gives it back needs one, and uses it up. A token has the name of the lock's address, or the lock is the
// only one of its element. All tokens of a thread are of different locks, as nobody takes a lock that he holds. So who gives one lock back keeps the tokens of all others, whatever their names are. A function is lent
// the tokens that all of its callers have and that its parameters name. What a caller keeps for itself, no callee can give back: that would need a token, and there is one only.
type tokens map[hold]bool

// lending is the analysis.
type lending struct {
	*uses
	entry, exit map[pointsto.Copy]tokens // nil: nobody calls it, or it does not return
	dirty       map[pointsto.Copy]bool
	work        []pointsto.Copy
	judging     bool
	err         error
	tried       map[*cir.Call]hold // of a block: what an attempt has got if it has succeeded
	pairs       map[Element]pairing
}

// pairing is with which mutex a condition variable is waited for: one lock, or the one at a distance in the same object.
type pairing struct {
	set  int // -1: none
	dist int64
}

// held shows that each thread holds what it gives back, or waits with, and that threads wait for a condition variable with one mutex.
func (u *uses) held() error {
	l := &lending{uses: u, entry: map[pointsto.Copy]tokens{}, exit: map[pointsto.Copy]tokens{}, dirty: map[pointsto.Copy]bool{}, pairs: map[Element]pairing{}}
	for _, k := range u.h.classes {
		for _, r := range k.roots {
			l.lend(r, tokens{})
		}
	}
	for len(l.work) > 0 && l.err == nil {
		if err := u.h.ctx.Err(); err != nil {
			return err
		}
		c := l.work[0]
		l.work = l.work[1:]
		l.dirty[c] = false
		l.copy(c)
	}
	l.judging = true
	for _, c := range u.h.runs {
		if l.entry[c] != nil && l.err == nil {
			l.copy(c)
		}
	}
	return l.err
}

func (l *lending) wake(c pointsto.Copy) {
	if !l.dirty[c] {
		l.dirty[c] = true
		l.work = append(l.work, c)
	}
}

// lend notes that a copy is called with some tokens.
func (l *lending) lend(c pointsto.Copy, s tokens) {
	old := l.entry[c]
	if old != nil && !old.meet(s) {
		return
	}
	if old == nil {
		l.entry[c] = maps.Clone(s)
	}
	l.wake(c)
	for _, d := range l.h.callers[c] {
		l.wake(d)
	}
}

// meet keeps what is also in other tokens, and reports whether that changes anything.
func (s tokens) meet(t tokens) bool {
	n := len(s)
	maps.DeleteFunc(s, func(k hold, _ bool) bool { return !t[k] })
	return len(s) < n
}

// forget drops what is named by something that changes.
func (s tokens) forget(token string) {
	maps.DeleteFunc(s, func(k hold, _ bool) bool { return k.name.rests(token) })
}

// copy follows a copy.
func (l *lending) copy(c pointsto.Copy) {
	if l.entry[c] == nil {
		return
	}
	f := c.Func
	at := make([]tokens, len(f.Blocks))
	at[0] = maps.Clone(l.entry[c])
	var out tokens
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0 && l.err == nil; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.h.pts.Comes(f, b) {
			continue
		}
		s := maps.Clone(at[b.Index])
		judging := l.judging
		l.judging = false // not before nothing changes
		goes := l.block(c, b, s)
		l.judging = judging
		if !goes {
			continue
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !l.h.pts.Goes(f, b, to) {
				return
			}
			t := l.along(c, b, to, s)
			if old := at[to.Index]; old == nil {
				at[to.Index] = t
			} else if !old.meet(t) {
				return
			}
			work = append(work, to)
		})
	}
	for i, b := range f.Blocks {
		if at[i] == nil || l.err != nil || !l.h.pts.Comes(f, b) {
			continue
		}
		s := maps.Clone(at[i])
		if _, returns := b.Term.(*cir.Return); l.block(c, b, s) && returns {
			if out == nil {
				out = s
			} else {
				out.meet(s)
			}
		}
	}
	if out == nil || l.judging {
		return
	}
	maps.DeleteFunc(out, func(k hold, _ bool) bool { return k.name.base != "" && paramOf(k.name) < 0 })
	old := l.exit[c]
	if old != nil && !old.meet(out) {
		return
	}
	if old == nil {
		l.exit[c] = out
	}
	for _, d := range l.h.callers[c] {
		l.wake(d)
	}
}

// along returns what is held behind an edge: where the result of an attempt tells that it has succeeded, what it has got.
func (l *lending) along(c pointsto.Copy, b, to *cir.Block, s tokens) tokens {
	s = maps.Clone(s)
	if br, ok := b.Term.(*cir.Branch); ok {
		x := l.h.function(c.Func)
		t, ok := x.tests[br]
		if call, isCall := t.in.(*cir.Call); ok && isCall && (to == br.Then) == t.zero && x.follows(b, call) {
			if k, tried := l.tried[call]; tried {
				s[k] = true
			}
		}
	}
	for _, r := range to.Params {
		s.forget(regToken(r.Index))
	}
	return s
}

// block follows a block, and reports whether control gets to its end.
func (l *lending) block(c pointsto.Copy, b *cir.Block, s tokens) bool {
	x, vs := l.h.function(c.Func), values{}
	l.tried = map[*cir.Call]hold{}
	forget := func(token string) {
		s.forget(token)
		maps.DeleteFunc(l.tried, func(_ *cir.Call, k hold) bool { return k.name.rests(token) })
		maps.DeleteFunc(vs, func(_ int, n name) bool { return n.rests(token) })
	}
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *cir.Store:
			if to, ok := in.Addr.(*cir.Local); ok {
				forget(localToken(to))
			}
		case *cir.LifeStart:
			forget(localToken(in.Local))
			forget(addressToken(in.Local))
		case *cir.LifeEnd:
			forget(localToken(in.Local))
			forget(addressToken(in.Local))
		case *cir.Call:
			if !l.call(c, in, s, vs) || l.err != nil {
				return false
			}
		case *cir.Intrinsic:
			if in.Op == cir.ThreadExit || in.Op == cir.Stop || in.Op == cir.Trap {
				return false
			}
		}
		n := vs.compute(x, in)
		for _, r := range cir.Results(in) {
			if r == nil {
				continue
			}
			if forget(regToken(r.Index)); n.base != "" && !n.rests(regToken(r.Index)) {
				vs[r.Index] = n
			}
		}
	}
	return true
}

// addressToken is the token of the address of a local, as values.of has it.
func addressToken(l *cir.Local) string { return "l" + localToken(l)[1:] }

// call follows a call, and reports whether it returns.
func (l *lending) call(c pointsto.Copy, in *cir.Call, s tokens, vs values) bool {
	x, err := l.h.callees(c, in)
	if err != nil {
		l.err = err
		return false
	}
	if len(x.known) == 1 && x.known[0].does != onceOnly {
		l.operation(c, in, x.known[0], s, vs)
		return true
	}
	var args []name
	if len(x.known) == 0 && !x.outside {
		args = make([]name, len(in.Args))
		for i, a := range in.Args {
			if a.ByVal == nil {
				args[i] = vs.of(a.X)
			}
		}
	}
	var out tokens
	for _, y := range x.to {
		lent := map[hold]hold{} // by what it is to the callee
		if args != nil {
			for k := range s {
				if k.name.base == "" {
					lent[k] = k
				} else if g := l.h.given(k, args); g.name.base != "" {
					lent[g] = k
				}
			}
		}
		given := tokens{}
		for g := range lent {
			given[g] = true
		}
		if !l.judging {
			l.lend(y, given)
		}
		if t := l.after(s, lent, y, args); t != nil && out == nil {
			out = t
		} else if t != nil {
			out.meet(t)
		}
	}
	if len(x.known) > 0 || (x.outside || len(x.to) == 0) && in.Returns { // nothing is called, or not here
		if out == nil {
			return true
		}
		out.meet(s)
	}
	if out == nil {
		return false
	}
	maps.DeleteFunc(s, func(k hold, _ bool) bool { return !out[k] })
	maps.Copy(s, out)
	return true
}

// after returns what is held behind a call of a copy that was lent some tokens, nil if it does not return.
func (l *lending) after(s tokens, lent map[hold]hold, y pointsto.Copy, args []name) tokens {
	exit := l.exit[y]
	if exit == nil {
		return nil
	}
	out := maps.Clone(s)
	for g, k := range lent {
		if l.entry[y][g] && !exit[g] {
			delete(out, k)
		}
	}
	for g := range exit {
		switch {
		case args == nil:
		case l.entry[y][g] && lent[g].set == g.set: // it was lent
		case g.name.base == "":
			out[g] = true
		default:
			if n := back(g.name, args); n.base != "" {
				out[hold{set: g.set, name: n}] = true
			}
		}
	}
	return out
}

// operation follows what a function of the library does.
func (l *lending) operation(c pointsto.Copy, in *cir.Call, op *operation, s tokens, vs values) {
	switch op.does {
	case takes, tries, gives, sleeps, dozes:
	default:
		return
	}
	set, n, err := l.h.lockOf(c, in, op, vs)
	if err != nil {
		l.err = err
		return
	}
	k := hold{set: set, name: n}
	if l.h.sets.exact(set) {
		k.name = name{}
	}
	named := k.name.base != "" || l.h.sets.exact(set)
	switch op.does {
	case takes:
		if named {
			s[k] = true
		}
	case tries:
		if named {
			l.tried[in] = k
		}
	default:
		if l.judging && !l.holds(s, k, named) {
			l.err = fail(in, "it is not known that the thread holds %s", l.h.sets.describe(set))
		}
		if op.does == gives {
			maps.DeleteFunc(s, func(g hold, _ bool) bool { return g.name == k.name && (g.name.base != "" || g.set == k.set) })
		} else if l.judging && l.err == nil {
			l.err = l.waits(c, in, op, k, vs)
		}
	}
}

// holds reports whether there is a token of a lock.
func (l *lending) holds(s tokens, k hold, named bool) bool {
	if !named {
		return false
	}
	for g := range s {
		if g.name == k.name && (g.name.base != "" || g.set == k.set) {
			return true
		}
	}
	return false
}

// waits shows that threads wait for a condition variable with one mutex.
func (l *lending) waits(c pointsto.Copy, in *cir.Call, op *operation, mutex hold, vs values) error {
	set, err := l.h.sets.of(l.h.program, c, in, in.Args[op.cond].X)
	if err != nil {
		return err
	}
	with := pairing{set: mutex.set}
	if !l.h.sets.exact(mutex.set) {
		// At a distance in memory: who waits with the same condition variable waits with the same mutex.
		n := vs.of(in.Args[op.cond].X)
		if n.base == "" || n.base != mutex.name.base {
			return fail(in, "it is not known that a condition variable is waited for with one mutex")
		}
		with = pairing{set: -1, dist: n.off - mutex.name.off}
	}
	for _, e := range l.h.sets.list[set] {
		if old, known := l.pairs[e]; known && old != with {
			return fail(in, "a condition variable may be waited for with two mutexes")
		}
		l.pairs[e] = with
	}
	return nil
}

// consumed shows that each id of a thread is that of one which is neither joined nor detached yet: it is loaded from where nothing but the creation of threads stores ids, and for each such place the call is made once.
func (u *uses) consumed() error {
	if len(u.joins) > 0 {
		for _, c := range u.h.runs {
			if c.Func.Library && c.Func.Source == "pthread_attr_setdetachstate" {
				return &Error{nil, "threads may be created as detached ones"}
			}
			if err := u.attached(c); err != nil {
				return err
			}
		}
	}
	seen := map[pointsto.Location]*cir.Load{}
	for _, j := range u.joins {
		if err := u.consumes(j.copy, j.call, j.call.Args[0].X, seen, 0); err != nil {
			return err
		}
	}
	return nil
}

// attached shows that the attributes of threads that a copy creates do not say that these are detached: there are none, or only the library has written them.
func (u *uses) attached(c pointsto.Copy) error {
	for _, call := range u.h.callsOf(c) {
		g, ok := call.Callee.(*cir.Func)
		if !ok || !g.Library || g.Source != "pthread_create" || len(call.Args) != 4 {
			continue
		}
		if n, null := call.Args[1].X.(cir.Null); null && n.Addr == 0 {
			continue
		}
		for _, l := range u.h.pts.Places(c.Func, c.Ctx, call.Args[1].X) {
			if !u.readied(c, call, l) || slices.ContainsFunc(u.writes[l.Obj], func(w write) bool {
				return w.whole || !(w.by.Func.Library && writesAttributes(w.by.Func.Source))
			}) {
				return fail(call, "a thread may be created as a detached one")
			}
		}
	}
	return nil
}

// writesAttributes reports whether a function of the library writes attributes only as what they are. What attributes are read into may be others.
func writesAttributes(name string) bool {
	return name == "pthread_attr_init" || name == "pthread_attr_destroy" || strings.HasPrefix(name, "pthread_attr_set")
}

// sizeAttr is the size of attributes of threads.
const sizeAttr = 56

// readied reports whether attributes that a thread is created with do not begin as any bytes: they are zeros in a global, or those of a local that the function has initialised in each of its lives.
func (u *uses) readied(c pointsto.Copy, create *cir.Call, l pointsto.Location) bool {
	if g := l.Obj.Global; g != nil {
		return l.Off == 0 && l.Exact() && !g.ThreadLocal && u.fresh(g, region{at: l, size: sizeAttr})
	}
	if l.Obj.Local == nil {
		return false
	}
	x := u.h.function(c.Func)
	is := func(call *cir.Call, i int) bool {
		n := u.nameAt(asked{c, call.Args[i].X, call, x.blockOf(call)})
		return n == name{base: addressToken(l.Obj.Local)}
	}
	start, starts := c.Func.Blocks[0].Instrs[0], x.startsOf(l.Obj.Local)
	if len(starts) > 0 {
		start = starts[0]
	}
	if l.Obj.Func != c.Func || l.Obj.Ctx != c.Ctx || len(starts) > 1 || start == cir.Instr(create) || !is(create, 1) {
		return false
	}
	return slices.ContainsFunc(u.h.callsOf(c), func(call *cir.Call) bool {
		g, ok := call.Callee.(*cir.Func)
		return ok && g.Library && g.Source == "pthread_attr_init" && len(call.Args) == 1 && is(call, 0) && (start == cir.Instr(call) || !x.reaches(start, create, call))
	})
}

// consumes is consumed for an argument of a call.
func (u *uses) consumes(c pointsto.Copy, call *cir.Call, v cir.Value, seen map[pointsto.Location]*cir.Load, depth int) error {
	x := u.h.function(c.Func)
	unknown := fail(call, "where the id of the thread comes from is not known")
	r, ok := v.(*cir.Reg)
	if !ok || depth > maxNumber {
		return unknown
	}
	b := x.blockOf(call)
	load, ok := x.defs[r.Index].(*cir.Load)
	if !ok || load.Bits != nil || u.h.sizeOf(load.Type) != 8 {
		return unknown
	}
	if i := slices.Index(b.Instrs, cir.Instr(load)); i < 0 || i > slices.Index(b.Instrs, cir.Instr(call)) {
		return unknown
	}
	if l, ok := load.Addr.(*cir.Local); ok && x.plain[l] {
		i, given := x.given[l]
		d, by := u.h.onlyCall(c)
		if !given || by == nil || i >= len(by.Args) || by.Args[i].ByVal != nil || x.reaches(call, call, nil) {
			return unknown
		}
		return u.consumes(d, by, by.Args[i].X, seen, depth+1)
	}
	places := u.h.pts.Places(c.Func, c.Ctx, load.Addr)
	for _, l := range places {
		if err := u.keepsIDs(call, l); err != nil {
			return err
		}
		for m := range seen {
			if m.Obj == l.Obj && m.Touches(8, l, 8) {
				return fail(call, "a thread may be joined or detached at two places")
			}
		}
	}
	for _, l := range places {
		seen[l] = load
	}
	if len(places) == 0 || !u.onceFor(c, load, load.Addr, false, 0) {
		return fail(call, "a thread may be joined or detached twice")
	}
	u.out.Joined = append(u.out.Joined, Joined{c, load})
	return nil
}

// keepsIDs shows that nothing but ids of threads that were just created is stored at a place.
func (u *uses) keepsIDs(call *cir.Call, l pointsto.Location) error {
	if l.Obj.External || l.Obj.IsFunc() || l.Off == pointsto.Any || l.Off < 0 || l.Obj.Global != nil && l.Obj.Global.ThreadLocal {
		return fail(call, "where the id of the thread comes from is not known")
	}
	for _, w := range u.writes[l.Obj] {
		if w.zeros && w.by.Func.Library && w.by.Func.Source == "calloc" {
			continue // before others know the object
		}
		if (w.whole || w.at.Touches(w.size, l, 8)) && !(w.at == l && w.by.Func.Library && w.by.Func.Source == "__comus_thread_begin") {
			return fail(w.in, "the id of a thread may be overwritten")
		}
	}
	return nil
}
