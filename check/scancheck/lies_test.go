package scancheck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
	"comus/scan/certificate"
)

// lies are what an analysis would claim everywhere of which a part is broken.
var lies = []struct {
	name string
	f    func(c *certificate.Certificate)
}{
	{"unlocking is forgotten", func(c *certificate.Certificate) { holdEverywhere(c, false) }},
	{"what a call gives back is forgotten", func(c *certificate.Certificate) { holdEverywhere(c, true) }},
	{"creation is forgotten", func(c *certificate.Certificate) {
		for i := range c.Threads {
			t := &c.Threads[i]
			t.End = nil
			for k := range t.Nodes {
				n := &t.Nodes[k]
				n.Entry, n.Sum.Adds = nil, nil
				for b := range n.Blocks {
					n.Blocks[b].Adds = nil
				}
			}
		}
		eachGroup(c, func(g *certificate.Group) { g.Running = nil })
	}},
	{"a join is taken for that of another thread", func(c *certificate.Certificate) {
		var all []int
		for i := range c.Threads {
			all = append(all, i)
		}
		for i := range c.Threads {
			for k := range c.Threads[i].Nodes {
				n := &c.Threads[i].Nodes[k]
				if len(n.Sum.Takes) > 0 {
					n.Sum.Takes, n.Sum.Adds = all, nil
				}
				for b := range n.Blocks {
					if len(n.Blocks[b].Takes) > 0 {
						n.Blocks[b].Takes, n.Blocks[b].Adds = all, nil
					}
				}
			}
		}
		eachGroup(c, func(g *certificate.Group) { g.Running = nil })
	}},
	{"loops create one thread", func(c *certificate.Certificate) {
		for i := range c.Threads {
			c.Threads[i].Many = false
		}
	}},
	{"all is atomic", func(c *certificate.Certificate) { eachGroup(c, func(g *certificate.Group) { g.Atomic = true }) }},
	{"all is read", func(c *certificate.Certificate) { eachGroup(c, func(g *certificate.Group) { g.Write = false }) }},
	{"all is own", func(c *certificate.Certificate) { eachGroup(c, func(g *certificate.Group) { g.Own = true }) }},
	{"readers exclude each other", func(c *certificate.Certificate) {
		eachGroup(c, func(g *certificate.Group) {
			for i := range g.Locks {
				g.Locks[i].Reading = false
			}
		})
	}},
	{"all locks are one", func(c *certificate.Certificate) {
		eachGroup(c, func(g *certificate.Group) {
			for i := range g.Locks {
				g.Locks[i].Keys = []certificate.Key{{Kind: certificate.Object}}
			}
		})
	}},
	{"all locks are one of each element", func(c *certificate.Certificate) {
		eachGroup(c, func(g *certificate.Group) {
			for i := range g.Locks {
				g.Locks[i].Keys = []certificate.Key{{Kind: certificate.Element}}
			}
		})
	}},
}

func eachGroup(c *certificate.Certificate, f func(g *certificate.Group)) {
	for i := range c.Locations {
		for k := range c.Locations[i].Groups {
			f(&c.Locations[i].Groups[k])
		}
	}
}

// holdEverywhere claims of each lock that is held somewhere that it is held at all blocks, or only at ends and beginnings of functions too.
func holdEverywhere(c *certificate.Certificate, calls bool) {
	var all []certificate.Lock
	var keys []certificate.Held
	eachGroup(c, func(g *certificate.Group) { keys = append(keys, g.Locks...) })
	for i := range c.Activations {
		for _, b := range c.Activations[i].Blocks {
			all = append(all, b.Held...)
		}
	}
	for _, k := range keys {
		for _, n := range k.Keys {
			if n.Kind == certificate.Absolute {
				all = append(all, certificate.Lock{Names: []certificate.Name{n.Name}, At: k.At})
			}
		}
	}
	for i := range c.Activations {
		a := &c.Activations[i]
		for k := range a.Blocks {
			if k > 0 && !a.Blocks[k].Never {
				a.Blocks[k].Held = all
			}
		}
		if calls && !a.Exit.Never {
			a.Exit.Held = all
		}
	}
	eachGroup(c, func(g *certificate.Group) { g.Locks = keys })
}

// TestMissing drops the locations that have suspects: then memory is missing.
func TestMissing(t *testing.T) {
	for _, name := range []string{"counter_mutex", "lock_in_struct", "heap_published"} {
		s := program(t, name+"_unsafe")
		if r := s.check(t, s.res.Certificate); len(r.Missing) > 0 {
			t.Errorf("%s: %v is missing in a whole certificate", name, r.Missing)
		}
		c := clone(t, s.res.Certificate)
		c.Locations = slices.DeleteFunc(c.Locations, func(l certificate.Location) bool { return slices.Contains(l.Pairs, certificate.Suspect) })
		if r := s.check(t, c); len(r.Missing) == 0 {
			t.Errorf("%s: nothing is missing without the locations that have suspects", name)
		}
	}
}

// TestLies changes the certificates of programs with races so that they claim that there is none, as a broken analysis would: one at
// least of the locations with a race is never certified.
func TestLies(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	kinds := slices.Concat(lockKinds, placeKinds, threadKinds)
	for _, name := range unsafePrograms {
		s := program(t, name+"_unsafe")
		try := func(what string, f func(c *certificate.Certificate)) {
			for _, reason := range reasons[:5] {
				c := clone(t, s.res.Certificate)
				f(c)
				for i := range c.Locations {
					for k, p := range c.Locations[i].Pairs {
						if p == certificate.Suspect {
							c.Locations[i].Pairs[k] = reason
						}
					}
				}
				rep, err := scancheck.Check(context.Background(), s.prog, s.pts, c)
				if err != nil {
					continue
				}
				open, suspects := 0, 0
				for i, l := range s.res.Locations {
					if l.Why == scan.Suspected {
						suspects++
						if !rep.Certified(i) {
							open++
						}
					}
				}
				if suspects > 0 && open == 0 {
					t.Errorf("%s: %s: all is certified (%s): %v", name, what, reason, rep.Refused)
				}
			}
		}
		try("nothing", func(*certificate.Certificate) {})
		for _, lie := range lies {
			try(lie.name, lie.f)
		}
		for range 10 {
			k, l := kinds[r.IntN(len(kinds))], lies[r.IntN(len(lies))]
			try(fmt.Sprint(k.name, " and ", l.name), func(c *certificate.Certificate) {
				l.f(c)
				k.f(r, c)
			})
		}
	}
}
