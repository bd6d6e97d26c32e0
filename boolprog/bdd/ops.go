package bdd

// And returns the conjunction.
func (m *Manager) And(ns ...Node) Node {
	r := True
	for _, n := range ns {
		r = m.apply(opAnd, r, n)
	}
	return r
}

// Or returns the disjunction.
func (m *Manager) Or(ns ...Node) Node {
	r := False
	for _, n := range ns {
		r = m.apply(opOr, r, n)
	}
	return r
}

// Xor tells where a and b differ.
func (m *Manager) Xor(a, b Node) Node { return m.apply(opXor, a, b) }

// Not returns the negation.
func (m *Manager) Not(a Node) Node { return m.apply(opXor, a, True) }

// Equal tells where a and b agree.
func (m *Manager) Equal(a, b Node) Node { return m.Not(m.Xor(a, b)) }

// Minus returns what is in a and not in b.
func (m *Manager) Minus(a, b Node) Node { return m.And(a, m.Not(b)) }

// apply combines a and b.
func (m *Manager) apply(op int32, a, b Node) Node {
	switch op {
	case opAnd:
		switch {
		case a == False || b == False:
			return False
		case a == True || a == b:
			return b
		case b == True:
			return a
		}
	case opOr:
		switch {
		case a == True || b == True:
			return True
		case a == False || a == b:
			return b
		case b == False:
			return a
		}
	default:
		switch {
		case a == b:
			return False
		case a == False:
			return b
		case b == False:
			return a
		}
	}
	if a > b {
		a, b = b, a
	}
	if r, ok := m.cached(op, a, b, 0); ok {
		return r
	}
	level := min(m.nodes[a].level, m.nodes[b].level)
	a0, a1 := m.cofactors(a, level)
	b0, b1 := m.cofactors(b, level)
	if level == terminal { // two constants: of Xor only
		return Const(a != b)
	}
	low := m.apply(op, a0, b0)
	return m.store(op, a, b, 0, m.mk(level, low, m.apply(op, a1, b1)))
}

// Ite returns a where c holds and b elsewhere.
func (m *Manager) Ite(c, a, b Node) Node {
	switch {
	case c == True || a == b:
		return a
	case c == False:
		return b
	case a == True && b == False:
		return c
	}
	if r, ok := m.cached(opIte, c, a, b); ok {
		return r
	}
	level := min(m.nodes[c].level, m.nodes[a].level, m.nodes[b].level)
	c0, c1 := m.cofactors(c, level)
	a0, a1 := m.cofactors(a, level)
	b0, b1 := m.cofactors(b, level)
	low := m.Ite(c0, a0, b0)
	return m.store(opIte, c, a, b, m.mk(level, low, m.Ite(c1, a1, b1)))
}

// Set returns a set of variables, for Exists and AndExists: their conjunction.
func (m *Manager) Set(vars ...int) Node {
	r := True
	for _, v := range vars {
		r = m.And(r, m.Var(v))
	}
	return r
}

// Exists returns where a holds for some values of the variables of a set.
func (m *Manager) Exists(a, set Node) Node { return m.AndExists(a, True, set) }

// AndExists returns Exists(And(a, b), set), without the conjunction in between.
func (m *Manager) AndExists(a, b, set Node) Node {
	switch {
	case a == False || b == False:
		return False
	case a == True && b == True:
		return True
	}
	if a > b {
		a, b = b, a
	}
	level := min(m.nodes[a].level, m.nodes[b].level)
	for m.nodes[set].level < level {
		set = m.nodes[set].high
	}
	if set == True {
		return m.apply(opAnd, a, b)
	}
	if r, ok := m.cached(opAndExists, a, b, set); ok {
		return r
	}
	a0, a1 := m.cofactors(a, level)
	b0, b1 := m.cofactors(b, level)
	var r Node
	if m.nodes[set].level == level {
		r = m.AndExists(a0, b0, m.nodes[set].high)
		if r != True {
			r = m.apply(opOr, r, m.AndExists(a1, b1, m.nodes[set].high))
		}
	} else {
		low := m.AndExists(a0, b0, set)
		r = m.mk(level, low, m.AndExists(a1, b1, set))
	}
	return m.store(opAndExists, a, b, set, r)
}

// Renaming replaces variables by others, all at once.
type Renaming struct {
	op int32
	to []int32 // of a variable; those beyond its end keep their name
}

// Rename returns the renaming of from[i] to to[i].
func (m *Manager) Rename(from, to []int) *Renaming {
	r := &Renaming{op: int32(opRename + m.maps)}
	m.maps++
	for i, v := range from {
		for len(r.to) <= v {
			r.to = append(r.to, int32(len(r.to)))
		}
		r.to[v] = int32(to[i])
	}
	return r
}

// Replace returns a with its variables renamed.
func (m *Manager) Replace(a Node, r *Renaming) Node {
	p := m.nodes[a]
	if int(p.level) >= len(r.to) { // so are all below
		return a
	}
	if n, ok := m.cached(r.op, a, 0, 0); ok {
		return n
	}
	low, high := m.Replace(p.low, r), m.Replace(p.high, r)
	level := r.to[p.level]
	var n Node
	if level < m.nodes[low].level && level < m.nodes[high].level {
		n = m.mk(level, low, high)
	} else {
		n = m.Ite(m.Var(int(level)), high, low)
	}
	return m.store(r.op, a, 0, 0, n)
}

// Pick returns one vector of a as the values of the variables that matter for it;
// a must not be False. Of two values it takes the false one.
func (m *Manager) Pick(a Node) map[int]bool {
	values := map[int]bool{}
	for a != True {
		p := m.nodes[a]
		values[int(p.level)] = p.low == False
		if a = p.low; a == False {
			a = p.high
		}
	}
	return values
}

// Eval tells whether a vector is in a.
func (m *Manager) Eval(a Node, value func(v int) bool) bool {
	for a > True {
		p := m.nodes[a]
		if a = p.low; value(int(p.level)) {
			a = p.high
		}
	}
	return a == True
}
