package ir

// untouched follows the shared variables that may not have been written: a thread begins with
// those of its creator where it is created, and a write ends that for good, whoever makes it.
type untouched struct {
	p    *Program
	tab  SymTable
	at   map[*Loc]map[*Var]bool
	made map[*Var]*Thread // threads by what is set when they are created
	work []*Loc
	read map[*Var]bool // before they were written
}

// ReadUnwritten returns those shared variables without an initial value that some edge may read
// before any edge has written them: of the others no execution depends on what they hold at first.
func (p *Program) ReadUnwritten() map[*Var]bool {
	u := &untouched{p: p, tab: p.Symbols(), at: map[*Loc]map[*Var]bool{}, made: map[*Var]*Thread{}, read: map[*Var]bool{}}
	open := map[*Var]bool{}
	for _, v := range p.Vars {
		if v.Thread == Shared && v.Init == nil {
			open[v] = true
		}
	}
	if len(open) == 0 {
		return u.read
	}
	for _, t := range p.Threads {
		if c := t.Created; c != nil && c.Init != nil && c.Init.Sign() == 0 {
			u.made[c] = t
			continue
		}
		u.arrive(t.Entry, open)
	}
	for len(u.work) > 0 {
		l := u.work[len(u.work)-1]
		u.work = u.work[:len(u.work)-1]
		for _, e := range l.Out {
			u.edge(e, u.at[l])
		}
	}
	return u.read
}

// arrive adds what may be untouched at a location.
func (u *untouched) arrive(l *Loc, vars map[*Var]bool) {
	at := u.at[l]
	grown := at == nil
	if grown {
		at = map[*Var]bool{}
		u.at[l] = at
	}
	for v := range vars {
		grown = grown || !at[v]
		at[v] = true
	}
	if grown {
		u.work = append(u.work, l)
	}
}

// edge follows an edge.
func (u *untouched) edge(e *Edge, before map[*Var]bool) {
	now := map[*Var]bool{}
	for v := range before {
		now[v] = true
	}
	var created []*Thread
	for i, c := range e.Cmds {
		for v := range u.tab.CmdAccess(e.Cmds[i : i+1]).Reads {
			if now[v] {
				u.read[v] = true
			}
		}
		if c.Kind == Assume {
			continue
		}
		delete(now, c.Var)
		if t := u.made[c.Var]; t != nil {
			created = append(created, t)
		}
	}
	u.arrive(e.To, now)
	for _, t := range created {
		u.arrive(t.Entry, now)
	}
}
