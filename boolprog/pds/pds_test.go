package pds

import (
	"fmt"
	"math/rand"
	"testing"
)

// randomRules returns rules over some states and symbols.
func randomRules(r *rand.Rand, states, symbols, n int) []Rule {
	var rules []Rule
	for range n {
		w := []int{}
		for range r.Intn(3) {
			w = append(w, r.Intn(symbols))
		}
		rules = append(rules, Rule{r.Intn(states), r.Intn(symbols), r.Intn(states), w})
	}
	return rules
}

// steps returns the configurations after one step.
func steps(rules []Rule, c Config) (l []Config) {
	for _, r := range rules {
		if len(c.Stack) > 0 && c.State == r.P && c.Stack[0] == r.G {
			l = append(l, Config{r.Q, append(append([]int{}, r.W...), c.Stack[1:]...)})
		}
	}
	return l
}

// reach enumerates what a configuration can reach with stacks up to a height, and
// tells whether a stack grew above it.
func reach(rules []Rule, from Config, height int) (found map[string]Config, cut bool) {
	found = map[string]Config{fmt.Sprint(from): from}
	todo := []Config{from}
	for len(todo) > 0 {
		c := todo[0]
		todo = todo[1:]
		for _, d := range steps(rules, c) {
			switch key := fmt.Sprint(d); {
			case len(d.Stack) > height:
				cut = true
			case found[key].Stack == nil:
				found[key] = d
				todo = append(todo, d)
			}
		}
	}
	return found, cut
}

// stacks calls f with all configurations with stacks up to a height.
func stacks(s *System, height int, f func(Config)) {
	for p := range s.States {
		var grow func(w []int)
		grow = func(w []int) {
			f(Config{p, append([]int{}, w...)})
			if len(w) < height {
				for g := range s.Symbols {
					grow(append(w[:len(w):len(w)], g))
				}
			}
		}
		grow(nil)
	}
}

// TestStar compares post* and pre* with an enumeration.
func TestStar(t *testing.T) {
	exact := 0
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		s := &System{States: 1 + r.Intn(3), Symbols: 1 + r.Intn(3)}
		s.Rules = randomRules(r, s.States, s.Symbols, 1+r.Intn(7))
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		from := Config{r.Intn(s.States), []int{r.Intn(s.Symbols)}}
		set := NewAutomaton(s)
		set.AddConfig(from)
		post := PostStar(s, set)
		found, cut := reach(s.Rules, from, 8)
		if !cut {
			exact++
		}
		stacks(s, 4, func(c Config) {
			_, want := found[fmt.Sprint(c)]
			got := post.Accepts(c)
			if want && !got || got && !want && !cut {
				t.Fatalf("seed %d: %v from %v by post*: %t, enumerated: %t\n%v", seed, c, from, got, want, s.Rules)
			}
			if len(c.Stack) == 0 {
				return
			}
			target := NewAutomaton(s)
			target.AddConfig(c)
			if back := PreStar(s, target).Accepts(from); back != got {
				t.Fatalf("seed %d: %v from %v by post*: %t, by pre*: %t\n%v", seed, c, from, got, back, s.Rules)
			}
		})
	}
	t.Logf("%d of 300 systems enumerated in full", exact)
}

// explicit enumerates what a concurrent system can reach in some rounds.
func explicit(c *Concurrent, start, rounds, height int) (found map[int]bool, cut bool) {
	type state struct {
		state         int
		stacks        [][]int
		round, thread int
	}
	found = map[int]bool{}
	first := state{state: start, round: 1}
	for _, t := range c.Threads {
		first.stacks = append(first.stacks, []int{t.Start})
	}
	seen := map[string]bool{fmt.Sprint(first): true}
	todo := []state{first}
	add := func(s state) {
		if key := fmt.Sprint(s); !seen[key] {
			seen[key] = true
			todo = append(todo, s)
		}
	}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		switch {
		case s.thread+1 < len(c.Threads):
			add(state{s.state, s.stacks, s.round, s.thread + 1})
		case s.round < rounds:
			add(state{s.state, s.stacks, s.round + 1, 0})
		default:
			found[s.state] = true
		}
		for _, d := range steps(c.Threads[s.thread].Rules, Config{s.state, s.stacks[s.thread]}) {
			if len(d.Stack) > height {
				cut = true
				continue
			}
			next := append([][]int{}, s.stacks...)
			next[s.thread] = d.Stack
			add(state{d.State, next, s.round, s.thread})
		}
	}
	return found, cut
}

// TestConcurrent compares the reduction, forwards and backwards, with an enumeration
// of the schedules.
func TestConcurrent(t *testing.T) {
	exact := 0
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		c := &Concurrent{States: 2 + r.Intn(2)}
		for range 2 + seed%2 {
			symbols := 1 + r.Intn(3)
			c.Threads = append(c.Threads, Thread{symbols, randomRules(r, c.States, symbols, 2+r.Intn(5)), r.Intn(symbols)})
		}
		rounds := 1 + r.Intn(3)
		if c.States == 3 {
			rounds = min(rounds, 2)
		}
		start := r.Intn(c.States)
		found, cut := explicit(c, start, rounds, 4)
		if !cut {
			exact++
		}
		red := c.Reduce(rounds)
		if err := red.Check(); err != nil {
			t.Fatal(err)
		}
		got := red.Forward(start)
		for p := range c.States {
			if found[p] && !got[p] || got[p] && !found[p] && !cut {
				t.Fatalf("seed %d: state %d from %d in %d rounds: %t, enumerated: %t (cut %t)\n%v", seed, p, start, rounds, got[p], found[p], cut, c)
			}
			if back := red.Backward(start, p); back != got[p] {
				t.Fatalf("seed %d: state %d from %d in %d rounds: post* %t, pre* %t\n%v", seed, p, start, rounds, got[p], back, c)
			}
		}
	}
	t.Logf("%d of 300 systems enumerated in full", exact)
}
