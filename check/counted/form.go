package counted

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// counter is where objects count their references.
type counter struct {
	objects map[*pointsto.Object]bool
	off     int64
	of      cir.Type
	atomic  bool
	drops   bool // it is counted down somewhere
}

// form says by what references are counted, and which cells hold some.
type form struct {
	counter
	own      int64               // the offset of a lock in each object, which guards its counter unless that is atomic; -1: there is none
	outer    int                 // the number of the lock elsewhere that does; -1: there is none
	locks    []pointsto.Location // of the containers
	cells    []cell
	carriers carriers
	row      *pointsto.Object // nil: there is none
}

// cell is a pointer in memory that holds a reference while the lock of its container is free.
type cell struct {
	at  pointsto.Location
	box int
}

// inner is what a member of each object leads to.
type inner struct {
	field   int64 // -1: nothing is followed
	objects map[*pointsto.Object]bool
}

const (
	maxBoxes = 3
	maxCells = 3
	maxForms = 16
)

func (r *rule) places(c pointsto.Copy, v cir.Value) []pointsto.Location {
	return r.pts.Places(c.Func, c.Ctx, v)
}

// isMade reports whether an object is one that malloc or calloc returned, and no code outside knows.
func (r *rule) isMade(o *pointsto.Object) bool {
	return o.Site != nil && o.Func.Library && (o.Func.Source == "malloc" || o.Func.Source == "calloc") && !o.External && !r.pts.Outside(o)
}

