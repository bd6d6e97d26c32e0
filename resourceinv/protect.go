package resourceinv

import (
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// protection is what keeps threads apart that use a shared variable.
type protection struct {
	// lock is held at every use of the variable, and at some node: then a resource with
	// the variable is only in order while the lock is free. Otherwise nil.
	lock *ir.Var
	// early are the flags by which the threads are created that use the variable, if thread 0
	// writes it before it has created any of them: the resource is only in order when one of
	// these is set. Otherwise nil.
	early []*ir.Var
	bare  bool // there is no lock that is held at every use
	// writers has, for each thread that writes the variable, the locks that it holds whenever it does so
	// (after the creation of others). Nobody else writes while one of these is held.
	writers map[*thread]map[*ir.Var]bool
}

// state is what is sure at a point of a thread: the locks that it holds, and the values of the flags that it creates others by.
type state struct {
	held, flags map[*ir.Var]bool
}

func (s state) clone() state { return state{maps.Clone(s.held), maps.Clone(s.flags)} }

// step carries what is sure over a command.
func (m *model) step(s state, own map[*ir.Var]bool, c ir.Cmd) {
	v := c.Var
	if v == nil {
		return
	}
	k, known := logic.Value{}, false
	if c.Kind == ir.Assign {
		k, known = c.Expr.Const()
	}
	switch {
	case m.lock[v] && known && k.Sign() > 0:
		s.held[v] = true
	case m.lock[v]:
		delete(s.held, v)
	case own[v] && known:
		s.flags[v] = k.Sign() != 0
	case own[v]:
		delete(s.flags, v)
	}
}

// sure computes what is sure at each location of a thread; nothing is known of those that are not reached.
func (m *model) sure(t *thread, own map[*ir.Var]bool) []*state {
	at := make([]*state, len(t.Locs))
	at[t.Entry.Index] = &state{map[*ir.Var]bool{}, map[*ir.Var]bool{}}
	for v := range own {
		at[t.Entry.Index].flags[v] = false
	}
	queue := []*ir.Loc{t.Entry}
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		for _, e := range l.Out {
			s := at[l.Index].clone()
			for _, c := range e.Cmds {
				m.step(s, own, c)
			}
			old := at[e.To.Index]
			if old == nil {
				at[e.To.Index] = &s
				queue = append(queue, e.To)
				continue
			}
			n := len(old.held) + len(old.flags)
			maps.DeleteFunc(old.held, func(v *ir.Var, _ bool) bool { return !s.held[v] })
			maps.DeleteFunc(old.flags, func(v *ir.Var, k bool) bool { w, ok := s.flags[v]; return !ok || w != k })
			if len(old.held)+len(old.flags) < n {
				queue = append(queue, e.To)
			}
		}
	}
	return at
}

// findSure finds the locks that threads surely hold, and whom they have surely created. It returns the flags that only one thread writes, by
// which it creates others.
func (m *model) findSure() (own map[*thread]map[*ir.Var]bool) {
	own = map[*thread]map[*ir.Var]bool{}
	for _, t := range m.threads {
		own[t] = map[*ir.Var]bool{}
	}
	for _, u := range m.threads {
		if v := u.Created; v != nil && v.Init != nil && v.Init.Sign() == 0 {
			if w := m.soleWriter(v); w != nil {
				own[w][v] = true
			}
		}
	}
	for _, t := range m.threads {
		at := m.sure(t, own[t])
		t.held, t.flags = make([]map[*ir.Var]bool, len(t.Locs)), make([]map[*ir.Var]bool, len(t.Locs))
		for i, s := range at {
			if s != nil {
				t.held[i], t.flags[i] = s.held, s.flags
			}
		}
	}
	return own
}

// soleWriter returns the only thread that writes a variable, of which there is one instance; nil if there is none.
func (m *model) soleWriter(v *ir.Var) *thread {
	var only *thread
	for _, t := range m.threads {
		if !m.tab.ThreadAccess(t.Thread).Writes[v] {
			continue
		}
		if only != nil || t.Replicated {
			return nil
		}
		only = t
	}
	return only
}

