package simulate

import (
	"context"
	"slices"

	"comus/ir"
)

// stage is a state that a run was in when a variable got a value for the first time.
type stage struct {
	vals []int64
	at   []*node
	run  run
}

// The bounds of following: states kept of each value, and steps from one of them, of the first tries.
const (
	maxStages   = 12
	followSteps = 300
)

// Follow looks for a run that reaches an error location and on which a variable never becomes smaller: a count
// of what has been achieved on the way. A try goes on from a state in which the variable is as large as it ever was, mostly.
// Follow returns nil when ctx ends.
func (s *Simulator) Follow(ctx context.Context, progress *ir.Var) *ir.Schedule {
	var stages [][]*stage
	for try := 0; ctx.Err() == nil; try++ {
		from := 0
		if len(stages) == 0 || s.rng.IntN(16) == 0 {
			s.begin()
			stages = s.keep(stages, 0)
		} else {
			level := len(stages) - 1
			for level > 0 && (len(stages[level]) == 0 || s.rng.IntN(4) == 0) {
				level--
			}
			if len(stages[level]) == 0 {
				continue
			}
			s.restore(stages[level][s.rng.IntN(len(stages[level]))])
			from = level
		}
		s.stats.Runs++
		r := &s.run
		bound := r.steps + min(followSteps<<min(try/200, 10), maxRunSteps)
		for r.steps < bound && r.steps < maxRunSteps {
			t := s.next()
			if t < 0 {
				break
			}
			r.steps++
			if r.at[t].loc.Error {
				s.shorten()
				return s.schedule()
			}
			if now := int(s.m.Values()[progress.Index]); now > from {
				from, bound = now, r.steps+followSteps
				stages = s.keep(stages, now)
			}
			if r.steps%1024 == 0 && ctx.Err() != nil {
				break
			}
		}
	}
	return nil
}

// keep keeps the state that the run is in.
func (s *Simulator) keep(stages [][]*stage, level int) [][]*stage {
	for len(stages) <= level {
		stages = append(stages, nil)
	}
	r := &s.run
	g := &stage{vals: slices.Clone(s.m.Values()), at: slices.Clone(r.at), run: *r}
	g.run.taken, g.run.inputs, g.run.start = slices.Clone(r.taken), slices.Clone(r.inputs), slices.Clone(r.start)
	if len(stages[level]) < maxStages {
		stages[level] = append(stages[level], g)
	} else {
		stages[level][s.rng.IntN(maxStages)] = g
	}
	return stages
}

// restore goes on from a state, with other priorities.
func (s *Simulator) restore(g *stage) {
	s.stats.Steps += s.run.steps
	s.begin()
	r := &s.run
	copy(s.m.Values(), g.vals)
	r.at = append(r.at[:0], g.at...)
	r.taken, r.inputs, r.start = append(r.taken[:0], g.run.taken...), append(r.inputs[:0], g.run.inputs...), append(r.start[:0], g.run.start...)
	r.steps, r.holder = g.run.steps, g.run.holder
}
