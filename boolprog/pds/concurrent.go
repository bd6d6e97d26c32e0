package pds

// Thread is a pushdown system that shares its states with others.
type Thread struct {
	Symbols int
	Rules   []Rule
	Start   int // its stack at the start is this symbol
}

// Concurrent is a concurrent pushdown system: a state that all threads share, and a
// stack for each thread.
type Concurrent struct {
	States  int
	Threads []Thread
}

// Reduction is the one pushdown system of Fig. 4, for a number of rounds K of the
// schedule. Its state is (k, p₁ … p_K): the context that control is in, and the state
// of each context. A thread calls the next one when it has had K contexts, so that
// its stack stays. A symbol below each thread's stack keeps it from being empty, as
// the section asks for.
type Reduction struct {
	System
	of     *Concurrent
	rounds int
	first  []int // the first symbol of each thread; behind its own ones are entry and bottom
	end    int   // the symbol that the last thread calls
	tuples int   // how many tuples of states there are
}

// Reduce returns the reduction for a number of rounds, at least one.
func (c *Concurrent) Reduce(rounds int) *Reduction {
	r := &Reduction{of: c, rounds: rounds, tuples: 1}
	for range rounds {
		r.tuples *= c.States
	}
	r.States = r.tuples * (rounds + 1)
	for _, t := range c.Threads {
		r.first = append(r.first, r.Symbols)
		r.Symbols += t.Symbols + 2
	}
	r.end = r.Symbols
	r.Symbols++
	for j, t := range c.Threads {
		r.thread(j, t)
	}
	return r
}

// state returns the state of a context, from 1 to K+1, and a tuple.
func (r *Reduction) state(context, tuple int) int { return (context-1)*r.tuples + tuple }

// weight returns what a state of a context counts in a tuple.
func (r *Reduction) weight(context int) int {
	w := 1
	for range context - 1 {
		w *= r.of.States
	}
	return w
}

// entry returns the symbol that a thread is called with; the end for the one behind
// the last.
func (r *Reduction) entry(j int) int {
	if j == len(r.of.Threads) {
		return r.end
	}
	return r.first[j] + r.of.Threads[j].Symbols
}

// thread adds the rules of a thread.
func (r *Reduction) thread(j int, t Thread) {
	bottom := r.entry(j) + 1
	for tuple := range r.tuples {
		for k := 1; k <= r.rounds; k++ {
			at := r.state(k, tuple)
			w := r.weight(k)
			p := tuple / w % r.of.States
			for _, rule := range t.Rules {
				if rule.P != p {
					continue
				}
				to := Rule{P: at, G: r.first[j] + rule.G, Q: r.state(k, tuple+(rule.Q-p)*w)}
				for _, g := range rule.W {
					to.W = append(to.W, r.first[j]+g)
				}
				r.Rules = append(r.Rules, to)
			}
			r.Rules = append(r.Rules, Rule{at, r.entry(j), at, []int{r.first[j] + t.Start, bottom}})
			for g := r.first[j]; g <= bottom; g++ {
				r.Rules = append(r.Rules, Rule{at, g, r.state(k+1, tuple), []int{g}})
			}
		}
		for g := r.first[j]; g <= bottom; g++ {
			r.Rules = append(r.Rules, Rule{r.state(r.rounds+1, tuple), g, r.state(1, tuple), []int{r.entry(j + 1), g}})
		}
	}
}

// guesses calls f with each tuple p₂ … p_K of guesses, and with the tuple that begins
// with the state before them and the one that ends with the state behind them.
func (r *Reduction) guesses(f func(guess int, begin, end func(p int) int)) {
	for guess := range r.tuples / r.of.States {
		f(guess, func(p int) int { return p + guess*r.of.States }, func(p int) int { return guess + p*r.weight(r.rounds) })
	}
}

// Forward returns the states that can be reached from a state in K rounds, by post*
// and Theorem 1. Each tuple of guesses begins with a final state of its own, so that
// one run does for all.
func (r *Reduction) Forward(start int) map[int]bool {
	set := NewAutomaton(&r.System)
	final := map[int]int{}
	r.guesses(func(guess int, begin, _ func(int) int) {
		final[guess] = set.AddConfig(Config{r.state(1, begin(start)), []int{r.entry(0)}})
	})
	post := PostStar(&r.System, set)
	found := map[int]bool{}
	r.guesses(func(guess int, _, end func(int) int) {
		for p := range r.of.States {
			if post.leads(Config{r.state(1, end(p)), []int{r.end}}, final[guess]) {
				found[p] = true
			}
		}
	})
	return found
}

// leads tells whether a configuration's stack, with any symbols below it, leads to a
// state.
func (a *Automaton) leads(c Config, to int) bool {
	seen := a.Reach(c)
	todo := keys(seen)
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, t := range a.out[q] {
			if !seen[t.To] {
				seen[t.To] = true
				todo = append(todo, t.To)
			}
		}
	}
	return seen[to]
}

// Backward is Forward by pre*, for one state: can it be reached?
func (r *Reduction) Backward(start, target int) bool {
	set := NewAutomaton(&r.System)
	final := map[int]int{}
	r.guesses(func(guess int, _, end func(int) int) {
		q := set.AddConfig(Config{r.state(1, end(target)), []int{r.end}})
		for g := range r.Symbols {
			set.Add(Transition{q, g, q})
		}
		final[guess] = q
	})
	pre := PreStar(&r.System, set)
	found := false
	r.guesses(func(guess int, begin, _ func(int) int) {
		found = found || pre.Reach(Config{r.state(1, begin(start)), []int{r.entry(0)}})[final[guess]]
	})
	return found
}
