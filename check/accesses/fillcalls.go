package accesses

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/check/waits"
	"comus/cir"
)

// calleeKey is a way in which a copy is followed, and calleeFill what was found: the cells that it may read too early, and what holds where it returns.
type calleeKey struct {
	copy          int
	base          cir.Value
	shift         int64
	depth         int
	known, looped bool
	lives         bool
	has           string // what is stored
	shared        bool   // others than the object's maker may get there
}

type calleeFill struct {
	failed map[int64]bool
	lost   bool
	end    knowing
	empty  map[int64]bool // cells that it may fill with zeros, or with what may be null
}

// inCallee follows a copy that may fill the object, whose address is base there.
func (x *filling) inCallee(s knowing, c int, base cir.Value, shift int64) *calleeFill {
	has := knowing{}
	var names []string
	for k := range s {
		if k.outlasts() {
			has[k] = true
			names = append(names, fmt.Sprint(k.kind, k.k, k.off))
		}
	}
	slices.Sort(names)
	key := calleeKey{c, base, shift, x.depth + 1, !s[known{kind: private}], !s[known{kind: simple}], s[known{kind: alive}], strings.Join(names, " "),
		x.shared || len(x.p.callers[c]) != 1 || x.p.begins(c)}
	found := x.callees[key]
	if found == nil {
		y := &filling{p: x.p, f: x.p.function(x.p.copies[c].Func), copy: c, obj: x.obj, base: base, shift: shift, cells: x.cells, failed: map[int64]bool{}, depth: key.depth,
			zeros: x.zeros, tests: x.tests, life: x.life, lives: key.lives, has: has, known: key.known, looped: key.looped, shared: key.shared, callees: x.callees}
		y.empty = map[int64]bool{}
		if x.tests != nil { // registers are those of the callee
			y.tests = &testing{early: x.tests.early, public: x.tests.public}
		}
		found = &calleeFill{failed: y.failed, empty: y.empty}
		found.end, found.lost = y.run(), y.lost
		x.callees[key] = found
	}
	return found
}

// fillsBytes notes that some bytes are filled with a byte.
func (x *filling) fillsBytes(s knowing, a address, size int64, by cir.Value, in cir.Instr) {
	if x.zeros == nil || fillKind(by) != writesZeros || !x.current(a) {
		x.fills(s, a, size)
		return
	}
	x.clears(s, in)
}

// clears is where zeros are written that do not count: nobody else may see them, which is so as long as nobody else has the address, and where only the maker gets to.
func (x *filling) clears(s knowing, in cir.Instr) {
	x.zeros[place{x.copy, in}] = true
	x.empties(s, func(int64) bool { return true })
	if !s[known{kind: private}] || x.shared {
		x.fails()
	}
}

// empties forgets what was stored in some cells.
func (x *filling) empties(s knowing, which func(off int64) bool) {
	for _, off := range x.cells {
		if x.empty != nil && which(off) {
			x.empty[off] = true
		}
	}
	maps.DeleteFunc(s, func(k known, _ bool) bool {
		return (k.kind == stored || k.kind == before || k.kind == below) && which(k.off)
	})
}

// call follows a call.
func (x *filling) call(s knowing, in *cir.Call) {
	for _, arg := range in.Args {
		if arg.ByVal != nil { // all bytes of it are read
			x.escapes(s, arg.X)
		}
	}
	x.escapes(s, in.To)
	if in.Dst != nil && cir.Value(in.Dst) == x.base {
		x.anew(s)
		x.pending = true
		return
	}
	f := library(in)
	if f == nil {
		x.callOwn(s, in)
		return
	}
	if f.Source == "memset" && len(in.Args) == 3 {
		if a := x.address(s, in.Args[0].X); a.ok {
			x.fillsBytes(s, a, constant(in.Args[2].X), in.Args[1].X, in)
		}
		x.result(s, in)
		return
	}
	if (f.Source == "memcpy" || f.Source == "memmove") && len(in.Args) == 3 {
		if a := x.address(s, in.Args[1].X); a.ok {
			x.findsItself(s)
			x.reads(s, a, constant(in.Args[2].X))
		}
		if a := x.address(s, in.Args[0].X); a.ok {
			x.fills(s, a, constant(in.Args[2].X))
		}
		x.result(s, in)
		return
	}
	for _, u := range x.p.lockUses[place{x.copy, in}] {
		if a := x.address(s, in.Args[u.Arg].X); a.ok && u.Kind != waits.Begins {
			x.reads(s, a, x.p.word)
		} else if a.ok && x.p.founds(place{x.copy, in}, in, f) {
			x.begins = true
			x.fills(s, a, u.Size)
			x.begins = false
		}
	}
	if i, size := x.p.surelyWrites(place{x.copy, in}, in, f); size > 0 {
		if a := x.address(s, in.Args[i].X); a.ok {
			x.fills(s, a, size)
		}
	}
	if _, global := x.base.(*cir.Global); global && f.Source == "pthread_create" {
		x.escapes(s, x.base)
	}
	list, listed := contracts[f.Source]
	if listed {
		x.strings(s, in, list)
	}
	if i := readsTimes(f); i >= 0 && i < len(in.Args) {
		if a := x.address(s, in.Args[i].X); a.ok {
			x.reads(s, a, 16)
		}
	}
	for i, arg := range in.Args {
		switch {
		case x.life != nil && f.Source == "pthread_create" && i == 3: // see belongs
		case listed && i < len(list) && list[i].use != isKept && list[i].use != isNumber, listed && i >= len(list): // no pointers are read there
		default:
			x.escapes(s, arg.X)
		}
	}
}