// findProtection looks at all uses of the shared variables that matter.
func (m *model) findProtection(own map[*thread]map[*ir.Var]bool) {
	users := map[*ir.Var]map[*thread]bool{}
	for _, v := range m.shared {
		m.guards[v] = &protection{writers: map[*thread]map[*ir.Var]bool{}}
		users[v] = map[*thread]bool{}
	}
	for _, t := range m.threads {
		acc := m.tab.ThreadAccess(t.Thread)
		for _, v := range m.shared {
			users[v][t] = acc.Reads[v] || acc.Writes[v]
		}
	}
	common := map[*ir.Var]map[*ir.Var]bool{} // the locks held at all uses
	for _, t := range m.threads {
		m.uses(t, own[t], func(v *ir.Var, write bool, s state) {
			g := m.guards[v]
			if g == nil || v == m.index {
				return
			}
			if flags := early(t, users[v], s); flags != nil {
				if write {
					g.early = flags
				}
				return
			}
			common[v] = intersect(common[v], s.held)
			if write {
				g.writers[t] = intersect(g.writers[t], s.held)
			}
		})
	}
	m.chooseLocks(common)
}

// chooseLocks decides which lock guards a variable: of those that are held at all uses the one that guards most variables, so that
// variables which belong together have the same.
func (m *model) chooseLocks(common map[*ir.Var]map[*ir.Var]bool) {
	inside, guarded := m.inside(), map[*ir.Var]int{}
	for _, v := range m.shared {
		m.guards[v].bare = len(common[v]) == 0
		for k := range common[v] {
			guarded[k]++
		}
	}
	for _, v := range m.shared {
		g := m.guards[v]
		for _, k := range m.p.Vars {
			if common[v][k] && inside[k] && (g.lock == nil || guarded[k] > guarded[g.lock]) {
				g.lock = k
			}
		}
	}
}

// inside returns the locks that are held at some node: others may see that they are.
func (m *model) inside() map[*ir.Var]bool {
	out := map[*ir.Var]bool{}
	for _, t := range m.threads {
		for _, n := range t.nodes {
			maps.Copy(out, t.held[n])
		}
	}
	return out
}

// uses calls f for each use of a shared variable by a thread, with what is sure there.
func (m *model) uses(t *thread, own map[*ir.Var]bool, f func(v *ir.Var, write bool, s state)) {
	t.Edges(func(e *ir.Edge) {
		if t.held[e.From.Index] == nil {
			return // it is not reached
		}
		s := state{t.held[e.From.Index], t.flags[e.From.Index]}.clone()
		for _, c := range e.Cmds {
			for _, x := range c.Reads() {
				for _, sym := range logic.FreeVars(x) {
					if v := m.tab[sym]; v != nil && v.Thread == ir.Shared {
						f(v, false, s)
					}
				}
			}
			if c.Var != nil && c.Var.Thread == ir.Shared {
				f(c.Var, true, s)
			}
			m.step(s, own, c)
		}
	})
}

// early returns the flags by which the users of a variable are created, other than t, if t is thread 0, creates them itself and surely
// has not yet; otherwise nil.
func early(t *thread, users map[*thread]bool, s state) []*ir.Var {
	if t.Index != 0 {
		return nil
	}
	var out []*ir.Var
	for u, uses := range users {
		if !uses || u == t {
			continue
		}
		if v, ok := s.flags[u.Created]; !ok || v {
			return nil
		}
		out = append(out, u.Created)
	}
	slices.SortFunc(out, func(a, b *ir.Var) int { return a.Index - b.Index })
	return out
}

// intersect returns the intersection of sets, of which nil is everything.
func intersect(a, b map[*ir.Var]bool) map[*ir.Var]bool {
	out := map[*ir.Var]bool{}
	for v := range b {
		if a == nil || a[v] {
			out[v] = true
		}
	}
	return out
}

// stable reports whether no other thread changes v while t is at a cut-point. It is so if t holds a lock that all writers hold, if
// nobody else writes, or before they are created.
func (m *model) stable(t *thread, n int, v *ir.Var) bool {
	if t.held[n] == nil {
		return false
	}
	if m.lock[v] {
		return t.held[n][v]
	}
	g := m.guards[v]
	switch {
	case g.early == nil:
	case t.Index == 0 && m.beforeAny(t, n, g.early):
		return true
	case t.Index != 0 && n == t.Entry.Index:
		return false
	}
	for u, locks := range g.writers {
		if u == t && !t.Replicated {
			continue
		}
		if !meet(locks, t.held[n]) {
			return false
		}
	}
	return true
}

// beforeAny reports whether none of these flags is set yet where t is.
func (m *model) beforeAny(t *thread, n int, flags []*ir.Var) bool {
	for _, v := range flags {
		if set, ok := t.flags[n][v]; !ok || set {
			return false
		}
	}
	return true
}

// meet reports whether sets have an element in common.
func meet(a, b map[*ir.Var]bool) bool {
	for v := range a {
		if b[v] {
			return true
		}
	}
	return false
}