// counters returns where the program adds constants to numbers in objects of its own.
func (r *rule) counters() (list []*counter) {
	less := map[pointsto.Location]bool{} // of which something less is computed
	add := func(at []pointsto.Location, of cir.Type, atomic, drops bool) {
		if len(at) == 0 || of.Kind != cir.IntKind || of.Bits < 32 {
			return
		}
		objects := map[*pointsto.Object]bool{}
		for _, l := range at {
			if !r.isMade(l.Obj) || l.Off < 0 || !l.Exact() || l.Off != at[0].Off {
				return
			}
			objects[l.Obj] = true
		}
		x := &counter{objects, at[0].Off, of, atomic, drops}
		list = slices.DeleteFunc(list, func(y *counter) bool {
			meet := y.off == x.off && slices.ContainsFunc(at, func(l pointsto.Location) bool { return y.objects[l.Obj] })
			if meet {
				x.atomic, x.drops = x.atomic || y.atomic, x.drops || y.drops
				for o := range y.objects {
					x.objects[o] = true
				}
			}
			return meet
		})
		list = append(list, x)
	}
	for _, c := range r.copies {
		if c.Func.Library {
			continue
		}
		sums, loads := map[*cir.Reg]bool{}, map[cir.Value]*cir.Load{}
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load:
					loads[in.Dst] = in
				case *cir.RMW:
					if n, ok := in.X.(cir.Int); ok && (in.Op == cir.RMWAdd || in.Op == cir.RMWSub) && in.Bits == nil {
						add(r.places(c, in.Addr), in.Type, true, (in.Op == cir.RMWSub) == (n.Hi == 0))
					}
				case *cir.Binary:
					if n, ok := in.Y.(cir.Int); ok && (in.Op == cir.Add || in.Op == cir.Sub) && (n.Lo == 1 || n.Hi != 0) {
						sums[in.Dst] = true
						if load := loads[in.X]; load != nil && (in.Op == cir.Sub) == (n.Hi == 0) {
							for _, l := range r.places(c, load.Addr) {
								less[l] = true
							}
						}
					}
				case *cir.Store:
					if x, ok := in.X.(*cir.Reg); ok && sums[x] && in.Bits == nil && in.Order == cir.Plain {
						add(r.places(c, in.Addr), in.Type, false, false)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(list, func(c *counter) bool {
		for o := range c.objects {
			c.drops = c.drops || less[pointsto.Location{Obj: o, Off: c.off}]
		}
		return !c.drops
	})
}

// lockArgs are the functions of the library that use a lock which excludes all others, and which argument it is.
var lockArgs = map[string]int{
	"pthread_mutex_lock": 0, "pthread_mutex_unlock": 0, "pthread_mutex_trylock": 0, "pthread_mutex_timedlock": 0, "pthread_mutex_clocklock": 0, "pthread_mutex_init": 0, "pthread_mutex_destroy": 0,
	"pthread_cond_wait": 1, "pthread_cond_timedwait": 1, "pthread_cond_clockwait": 1, "pthread_spin_lock": 0, "pthread_spin_unlock": 0, "pthread_spin_trylock": 0, "pthread_spin_init": 0, "pthread_spin_destroy": 0,
	"mtx_lock": 0, "mtx_unlock": 0, "mtx_trylock": 0, "mtx_timedlock": 0, "mtx_init": 0, "mtx_destroy": 0, "cnd_wait": 1, "cnd_timedwait": 1,
}

// forms returns the forms in which objects with a counter may be shared, those that are most likely right first.
func (r *rule) forms(c *counter) (list []form) {
	var locks []pointsto.Location
	var owns []int64
	cells := map[pointsto.Location]bool{}
	for _, cp := range r.copies {
		if cp.Func.Library {
			continue
		}
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Call:
					f, ok := in.Callee.(*cir.Func)
					if !ok {
						continue
					}
					if i, ok := lockArgs[f.Source]; ok && f.Library && i < len(in.Args) {
						for _, l := range r.places(cp, in.Args[i].X) {
							if c.objects[l.Obj] && l.Exact() && !slices.Contains(owns, l.Off) {
								owns = append(owns, l.Off)
							} else if !c.objects[l.Obj] && r.isSingle(l) && !slices.Contains(locks, l) && !r.in.Spoilt(l) {
								locks = append(locks, l)
							}
						}
					}
				case *cir.Store:
					if r.prog.Model.SizeOf(in.Type) != r.word {
						continue
					}
					for _, l := range r.places(cp, in.Addr) {
						if !c.objects[l.Obj] && r.isSingle(l) && !r.isPlain(l) && slices.ContainsFunc(r.pts.Contents(l.Obj, l.Off), func(m pointsto.Location) bool { return c.objects[m.Obj] }) {
							cells[l] = true
						}
					}
				}
			}
		}
	}
	var sorted []pointsto.Location
	for l := range cells {
		sorted = append(sorted, l)
	}
	slices.SortFunc(sorted, func(x, y pointsto.Location) int {
		return cmp.Or(cmp.Compare(x.Obj.ID, y.Obj.ID), cmp.Compare(x.Off, y.Off))
	})
	guards := r.guards(c, owns, locks)
	for _, g := range guards {
		if len(sorted) <= maxCells && len(locks) <= maxBoxes {
			g.locks = locks
			list = append(list, withCells(g, sorted)...)
		} else if g.outer < 0 || g.outer < maxBoxes {
			g.locks = locks[:min(len(locks), maxBoxes)]
			list = append(list, g)
		}
	}
	return list[:min(len(list), maxForms)]
}

// guards returns the forms without cells: with each lock that may guard the counter, or none if it is atomic.
func (r *rule) guards(c *counter, owns []int64, locks []pointsto.Location) []form {
	var guards []form
	for _, off := range owns {
		guards = append(guards, form{counter: *c, own: off, outer: -1})
	}
	if c.atomic {
		guards = append(guards, form{counter: *c, own: -1, outer: -1})
	}
	for i := range locks {
		if !c.atomic {
			guards = append(guards, form{counter: *c, own: -1, outer: i})
		}
	}
	for i := range guards {
		guards[i].carriers = r.carriersOf(c)
		if rows := r.rowsOf(c); len(rows) == 1 {
			guards[i].row = rows[0]
		}
	}
	return guards
}