// strings follows what a function of the library reads of strings, and writes.
func (x *filling) strings(s knowing, in *cir.Call, list []param) {
	f := library(in)
	for i, arg := range in.Args {
		if a := x.address(s, arg.X); a.ok && (i >= len(list) || list[i].use == isString || list[i].use == isFormat) {
			x.reads(s, a, 1)
		}
	}
	if f.Source != "snprintf" || len(in.Args) < 2 {
		return
	}
	a := x.address(s, in.Args[0].X)
	if n := x.p.fact(place{x.copy, in}, in.Args[1].X); !x.current(a) || !n.known || n.lo < 1 {
		return
	}
	off := a.off | textBit
	if slices.Contains(x.cells, off) && a.off >= 0 && (a.at != nil) == x.inArray(off) && a.back == 0 && (a.at == nil || x.elements(a.scale, off)) {
		s[known{kind: stored, i: a.at, off: off}] = true
	}
}

// result is an address that is returned, of what was given.
func (x *filling) result(s knowing, in *cir.Call) {
	if a := x.address(s, in.Args[0].X); a.ok && in.Dst != nil {
		x.regs[in.Dst.Index] = a
	}
}

// callOwn follows a call of the program's own function, which may fill the object that it is given.
func (x *filling) callOwn(s knowing, in *cir.Call) {
	x.escapes(s, in.Callee)
	list := x.p.calls[place{x.copy, in}]
	if g, ok := x.base.(*cir.Global); ok { // it may access the global by its name
		for _, arg := range in.Args {
			x.escapes(s, arg.X)
		}
		x.callNaming(s, g, list)
		return
	}
	given := -1
	for i, arg := range in.Args {
		if a := x.address(s, arg.X); a.ok && arg.ByVal == nil {
			if given >= 0 || !x.current(a) || len(list) != 1 || x.depth > 3 || i >= len(x.p.copies[list[0]].Func.Params) {
				given = -2
				break
			}
			given = i
		}
	}
	if given < 0 {
		for _, arg := range in.Args {
			x.escapes(s, arg.X)
		}
		return
	}
	a := x.address(s, in.Args[given].X)
	if a.at != nil {
		x.escapes(s, in.Args[given].X)
		return
	}
	found := x.inCallee(s, list[0], x.p.copies[list[0]].Func.Params[given].Reg, a.off)
	if found.lost {
		x.fails()
	}
	if x.judging {
		for off := range found.failed {
			if found.empty[off] || !x.all(s, off) { // it may be read when it was emptied
				x.failed[off] = true
			}
		}
	}
	end := found.end
	x.empties(s, func(off int64) bool { return found.empty[off] })
	x.keeps(s, end)
	for k := range end {
		if k.outlasts() {
			s[k] = true
		}
	}
}

// outlasts reports whether something holds in callers and callees, too.
func (k known) outlasts() bool {
	return k.kind == stored && k.i == nil || k.kind == below && k.n == nil
}

// callNaming follows a call of the program's own functions, which may access the object by its name, a global's.
func (x *filling) callNaming(s knowing, g *cir.Global, list []int) {
	var all knowing
	for i, c := range list {
		if x.depth > 3 {
			x.escapes(s, g)
			return
		}
		found := x.inCallee(s, c, g, 0)
		if found.lost {
			x.fails()
		}
		if x.judging {
			for off := range found.failed {
				if found.empty[off] || !x.all(s, off) { // it may be read when it was emptied
					x.failed[off] = true
				}
			}
		}
		end := found.end
		x.empties(s, func(off int64) bool { return found.empty[off] })
		if i == 0 {
			all = maps.Clone(end)
		} else {
			maps.DeleteFunc(all, func(k known, _ bool) bool { return !end[k] })
		}
	}
	x.keeps(s, all)
	for k := range all {
		if k.outlasts() {
			s[k] = true
		}
	}
}

// keeps forgets what does not hold any more where a callee has returned.
func (x *filling) keeps(s, end knowing) {
	for _, k := range []knownKind{private, simple, alive} {
		if !end[known{kind: k}] {
			delete(s, known{kind: k})
		}
	}
}
