package race

import (
	"context"
	"slices"

	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/transfer"
)

// findTransferred looks for proofs that the ownership of objects of which there are suspects is transferred. It reports whether it has found one.
func (c *collector) findTransferred(ctx context.Context, all []*judged) (bool, error) {
	if c.prog == nil || c.threads.Unknown {
		return false, nil
	}
	var objects []*pointsto.Object
	for _, s := range all {
		if o := s.p.obj; s.why == Suspected && o != nil && (s.p.state == "" || s.p.state == freed) && !slices.Contains(objects, o) {
			objects = append(objects, o)
		}
	}
	if len(objects) == 0 {
		return false, nil
	}
	proofs, err := transfer.Analyse(ctx, transfer.Input{Prog: c.prog, Points: c.pts, Threads: c.threads, Objects: objects, Lock: c.lockOf})
	for _, p := range proofs {
		for _, o := range p.Objects {
			c.transferred[o] = p
		}
		if p.Kind != nil && c.transferred[p.Kind.Obj] == nil {
			c.transferred[p.Kind.Obj] = p
		}
	}
	return len(proofs) > 0, err
}

// lockOf returns the lock that whoever accesses some bytes holds, but for the first thread while it is alone.
func (c *collector) lockOf(at pointsto.Location, size int64) (lock pointsto.Location, ok bool) {
	s := c.slots[place{obj: at.Obj}]
	if s == nil {
		return lock, false
	}
	for _, g := range c.groupsOf(s) {
		if !g.x.meets(extent{at.Off, at.Off + size}) || c.isAlone(g) {
			continue
		}
		i := slices.IndexFunc(g.locks, func(l lockset.Held) bool {
			return l.Mode != lockset.Reading && len(l.At) == 1 && l.At[0].Exact() && c.pts.Once(l.At[0].Obj) && !c.spoilt(l, g, g) && (!ok || l.At[0] == lock)
		})
		if i < 0 {
			return lock, false
		}
		lock, ok = g.locks[i].At[0], true
	}
	return lock, ok
}

// isAlone reports whether there are no other threads when accesses of a group are made.
func (c *collector) isAlone(g *group) bool {
	return g.t.Index == 0 && !g.t.Many && !slices.ContainsFunc(c.threads.Threads, func(u *thread.Thread) bool {
		return u != g.t && c.threads.Parallel(g.t, g.running, u, nil)
	})
}

// isTransferred reports whether the accesses of two groups are those of the thread that an object belongs to, or hold the lock of the container that it belongs to; or
// whether they are accesses of cells in containers of a kind, which hold the lock of the container.
func (c *collector) isTransferred(g, h *group) bool {
	p := c.transferred[g.obj]
	if p == nil || c.transferred[h.obj] != p {
		return false
	}
	for _, x := range []*group{g, h} {
		for _, a := range x.list() {
			if !p.Holds(a.node.Copy(), a.in) || p.Kind != nil && g.obj == p.Kind.Obj && !p.IsCell(a.node.Copy(), a.in) {
				return false
			}
		}
	}
	return true
}

// Transferred returns the proofs that the ownership of objects is transferred, in the order of these.
func (r *Result) Transfers() []*transfer.Proof { return r.transferred }
