// Package pds decides reachability in pushdown systems, and in concurrent ones under
// a bound on contexts, by the reduction to one pushdown system of Lal and Reps
// (Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis,
// section 4, Fig. 4). Sets of configurations are finite automata that read the stack
// from the top; post* and pre* saturate them (Schwoon, Model-Checking Pushdown
// Systems, algorithms 1 and 2).
package pds

import "fmt"

// Rule is ⟨P, G⟩ ↪ ⟨Q, W⟩: in state P with symbol G on top of the stack, go to state
// Q and replace G by W, of which the first symbol is the new top.
type Rule struct {
	P, G int
	Q    int
	W    []int // at most two symbols
}

// System is a pushdown system; states and symbols are numbers from 0.
type System struct {
	States, Symbols int
	Rules           []Rule
}

// Check tells what is wrong with a system.
func (s *System) Check() error {
	for i, r := range s.Rules {
		ok := 0 <= r.P && r.P < s.States && 0 <= r.Q && r.Q < s.States && 0 <= r.G && r.G < s.Symbols && len(r.W) <= 2
		for _, g := range r.W {
			ok = ok && 0 <= g && g < s.Symbols
		}
		if !ok {
			return fmt.Errorf("rule %d, ⟨%d, %d⟩ ↪ ⟨%d, %v⟩, is malformed", i, r.P, r.G, r.Q, r.W)
		}
	}
	return nil
}

// Config is a configuration; the first symbol is the top of the stack.
type Config struct {
	State int
	Stack []int
}

// epsilon is the label of a transition that reads nothing.
const epsilon = -1

// Transition is one of an automaton.
type Transition struct{ From, Symbol, To int }

// Automaton is a set of configurations of a system: ⟨p, w⟩ is in it if w leads from
// the automaton's state p to a final one. The states of the system are its first
// states; no transition may lead to them.
type Automaton struct {
	States int
	Final  map[int]bool
	rel    map[Transition]bool
	out    map[int][]Transition
}

// NewAutomaton returns the empty set of configurations of a system.
func NewAutomaton(s *System) *Automaton {
	return &Automaton{States: s.States, Final: map[int]bool{}, rel: map[Transition]bool{}, out: map[int][]Transition{}}
}

// State adds a state.
func (a *Automaton) State() int {
	a.States++
	return a.States - 1
}

// Add adds a transition, and tells whether it is new.
func (a *Automaton) Add(t Transition) bool {
	if a.rel[t] {
		return false
	}
	a.rel[t] = true
	a.out[t.From] = append(a.out[t.From], t)
	return true
}

// AddConfig adds a configuration, and returns the final state it leads to, which no
// other configuration leads to. The stack must not be empty.
func (a *Automaton) AddConfig(c Config) int {
	at := c.State
	for _, g := range c.Stack {
		next := a.State()
		a.Add(Transition{at, g, next})
		at = next
	}
	a.Final[at] = true
	return at
}

// Accepts tells whether a configuration is in the set.
func (a *Automaton) Accepts(c Config) bool {
	for q := range a.Reach(c) {
		if a.Final[q] {
			return true
		}
	}
	return false
}

// Reach returns the states that a configuration leads to.
func (a *Automaton) Reach(c Config) map[int]bool {
	at := a.closure(map[int]bool{c.State: true})
	for _, g := range c.Stack {
		next := map[int]bool{}
		for q := range at {
			for _, t := range a.out[q] {
				if t.Symbol == g {
					next[t.To] = true
				}
			}
		}
		at = a.closure(next)
	}
	return at
}

// closure adds what transitions that read nothing lead to.
func (a *Automaton) closure(at map[int]bool) map[int]bool {
	todo := keys(at)
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, t := range a.out[q] {
			if t.Symbol == epsilon && !at[t.To] {
				at[t.To] = true
				todo = append(todo, t.To)
			}
		}
	}
	return at
}

// keys lists a set.
func keys(set map[int]bool) []int {
	var l []int
	for k := range set {
		l = append(l, k)
	}
	return l
}

// clone returns a copy.
func (a *Automaton) clone() *Automaton {
	b := &Automaton{States: a.States, Final: map[int]bool{}, rel: map[Transition]bool{}, out: map[int][]Transition{}}
	for q := range a.Final {
		b.Final[q] = true
	}
	for t := range a.rel {
		b.Add(t)
	}
	return b
}

// head is a state and a symbol.
type head struct{ state, symbol int }

// PostStar returns the configurations that those of a set can reach.
func PostStar(s *System, set *Automaton) *Automaton {
	rules := map[head][]Rule{}
	for _, r := range s.Rules {
		rules[head{r.P, r.G}] = append(rules[head{r.P, r.G}], r)
	}
	a := set.clone()
	middle := map[head]int{} // the state behind the top of what a rule pushes
	into := map[int][]int{}  // from where nothing read leads to a state
	todo := append([]Transition{}, all(a)...)
	clear(a.rel)
	clear(a.out)
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !a.Add(t) {
			continue
		}
		if t.Symbol == epsilon {
			into[t.To] = append(into[t.To], t.From)
			for _, u := range a.out[t.To] {
				todo = append(todo, Transition{t.From, u.Symbol, u.To})
			}
			continue
		}
		for _, p := range into[t.From] {
			todo = append(todo, Transition{p, t.Symbol, t.To})
		}
		for _, r := range rules[head{t.From, t.Symbol}] {
			switch len(r.W) {
			case 0:
				todo = append(todo, Transition{r.Q, epsilon, t.To})
			case 1:
				todo = append(todo, Transition{r.Q, r.W[0], t.To})
			default:
				h := head{r.Q, r.W[0]}
				q, ok := middle[h]
				if !ok {
					q = a.State()
					middle[h] = q
				}
				todo = append(todo, Transition{r.Q, r.W[0], q}, Transition{q, r.W[1], t.To})
			}
		}
	}
	return a
}

// all lists the transitions.
func all(a *Automaton) []Transition {
	var l []Transition
	for t := range a.rel {
		l = append(l, t)
	}
	return l
}

// PreStar returns the configurations that can reach one of a set.
func PreStar(s *System, set *Automaton) *Automaton {
	one, two := map[head][]Rule{}, map[head][]Rule{} // by what they lead to, with the symbols to read
	a := set.clone()
	todo := all(a)
	clear(a.rel)
	clear(a.out)
	for _, r := range s.Rules {
		switch len(r.W) {
		case 0:
			todo = append(todo, Transition{r.P, r.G, r.Q})
		case 1:
			one[head{r.Q, r.W[0]}] = append(one[head{r.Q, r.W[0]}], r)
		default:
			two[head{r.Q, r.W[0]}] = append(two[head{r.Q, r.W[0]}], r)
		}
	}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !a.Add(t) {
			continue
		}
		h := head{t.From, t.Symbol}
		for _, r := range one[h] {
			todo = append(todo, Transition{r.P, r.G, t.To})
		}
		for _, r := range two[h] { // its second symbol is read from t.To on
			behind := head{t.To, r.W[1]}
			one[behind] = append(one[behind], Rule{P: r.P, G: r.G})
			for _, u := range a.out[t.To] {
				if u.Symbol == r.W[1] {
					todo = append(todo, Transition{r.P, r.G, u.To})
				}
			}
		}
	}
	return a
}
