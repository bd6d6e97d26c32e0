package specialise

import (
	"path/filepath"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// The functions of stdio.h lock their stream: their accesses of it are atomic ones, which are made while no other thread holds its lock
// (flockfile). Those whose names end in _unlocked leave that to the program.

// streamsOf are the functions that use a standard stream without being given it: its number; 1 for all others.
var streamsOf = map[string]int64{"getchar": 0, "getchar_unlocked": 0, "getwchar": 0, "getwchar_unlocked": 0, "scanf": 0, "vscanf": 0,
	"wscanf": 0, "vwscanf": 0, "gets": 0, "perror": 2, "psignal": 2, "psiginfo": 2, "herror": 2, "err": 2, "errx": 2, "verr": 2,
	"verrx": 2, "warn": 2, "warnx": 2, "vwarn": 2, "vwarnx": 2, "error": 2, "error_at_line": 2, "getopt": 2, "getopt_long": 2,
	"getopt_long_only": 2, "getpass": 2}

// unknownStream is what is not exact about a stream that is not known.
const unknownStream = "which object of the library a pointer is"

// allStreams are functions that use any stream.
var allStreams = map[string]bool{"exit": true, "fcloseall": true, "_flushlbf": true}

// raceStandardStream is race for a standard stream that a call uses without being given it.
func (b *builder) raceStandardStream(c *contract.Function) {
	k := accessOf(c, "stdio")
	for _, s := range b.standardStreams(c) {
		b.raceStream(s, k)
	}
}

// standardStreams returns these streams.
func (b *builder) standardStreams(c *contract.Function) []stream {
	if allStreams[c.Name] {
		return []stream{b.standardStream(0), b.standardStream(1), b.standardStream(2)}
	}
	i, ok := streamsOf[c.Name]
	if !ok {
		i = 1
	}
	return []stream{b.standardStream(i)}
}

// waitForStreams is the wait of a function without a body for the locks of the streams that it uses; models do that themselves. It
// returns the arguments anew.
func (b *builder) waitForStreams(in *cir.Call, args []*value) []*value {
	c := contractOf(in)
	if !b.opts.Check.Deadlock || c == nil || !slices.Contains(slices.Concat(c.Reads, c.Writes), "stdio") || isUnlocked(c) {
		return args
	}
	mark := b.hold(args...)
	var all []stream
	given, unknown := false, false
	for i := range c.Params {
		if s, ok := contract.Default().StateOf(c.Params[i].Handle); ok && s == "stdio" {
			b.held[mark+i] = b.steadyPointer(b.held[mark+i]) // a step touches one location
			ts := b.resolveByte(source{p: b.held[mark+i], v: in.Args[i].X})
			for _, t := range ts.list {
				all = append(all, b.streamAt(t))
			}
			given, unknown = true, unknown || ts.vague
		}
	}
	if !given {
		all = b.standardStreams(c)
	}
	for _, s := range all {
		if b.settleAll(); b.cur == nil {
			break
		}
		lock, holder, free := b.lockOf(s)
		if lock == nil { // nobody takes it
			unknown = unknown || s.file != nil && s.file.vague
			continue
		}
		b.waits(free, holder, nil)
		b.emit(b.text(), ir.AssumeCmd(free))
	}
	if b.settleAll(); unknown && b.cur != nil && b.locksStreams() {
		free := b.truth(b.anything(cir.Bool, unknownStream, b.site))
		b.waits(free, nil, nil)
		b.emit(b.text(), ir.AssumeCmd(free))
	}
	args = slices.Clone(b.held[mark:])
	b.release(mark)
	return args
}

// stream is a place where a FILE may be, and what stands for it.
type stream struct {
	target
	file *object // nil if the program has none of this name
	off  int64
}

// standardStream returns one of the standard streams.
func (b *builder) standardStream(i int64) stream {
	s := stream{target: target{b.L.True(), b.stateObject([]string{"stdin", "stdout", "stderr"}[i]), 0}}
	for _, g := range b.cp.Globals {
		if b.isStandard(g) {
			s.file = b.global(g)
			s.off = g.Size / 3 * i
		}
	}
	return s
}

// streamAt returns the stream at a place.
func (b *builder) streamAt(t target) stream {
	s := stream{target: target{t.cond, t.obj, t.bit}, file: t.obj, off: t.bit / 8}
	if g := t.obj.global; b.isStandard(g) {
		s = b.standardStream(s.off / (g.Size / 3))
		s.cond = t.cond
	}
	return s
}

// isStandard reports whether a global is the standard streams.
func (b *builder) isStandard(g *cir.Global) bool {
	return g != nil && g.Source == "standard" && g.Shape != nil && g.Shape.Len == 3 && filepath.Base(g.Pos.File) == "stdio.c" && g.Library
}

// raceStream is race for a stream. An access that is atomic waits for the stream's lock, if the program uses such locks.
func (b *builder) raceStream(s stream, k accessKind) {
	lock, _, free := b.lockOf(s)
	switch {
	case b.cur == nil:
	case k < atomicRead || lock == nil:
		b.raceParts([]target{s.target}, k, nil, "")
	case !b.weak():
		b.raceParts([]target{s.target}, k, []*logic.Term{free}, "")
	default: // it takes the lock and gives it back
		b.settle(true)
		b.cur.depth++
		b.emit("", ir.AssumeCmd(free))
		b.lockSync(lock, true)
		b.raceParts([]target{s.target}, k, nil, "")
		b.lockSync(lock, false)
		b.leaveAtomic()
	}
}

// raceHandle is race for an object of the library that a call is given.
func (b *builder) raceHandle(c *contract.Function, state contract.State, s source, frees bool) {
	k := accessOf(c, state)
	if frees {
		k = plainWrite
	}
	if b.pending(s.p) {
		s.p = b.steadyPointer(s.p)
	}
	ts := b.resolveByte(s)
	for _, t := range ts.list {
		b.raceStream(b.streamAt(t), k)
	}
	if ts.vague || len(ts.list) == 0 {
		b.raceState("some "+string(state), k, unknownStream)
		b.raceAnyStream(state, k)
	}
}

// raceAnyStream is race for a stream that is not known, as an approximation.
func (b *builder) raceAnyStream(state contract.State, k accessKind) {
	if state != "stdio" {
		return
	}
	var all []*object
	for i := range int64(3) {
		all = append(all, b.standardStream(i).obj)
	}
	for _, o := range b.objects {
		if o.abs != nil && isFile(o.abs) {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(x, y *object) int { return int(x.addr - y.addr) })
	for _, o := range all {
		b.raceParts([]target{{b.L.True(), o, 0}}, k, nil, unknownStream)
	}
}

// lockOf returns the lock of a stream, if the program uses such locks, what it holds, and the condition that the thread being run need not
// wait for it.
func (b *builder) lockOf(s stream) (lock *targets, holder, free *logic.Term) {
	if s.file == nil || s.file.vague || !b.locksStreams() {
		return nil, nil, nil
	}
	bit := (s.off + b.streamLock()) * 8
	cells := b.cellsAt(s.file, bit, 32)
	if len(cells) != 1 || cells[0].v.Thread != ir.Shared {
		return nil, nil, nil
	}
	t := b.content(cells[0]).t
	free = b.L.Implies(s.cond, b.L.Or(b.L.Eq(t, b.L.Int(0)), b.L.Eq(t, b.L.Int(int64(b.th.index+1)))))
	return &targets{list: []target{{s.cond, s.file, bit}}, bits: 32, shared: true}, t, free
}

// locksStreams reports whether the program takes locks of streams itself.
func (b *builder) locksStreams() bool {
	return slices.ContainsFunc(b.cp.Funcs, func(f *cir.Func) bool {
		return f.Library && (f.Source == "flockfile" || f.Source == "ftrylockfile")
	})
}

// streamLock returns where the lock of a stream is: offsetof(FILE, _unused2), as in glibc.
func (b *builder) streamLock() int64 {
	if b.m.PointerBits == 32 {
		return 108
	}
	return 196
}
