package race

import (
	"comus/cir"
	"comus/scan/lockset"
	"comus/scan/thread"
)

// spoiler is a thread that writes to a lock in another way than by taking it and giving it back, and what may be running then.
type spoiler struct {
	t       *thread.Thread
	running thread.Set
}

// spoilKey is a question whether such a write may come between accesses of a thread.
type spoilKey struct {
	s       *lockset.Spoil
	t       int
	running string
}

// spoilt reports whether a lock may be written to in other ways than by taking it and giving it back while accesses of two groups
// are made that hold it. What is ordered with both accesses is not.
func (c *collector) spoilt(l lockset.Held, g, h *group) bool {
	for _, s := range l.Spoils {
		if c.spoils(s, g) || c.spoils(s, h) {
			return true
		}
	}
	return false
}

func (c *collector) spoils(s *lockset.Spoil, g *group) bool {
	key := spoilKey{s, g.t.Index, g.runKey}
	r, ok := c.asked[key]
	if !ok {
		r = c.meets(s, g)
		c.asked[key] = r
	}
	return r
}

// meets reports whether a write to a lock may be made while accesses of a group hold it: at the same time, or by the thread itself or what it
// has created since it took the lock.
func (c *collector) meets(s *lockset.Spoil, g *group) bool {
	by, ok := c.spoilers[s]
	if !ok {
		by = c.spoilersOf(s)
		c.spoilers[s] = by
	}
	if c.keepsLock(s) {
		return false
	}
	for _, x := range by {
		switch {
		case x.t == nil: // not known
			return true
		case x.t == g.t && (x.t.Many || s.Kind == lockset.Overwritten || s.Kind == lockset.Unknown):
			return true
		case x.t != g.t && x.t.Descends(g.t): // it may have been created, and joined, since the lock was taken
			return true
		case x.t != g.t && c.threads.Parallel(x.t, x.running, g.t, g.running):
			return true
		}
	}
	return false
}

// spoilersOf returns who makes a write to a lock.
func (c *collector) spoilersOf(s *lockset.Spoil) (list []spoiler) {
	matched := false
	for _, t := range c.threads.Threads {
		nodes := []*thread.Node{c.threads.NodeOf(s.Copy)}
		if call, ok := s.In.(*cir.Call); ok && s.Copy.Func.Library {
			nodes = c.holder.callersOf(t, call)
		}
		for _, n := range nodes {
			if n == nil {
				continue
			}
			c.threads.Each(t, n, func(in cir.Located, running thread.Set) {
				if in != cir.Located(s.In) {
					return
				}
				matched = true
				list = append(list, spoiler{t, running})
			})
		}
	}
	if !matched {
		return []spoiler{{}}
	}
	return list
}
