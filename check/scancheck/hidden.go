package scancheck

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"comus/cfront/contract"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Hidden state of the library is accessed by calls, as the contracts of its functions say. Nothing is claimed of it in a certificate, but that it
// is race-free: who uses it when, and with which locks, follows from what is claimed of threads and locks, and that is little enough to
// compare all of it. Which functions use which state how is a definition, the same as for single questions.

// hiddenKey is a state, or that of an object of the library's.
type hiddenKey struct {
	state  string
	object int // -1: none
}

func (k hiddenKey) String() string {
	if k.object < 0 {
		return "state '" + k.state + "' of the library"
	}
	return fmt.Sprintf("the library's object %d", k.object)
}

// The names of states that are not contracts'.
const (
	handleState = "handle"           // of an object of the library's
	streams     = "standard streams" // one state, as most functions do not say which one they use
	environment = "environ"          // whose memory programs see
)

// ownStates are each thread's own, or no memory of the process; lockedStates have a lock of their own, which functions take that
// need not be thread-safe because of something else.
var (
	ownStates    = []contract.State{"errno", "h_errno", "fenv", "stack", "tls", "dlerror", "world"}
	lockedStates = []contract.State{"stdio", "tz", "exit"}
)

// hiddenState is who uses hidden state, and what of it is not race-free.
type hiddenState struct {
	users map[hiddenKey]map[string]*group
	open  map[hiddenKey]string
}

func newHiddenState() hiddenState {
	return hiddenState{map[hiddenKey]map[string]*group{}, map[hiddenKey]string{}}
}

// stateUse is an access of a state that a call makes.
type stateUse struct {
	state         string
	handle        cir.Value // set: of the objects that it leads to
	write, atomic bool
}

// statesOf returns what a call of a function with a contract does to hidden state.
func statesOf(call *cir.Call, k *contract.Function) (list []stateUse) {
	var done []contract.State
	how := func(s contract.State) (write, atomic bool) {
		unlocked := s == "stdio" && k.Unsafe && (strings.Contains(k.Name, "_unlocked") || k.Name == "fcloseall")
		return slices.Contains(k.Writes, s), !unlocked && (!k.Unsafe || slices.Contains(lockedStates, s))
	}
	for i := range k.Params {
		s, ok := contract.Default().StateOf(k.Params[i].Handle)
		if !ok || i >= len(call.Args) {
			continue
		}
		done = append(done, s)
		write, atomic := how(s)
		if k.Params[i].Frees {
			write, atomic = true, false
		}
		list = append(list, stateUse{string(s), call.Args[i].X, write, atomic})
	}
	for _, s := range append(slices.Clone(k.Writes), k.Reads...) {
		if slices.Contains(done, s) || slices.Contains(ownStates, s) || givenInstead(call, k, s) {
			continue
		}
		done = append(done, s)
		write, atomic := how(s)
		name := string(s)
		if s == "stdio" {
			name = streams
		}
		list = append(list, stateUse{name, nil, write, atomic})
	}
	return list
}

// givenInstead reports whether a call is given the address of an object of the caller's in place of a state.
func givenInstead(call *cir.Call, k *contract.Function, s contract.State) bool {
	for i := range min(len(k.Params), len(call.Args)) {
		p := &k.Params[i]
		if s == "shift" && p.Name == "st" || (s == "ctermid" || s == "tmpnam") && p.Nullable {
			switch call.Args[i].X.(type) {
			case *cir.Local, *cir.Global:
				return true
			}
		}
	}
	return false
}

// statesContract returns the contract of what a call of the program's gets to, nil if it has none.
func statesContract(call *cir.Call, f *cir.Func) *contract.Function {
	if len(f.Blocks) > 0 {
		if !f.Library {
			return nil
		}
		k, _ := contract.Lookup(f.Source)
		return k
	}
	k := contractOf(call, f)
	formats := k != nil && slices.ContainsFunc(k.Params, func(p contract.Param) bool { return p.Format != contract.NoFormat })
	if k == nil || len(k.Params) > len(call.Args) || k.Variadic == nil && len(k.Params) < len(call.Args) && !formats {
		return nil // a function of the program's, with the same name
	}
	return k
}

// useStates notes what a call of the program's own does to hidden state.
func (ls *locations) useStates(t *thread, c int, call *cir.Call, running set) {
	cp := ls.copies[c]
	if cp.Func.Library {
		return
	}
	for _, f := range ls.pts.Callees(cp.Func, cp.Ctx, call) {
		k := statesContract(call, f)
		if k == nil {
			continue
		}
		for _, u := range statesOf(call, k) {
			if u.handle == nil {
				ls.use(hiddenKey{u.state, -1}, t, c, call, running, u.write, u.atomic)
				if u.state == environment {
					ls.useEnvironment(t, c, call, running, u)
				}
				continue
			}
			for _, l := range ls.pts.Places(cp.Func, cp.Ctx, u.handle) {
				switch o := l.Obj; {
				case o.IsFunc():
				case !maybeHandle(o):
					ls.assumed[assumeHandles] = true
				case isStandard(o):
					ls.use(hiddenKey{streams, -1}, t, c, call, running, u.write, u.atomic)
				default:
					if o.External {
						ls.use(hiddenKey{streams, -1}, t, c, call, running, u.write, u.atomic)
					}
					if o.Escaped {
						ls.use(hiddenKey{handleState, o.ID}, t, c, call, running, u.write, u.atomic)
					}
				}
			}
		}
	}
}

