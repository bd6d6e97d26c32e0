package specialise

import (
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// What the contracts of the library's functions say about hidden state is part of races, too (POSIX, 2.9.1; C11 7.1.4): a
// call of a function that need not be thread-safe is an access, that is not atomic, of the state that it reads or writes; one of any other
// function is an atomic one. The state of a stream is that of its object: functions lock it, but for those that say in their
// names that they do not.

// hiddenState tells what accesses of a state are.
var (
	// ownState is each thread's own, or no memory of the process.
	ownState = map[contract.State]bool{"errno": true, "h_errno": true, "fenv": true, "stack": true, "tls": true, "dlerror": true, "world": true}
	// lockedState has a lock of its own, which functions take that need not be thread-safe because of something else.
	lockedState = map[contract.State]bool{"stdio": true, "tz": true, "exit": true}
)

// raceCall is race for the hidden state that a call of the program's accesses. It returns the arguments anew.
func (b *builder) raceCall(in *cir.Call, f *cir.Func, args []*value) []*value {
	if !b.asksRace() || b.fr.fn.Library || len(f.Blocks) > 0 && !f.Library {
		return args
	}
	c, ok := contract.Lookup(f.Source)
	if !ok || len(f.Blocks) == 0 && contractOf(in) == nil {
		return args
	}
	mark := b.hold(args...)
	handled := map[contract.State]bool{}
	for i := range c.Params {
		p := &c.Params[i]
		s, ok := contract.Default().StateOf(p.Handle)
		if !ok || i >= len(in.Args) {
			continue
		}
		handled[s] = true
		if k, ok := b.held[mark+i].constant(); !ok || k.Sign() != 0 {
			b.raceHandle(c, s, source{p: b.held[mark+i], v: in.Args[i].X}, p.Frees)
		}
	}
	for _, s := range append(slices.Clone(c.Writes), c.Reads...) {
		switch {
		case b.cur == nil || handled[s] || ownState[s]:
		case s == "stdio":
			b.raceStandardStream(c)
		case !b.optional(c, s, b.held[mark:]):
			b.raceState(string(s), accessOf(c, s), "")
		}
		handled[s] = true
	}
	b.raceUnread(in, c, mark)
	args = slices.Clone(b.held[mark:])
	b.release(mark)
	return args
}

// unread are functions whose models do not look at the strings that they are given.
var unread = map[string]bool{"fopen": true, "freopen": true, "popen": true, "remove": true, "rename": true, "system": true,
	"execv": true, "execve": true, "execvp": true, "execvpe": true, "execl": true, "execlp": true, "execle": true}

// raceUnread is race for these strings; the arguments are held from mark on.
func (b *builder) raceUnread(in *cir.Call, c *contract.Function, mark int) {
	for i := range min(len(c.Params), len(in.Args)) {
		for _, a := range c.Params[i].Accesses {
			if b.cur != nil && unread[c.Name] && a.Reads && len(a.Extent) == 1 && a.Extent[0].Kind == contract.String {
				b.raceString(source{p: b.held[mark+i], v: in.Args[i].X}, -1)
			}
		}
	}
}

// accessOf returns what a call of a function does to a state.
func accessOf(c *contract.Function, s contract.State) accessKind {
	plain := c.Unsafe && !lockedState[s] || s == "stdio" && isUnlocked(c)
	return kindOf(slices.Contains(c.Writes, s), !plain)
}

// isUnlocked reports whether a function of streams locks none.
func isUnlocked(c *contract.Function) bool {
	return c.Unsafe && (strings.Contains(c.Name, "_unlocked") || c.Name == "fcloseall")
}

// optional reports whether a call does not use a state as it is given an object of the caller's for that.
func (b *builder) optional(c *contract.Function, s contract.State, args []*value) bool {
	given := -1
	for i := range c.Params {
		p := &c.Params[i]
		if s == "shift" && p.Name == "st" || (s == "ctermid" || s == "tmpnam") && p.Nullable {
			given = i
		}
	}
	return given >= 0 && given < len(args) && args[given].at != nil
}

// raceState is race for an access to a hidden state.
func (b *builder) raceState(name string, k accessKind, approx string) {
	b.raceParts([]target{{b.L.True(), b.stateObject(name), 0}}, k, nil, approx)
	if name == environment && b.cur != nil {
		b.raceAbstract(b.strings(), k, nil, "")
	}
}

// raceParts is race for the first bytes of some objects, which stand for all of them.
func (b *builder) raceParts(list []target, k accessKind, ok []*logic.Term, approx string) {
	if b.cur == nil {
		return
	}
	found := b.partsOf(list, b.constVal(b.m.Size(), 1), k)
	b.approximately(approx, func() { b.askRace(found, k, ok) })
}

// stateObject returns the object that stands for a hidden state.
func (b *builder) stateObject(name string) *object {
	o := b.object(blueprint{key: "state " + name, name: name, size: 1, thread: ir.Shared, owner: -1, shape: &cir.Shape{Size: 1, Scalar: cir.U8}})
	o.shared = true
	return o
}

// raceUnknown is race for what a function without a body may access through its arguments, as an approximation.
func (b *builder) raceUnknown(in *cir.Call, c *contract.Function, approx string) {
	b.beyond = c == nil
	defer func() { b.beyond = false }()
	if !b.asksRace() && !b.opts.Check.Memory {
		return
	}
	for i, a := range in.Args {
		if c == nil {
			b.raceReachable(source{p: b.operand(a.X), v: a.X}, toAll, true, approx)
			continue
		}
		p := c.Argument(i)
		if far, write, ok := b.accessBy(in, c, p); ok && b.cur != nil {
			b.validArgument(in, c, p, i, approx)
			b.raceReachable(source{p: b.operand(a.X), v: a.X}, far, write, approx)
		}
	}
	if c != nil {
		b.raceStatic(in, c, approx)
	}
}

// accessBy returns what a function with a contract accesses through an argument, if anything; p is nil for one that its contract
// does not know.
func (b *builder) accessBy(in *cir.Call, c *contract.Function, p *contract.Param) (far int, write, ok bool) {
	switch {
	case p == nil:
		return toObject, !b.printsOnly(in, c), true
	case p.Handle != "":
		return 0, false, false
	case p.VaList:
		return toHeld, true, true
	case p.Frees, p.FreesBelow:
		write, ok = true, true
		if p.FreesBelow {
			far = toAll
		}
	case p.Format != contract.NoFormat:
		ok = true
	}
	for _, a := range p.Accesses {
		write, ok = write || a.Writes, true
		for _, l := range a.Extent {
			if l.Kind == contract.Below || l.Kind == contract.Deep {
				far = toAll
			}
		}
	}
	return far, write, ok
}

// raceStatic is race for the object of the library, or the part of one, that a function returns and has written.
func (b *builder) raceStatic(in *cir.Call, c *contract.Function, approx string) {
	if in.Dst == nil || !in.Dst.Type.IsPointer() || b.cur == nil {
		return
	}
	for _, v := range c.Results {
		static := v.Kind == contract.Static && slices.Contains(c.Writes, v.State) && !ownState[v.State]
		if into := v.Kind == contract.Into && c.Params[v.Param].Handle != ""; !static && !into {
			continue
		}
		for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, in.Dst) {
			if l.Obj.External {
				b.raceAbstract([]*pointsto.Object{l.Obj}, kindOf(true, b.cur.depth > 0), nil, approx)
				return
			}
		}
	}
}