// withCells returns a form with each choice of locks for cells: one in the same variable first.
func withCells(f form, cells []pointsto.Location) (list []form) {
	if len(cells) == 0 {
		return []form{f}
	}
	var order []int
	for i, l := range f.locks {
		if l.Obj == cells[0].Obj {
			order = append(order, i)
		}
	}
	for i, l := range f.locks {
		if l.Obj != cells[0].Obj {
			order = append(order, i)
		}
	}
	for _, i := range order {
		g := f
		g.cells = append(slices.Clip(f.cells), cell{cells[0], i})
		list = append(list, withCells(g, cells[1:])...)
	}
	return append(list, withCells(f, cells[1:])...)
}

// isSingle reports whether there is one of some memory, of which nobody outside knows.
func (r *rule) isSingle(l pointsto.Location) bool {
	if l.Off < 0 || !l.Exact() || !r.pts.Once(l.Obj) || r.pts.Outside(l.Obj) || l.Obj.External || l.Obj.IsFunc() {
		return false
	}
	g := l.Obj.Global
	return g == nil || !g.External && !g.ThreadLocal && !g.Library
}

// isPlain reports whether memory is a local that is followed as such.
func (r *rule) isPlain(l pointsto.Location) bool {
	return l.Obj.Local != nil && r.plain(l.Obj.Func)[l.Obj.Local]
}

// inners returns what members of objects with a counter lead to, and nothing else in memory but locals.
func (r *rule) inners(c *counter) (list []inner) {
	seen := map[int64]bool{}
	for _, cp := range r.copies {
		if cp.Func.Library {
			continue
		}
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*cir.Store)
				if !ok || !s.Type.IsPointer() {
					continue
				}
				for _, l := range r.places(cp, s.Addr) {
					if !c.objects[l.Obj] || l.Off < 0 || !l.Exact() || seen[l.Off] {
						continue
					}
					seen[l.Off] = true
					x := inner{l.Off, map[*pointsto.Object]bool{}}
					good := true
					for o := range c.objects {
						for _, m := range r.pts.Contents(o, l.Off) {
							good = good && r.isNew(m.Obj) && !c.objects[m.Obj]
							x.objects[m.Obj] = true
						}
					}
					if good && len(x.objects) > 0 {
						list = append(list, x)
					}
				}
			}
		}
	}
	return list
}

// makers are the functions of the library that return a new object.
var makers = []string{"malloc", "calloc", "strdup", "strndup"}

// isNew reports whether an object is one that a function of the library returned as a new one.
func (r *rule) isNew(o *pointsto.Object) bool {
	return o.Site != nil && o.Func.Library && o.Ctx.Call != nil && slices.Contains(makers, r.makerOf(o)) && !o.External && !r.pts.Outside(o)
}

// makerOf returns the function that the program calls to make an object.
func (r *rule) makerOf(o *pointsto.Object) string {
	if f, ok := o.Ctx.Call.Callee.(*cir.Func); ok {
		return f.Source
	}
	return ""
}

// plain returns the locals of a function that are only loaded and stored as a whole.
func (r *rule) plain(f *cir.Func) map[*cir.Local]bool {
	if r.plains[f] == nil {
		r.plains[f] = cir.PlainLocals(f)
	}
	return r.plains[f]
}

// crosses returns the registers of a function that other blocks use than the one that assigns them.
func (r *rule) crosses(f *cir.Func) map[int]bool {
	if m, known := r.across[f]; known {
		return m
	}
	home, m := map[int]*cir.Block{}, map[int]bool{}
	for _, b := range f.Blocks {
		for _, p := range b.Params {
			home[p.Index] = b
		}
		for _, in := range b.Instrs {
			for _, x := range cir.Results(in) {
				home[x.Index] = b
			}
		}
	}
	for _, b := range f.Blocks {
		use := func(v cir.Value) {
			if x, ok := v.(*cir.Reg); ok && home[x.Index] != b {
				m[x.Index] = true
			}
		}
		for _, in := range b.Instrs {
			cir.Operands(in, use)
		}
		cir.TermOperands(b.Term, use)
	}
	r.across[f] = m
	return m
}