// maybeHandle reports whether an object may be one that the library makes for programs (FILE and the like): it is outside, or one of a model's that is neither what
// a program asks malloc and its like for nor what threads are known by.
func maybeHandle(o *pointsto.Object) bool {
	library := func(pos cir.Pos) bool { return !inFile(pos, syncFiles) }
	switch {
	case o.External:
		return true
	case o.Global != nil:
		return o.Global.External || o.Global.Library && library(o.Global.Pos)
	case o.Func == nil || !o.Func.Library:
		return false
	}
	return o.Local != nil || library(o.Func.Pos) && !inFile(o.Func.Pos, []string{"malloc.c"})
}

// isStandard reports whether an object is the standard streams.
func isStandard(o *pointsto.Object) bool {
	g := o.Global
	return g != nil && g.Library && g.Source == "standard" && filepath.Base(g.Pos.File) == "stdio.c"
}

// useEnvironment notes that a call that uses the environment accesses the strings which the program finds there.
func (ls *locations) useEnvironment(t *thread, c int, call *cir.Call, running set, u stateUse) {
	v := visit{t: t, copy: c, in: call, running: running}
	for _, o := range ls.pts.Objects {
		if o.Global == nil || !o.Global.External || o.Global.Source != environment {
			continue
		}
		for _, l := range ls.pts.Held(o) {
			if !l.Obj.IsFunc() {
				ls.at(&v, touch{size: -1, write: u.write, atomic: u.atomic}, l, everywhere, -1, -1)
			}
		}
	}
}

// stateOf returns the hidden state that an object is part of which a function accesses, "" if none.
func stateOf(o *pointsto.Object, f *cir.Func) string {
	if f.Library {
		return ""
	}
	if o.Site != nil && o.Func != nil && o.Func.Library && strings.HasSuffix(o.Func.Pos.File, "environment.c") {
		return environment
	}
	if g := o.Global; g != nil && (g.External || g.Library) {
		if s, ok := contract.Default().Variable(g.Source); ok && s != "stdio" && !slices.Contains(ownStates, s) {
			return string(s)
		}
	}
	return ""
}

// use notes that a thread uses hidden state by an instruction of a copy.
func (ls *locations) use(k hiddenKey, t *thread, c int, in cir.Located, running set, write, atomic bool) {
	contexts, _ := ls.contextsOf(t, c, in)
	held := ls.heldInAll(contexts)
	text := fmt.Sprint(t.index, running, write, atomic)
	for _, l := range held {
		text += fmt.Sprint(l.keys, l.reading)
	}
	if ls.hidden.users[k] == nil {
		ls.hidden.users[k] = map[string]*group{}
	}
	if g := ls.hidden.users[k][text]; g == nil {
		ls.hidden.users[k][text] = &group{Group: &certificate.Group{Thread: t.index, Write: write, Atomic: atomic}, t: t, running: running, locks: held}
	} else {
		for i := range g.locks {
			g.locks[i].at = append(g.locks[i].at, held[i].at...)
		}
	}
}

// heldInAll returns the locks that are held in all ways to get somewhere, by names that mean the same everywhere.
func (ls *locations) heldInAll(contexts []setting) (list []groupLock) {
	if len(contexts) == 0 {
		return nil
	}
	for _, l := range contexts[0].held {
		for _, n := range l.names {
			if !ls.locks.closed(n) {
				continue
			}
			all := groupLock{keys: []certificate.Key{{Kind: certificate.Absolute, Name: n}}}
			if !slices.ContainsFunc(contexts, func(c setting) bool { return !all.isHeld(c) }) {
				list = append(list, all)
			}
		}
	}
	return list
}

// isHeld reports whether a lock, by its name, is one of those that are held in one way to get somewhere, and adds where it may be.
func (g *groupLock) isHeld(c setting) bool {
	for _, m := range c.held {
		if m.is(g.keys[0].Name) && len(m.at) > 0 {
			g.at = append(g.at, m.at...)
			g.reading = g.reading || m.reading
			return true
		}
	}
	return false
}

// judgeHidden looks for uses of hidden state that may race.
func (ls *locations) judgeHidden() {
	for k, users := range ls.hidden.users {
		if text := ls.openUses(users); text != "" {
			ls.hidden.open[k] = text
		}
	}
	for _, l := range ls.list {
		if l.Kind == certificate.Hidden && l.wrong == "" {
			l.wrong = ls.hidden.open[hiddenKey{l.State, hiddenObject(l.Location)}]
		}
	}
}

// hiddenObject returns the object that a hidden location is of, -1 for none.
func hiddenObject(l *certificate.Location) int {
	if l.State == handleState {
		return l.Object
	}
	return -1
}

// openUses says which uses of a state are not excluded, "" if all are.
func (ls *locations) openUses(users map[string]*group) string {
	var list []*group
	plain, writes := false, false
	for _, key := range slices.Sorted(maps.Keys(users)) {
		list = append(list, users[key])
		plain, writes = plain || !users[key].Atomic, writes || users[key].Write
	}
	if !plain || !writes {
		return ""
	}
	for i, g := range list {
		for _, h := range list[i:] {
			switch {
			case !g.Write && !h.Write, g.Atomic && h.Atomic, ls.single(), !ls.concurrent(g.t, g.running, h.t, h.running), ls.common(g, h):
			default:
				return fmt.Sprintf("uses by thread %d and thread %d are not excluded", g.Thread, h.Thread)
			}
		}
	}
	return ""
}
