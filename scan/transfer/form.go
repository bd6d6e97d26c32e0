package transfer

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"golang.org/x/tools/container/intsets"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// Number is an integer in memory by which elements are found.
type Number struct {
	At     pointsto.Location
	Region int
	Type   cir.Type
}

// Cell is a scalar of a container.
type Cell struct {
	At     pointsto.Location
	Region int
	Owns   bool // what it leads to belongs to the container
}

// Form says the ownership of which objects is transferred by which cells under which locks.
type Form struct {
	Objects []*pointsto.Object // in the order of their numbers
	Link    int64              // where the link of each is; -1: there is none
	Locks   []pointsto.Location
	Cells   []Cell
	Arrays  []Array
	Numbers []Number
	// Kind is where containers are of which there are several, each with its own lock; nil: there are none. Each of its regions has cells of its own.
	Kind *Kind
	// Ends: no more threads run once the first one is alone again, so nobody finds the containers after that.
	Ends bool
}

// Proof is a form, with the states that the container of each lock is in when the lock is free.
type Proof struct {
	Form
	States  [][]State
	Alone   [][]State // of the kind's containers, for each time that the first thread is alone: beside those, what it leaves them in
	visited map[where]bool
	by      *analysis
}

// Holds reports whether an access is one of those that were looked at.
func (p *Proof) Holds(c pointsto.Copy, in cir.Located) bool {
	if c.Func.Library {
		return c.Ctx.Call != nil && p.visitedCall(c.Ctx.Call)
	}
	return p.visited[where{p.by.number[c], in}]
}

func (p *Proof) visitedCall(call *cir.Call) bool {
	for w := range p.visited {
		if w.in == cir.Located(call) {
			return true
		}
	}
	return false
}

// analysis is what is known of a program.
type analysis struct {
	prog     *cir.Program
	pts      *pointsto.Result
	threads  *thread.Result
	copies   []pointsto.Copy
	number   map[pointsto.Copy]int
	plains   map[*cir.Func]map[*cir.Local]bool
	across   map[*cir.Func]map[int]bool
	lock     func(at pointsto.Location, size int64) (pointsto.Location, bool)
	words    []word // scalars of pointers' size that are written, in order
	heaps    map[*pointsto.Object]bool
	computes map[*cir.Func]map[*cir.Reg]bool
	counted  bool // ups was found
	ups      []Number
}

// Input is what hand-over is looked for in.
type Input struct {
	Prog    *cir.Program
	Points  *pointsto.Result
	Threads *thread.Result
	// Objects are those of which it is wanted.
	Objects []*pointsto.Object
	// Lock returns the lock that whoever accesses so many bytes holds while there are other threads.
	Lock func(at pointsto.Location, size int64) (pointsto.Location, bool)
}

// Analyse looks for proofs. The error is that of ctx.
func Analyse(ctx context.Context, in Input) ([]*Proof, error) {
	a := &analysis{prog: in.Prog, pts: in.Points, threads: in.Threads, copies: in.Points.Copies(), number: map[pointsto.Copy]int{},
		plains: map[*cir.Func]map[*cir.Local]bool{}, across: map[*cir.Func]map[int]bool{}, lock: once(in.Lock), heaps: map[*pointsto.Object]bool{}, computes: map[*cir.Func]map[*cir.Reg]bool{}}
	for i, c := range a.copies {
		a.number[c] = i
	}
	var list []*Proof
	done := map[*pointsto.Object]bool{}
	for _, o := range in.Objects {
		if done[o] || !isMade(o) {
			continue
		}
		a.findWords()
		for _, f := range a.forms(o) {
			for _, o := range f.Objects {
				done[o] = true
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			x := &explorer{analysis: a, ctx: ctx, form: f, objects: map[*pointsto.Object]bool{}, spoils: map[where][]pointsto.Location{}}
			for _, o := range f.Objects {
				x.objects[o] = true
			}
			if x.explore() {
				list = append(list, &Proof{f, x.states, x.aloneStates(), x.visited, a})
				break
			}
		}
	}
	return list, ctx.Err()
}

// once returns a function that asks another one once about each place.
func once(lock func(pointsto.Location, int64) (pointsto.Location, bool)) func(pointsto.Location, int64) (pointsto.Location, bool) {
	type answer struct {
		lock pointsto.Location
		ok   bool
	}
	known := map[pointsto.Location]answer{}
	return func(l pointsto.Location, size int64) (pointsto.Location, bool) {
		a, asked := known[l]
		if !asked {
			a.lock, a.ok = lock(l, size)
			known[l] = a
		}
		return a.lock, a.ok
	}
}

// isMade reports whether an object is what malloc or calloc returns.
func isMade(o *pointsto.Object) bool {
	return o.Site != nil && o.Func.Library && (o.Func.Source == "malloc" || o.Func.Source == "calloc") && !o.External
}

// findWords finds the pointers in memory that are accessed.
func (a *analysis) findWords() {
	if a.words != nil {
		return
	}
	a.words = []word{}
	found := map[pointsto.Location]bool{}
	for k, c := range a.copies {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*cir.Store)
				if !ok || c.Func.Library || a.prog.Model.SizeOf(s.Type) != int64(a.prog.Model.PointerBits/8) {
					continue
				}
				for _, l := range a.places(k, s.Addr) {
					_, array := a.arrayAt(l)
					if _, _, many := elementsOf(l); l.Off >= 0 && (array || many || l.Exact()) {
						found[l] = true
					}
				}
			}
		}
	}
	for _, l := range slices.SortedFunc(maps.Keys(found), before) {
		w := word{at: l, objects: &intsets.Sparse{}}
		_, w.array = a.arrayAt(l)
		to := a.pts.Contents(l.Obj, l.Off)
		for _, l := range to {
			w.objects.Insert(l.Obj.ID)
		}
		w.many = len(to) > maxHeld
		a.words = append(a.words, w)
	}
}

// word is a pointer in memory.
type word struct {
	at      pointsto.Location
	objects *intsets.Sparse // that it may lead into, by number
	many    bool            // too many
	array   bool            // it is all elements of an array
}

// maxHeld is how many places a pointer may lead to that is part of a form.
const maxHeld = 256

// before orders locations.
func before(x, y pointsto.Location) int {
	return cmp.Or(cmp.Compare(x.Obj.ID, y.Obj.ID), cmp.Compare(x.Off, y.Off))
}

func (a *analysis) places(c int, v cir.Value) []pointsto.Location {
	return a.pts.Places(a.copies[c].Func, a.copies[c].Ctx, v)
}

// forms returns the forms in which the ownership of an object may be transferred, those that are most likely right first.
func (a *analysis) forms(o *pointsto.Object) []Form {
	return append(a.formsWith(o, false), a.formsWith(o, true)...)
}

// formsWith returns the forms without containers of a kind, or those with some.
func (a *analysis) formsWith(o *pointsto.Object, many bool) (list []Form) {
	objects, numbers := map[*pointsto.Object]bool{o: true}, &intsets.Sparse{}
	numbers.Insert(o.ID)
	kind := map[pointsto.Location]pointsto.Location{}
	cells, links, arrays := map[pointsto.Location]pointsto.Location{}, map[int64]bool{}, map[pointsto.Location]pointsto.Location{}
	for changed := true; changed; {
		changed = false
		for _, word := range a.words {
			w := word.at
			if !word.objects.Intersects(numbers) {
				continue
			}
			_, known := cells[w]
			if word.array {
				_, known = arrays[w]
			}
			switch {
			case objects[w.Obj]:
				known = links[w.Off]
				links[w.Off] = true
			case !known && a.pts.Once(w.Obj) && isContainer(w):
				if l, ok := a.lockBeside(w); ok && !word.array && many {
					kind[w], cells[w] = l, l
					break
				}
				l, ok := a.lock(w, int64(a.prog.Model.PointerBits/8))
				if !ok {
					continue
				}
				if cells[w] = l; word.array {
					delete(cells, w)
					arrays[w] = l
				}
			default:
				continue
			}
			if changed = changed || !known; known {
				continue
			}
			if word.many {
				return nil
			}
			for _, l := range a.pts.Contents(w.Obj, w.Off) {
				if isMade(l.Obj) && !objects[l.Obj] && cells[l] == (pointsto.Location{}) {
					objects[l.Obj], changed = true, true
					numbers.Insert(l.Obj.ID)
				}
			}
		}
	}
	offs := slices.Sorted(maps.Keys(links))
	if len(offs) == 0 {
		offs = []int64{-1}
	}
	if many && len(kind) == 0 {
		return nil
	}
	if list = a.formsOf(objects, cells, arrays, offs); many {
		list = withKind(list)
	}
	return list
}

// formsOf returns the forms of some objects, cells and arrays, with the locks of these, and a link at one of some offsets.
func (a *analysis) formsOf(objects map[*pointsto.Object]bool, cells, arrays map[pointsto.Location]pointsto.Location, offs []int64) (list []Form) {
	f := Form{Link: -1}
	for o := range objects {
		if a.pts.Outside(o) || len(cells)+len(arrays) == 0 {
			return nil
		}
		f.Objects = append(f.Objects, o)
	}
	slices.SortFunc(f.Objects, func(x, y *pointsto.Object) int { return x.ID - y.ID })
	for _, w := range sortedPlaces(arrays) {
		if l := arrays[w]; !slices.Contains(f.Locks, l) {
			f.Locks = append(f.Locks, l)
		}
		if a.pts.Outside(w.Obj) || !a.holdsOnly(w, objects, nil) {
			return nil
		}
	}
	order := sortedPlaces(cells)
	for _, w := range order {
		r := slices.Index(f.Locks, cells[w])
		if r < 0 {
			r = len(f.Locks)
			f.Locks = append(f.Locks, cells[w])
		}
		f.Cells = append(f.Cells, Cell{w, r, true})
		if a.pts.Outside(w.Obj) || !a.holdsOnly(w, objects, cells) {
			return nil
		}
	}
	if len(f.Locks) > maxRegions || len(f.Cells) > maxCells {
		return nil
	}
	ways := owners(len(f.Cells))
	if len(arrays) > 0 && len(f.Cells) == 1 {
		ways = append(ways, []bool{false})
	}
	for _, owns := range ways {
		for _, off := range offs {
			g := f
			g.Link, g.Cells = off, slices.Clone(f.Cells)
			for i := range g.Cells {
				g.Cells[i].Owns = owns[i]
			}
			if len(arrays) > 0 {
				list = append(list, a.arrayForms(g, arrays)...)
				continue
			}
			list = append(list, g)
		}
	}
	return list
}

// withKind returns forms with a region for each container of a kind that a thread may hold, without those that have several kinds.
func withKind(list []Form) (kept []Form) {
	for _, f := range list {
		many := slices.IndexFunc(f.Locks, func(l pointsto.Location) bool { return !l.Exact() })
		if many < 0 || len(f.Arrays) > 0 || len(f.Locks)+slotsOfKind-1 > maxRegions {
			continue
		}
		l := f.Locks[many]
		lo, hi, _ := l.Element()
		f.Kind = &Kind{Obj: l.Obj, Lo: lo, Hi: hi, Raw: l.Obj.Global == nil}
		f.Kind.Begin, f.Kind.End, _ = arrayAround(l)
		cells := f.Cells
		f.Kind.Region, f.Cells = len(f.Locks)-1, nil
		f.Locks = append(slices.Delete(slices.Clone(f.Locks), many, many+1), l)
		good := true
		for _, c := range cells {
			switch {
			case c.Region == many:
				c.Region = f.Kind.Region
				good = good && f.Kind.holds(c.At)
			case c.Region > many:
				c.Region--
			}
			good = good && (c.Region == f.Kind.Region || c.At.Exact())
			f.Cells = append(f.Cells, c)
		}
		for i := 1; i < slotsOfKind; i++ {
			f.Locks = append(f.Locks, l)
			for _, c := range f.Cells {
				if c.Region == f.Kind.Region {
					c.Region += i
					f.Cells = append(f.Cells, c)
				}
			}
		}
		if good {
			g := f
			g.Ends = true
			kept = append(kept, g, f)
		}
	}
	return kept
}

// sortedPlaces returns the keys of a map in order.
func sortedPlaces(m map[pointsto.Location]pointsto.Location) []pointsto.Location {
	return slices.SortedFunc(maps.Keys(m), before)
}

// maxCells bounds the cells of a form.
const maxCells = 6

// isContainer reports whether a cell may be one of a container.
func isContainer(l pointsto.Location) bool {
	o := l.Obj
	if g := o.Global; g != nil {
		if g.External || g.ThreadLocal || g.Library {
			return false
		}
		for _, r := range g.Relocs {
			if r.Offset == l.Off {
				return true // an address, which has to be that of a cell
			}
			if r.Offset < l.Off+8 && l.Off < r.Offset+8 {
				return false
			}
		}
		for i := l.Off; i < l.Off+8 && i < int64(len(g.Data)); i++ {
			if g.Data[i] != 0 {
				return false
			}
		}
		return true
	}
	return !o.External && !o.IsFunc()
}

// holdsOnly reports whether a cell holds addresses of objects and cells only.
func (a *analysis) holdsOnly(w pointsto.Location, objects map[*pointsto.Object]bool, cells map[pointsto.Location]pointsto.Location) bool {
	for _, l := range a.pts.Contents(w.Obj, w.Off) {
		if _, ok := cells[l]; !ok && !objects[l.Obj] {
			return false
		}
	}
	return true
}

// owners returns which of n cells may own what they lead to: all, or all but one, or one only.
func owners(n int) (list [][]bool) {
	if n == 0 {
		return [][]bool{nil}
	}
	for i := -1; i < n; i++ {
		all := make([]bool, n)
		for k := range all {
			all[k] = k != i
		}
		list = append(list, all)
	}
	for i := 0; n > 2 && i < n; i++ {
		one := make([]bool, n)
		one[i] = true
		list = append(list, one)
	}
	if n == 1 {
		list = list[:1]
	}
	return list
}

// touchesCells reports whether an access of some bytes, -1 for any number, may go to a cell.
func (x *explorer) touchesCells(at []pointsto.Location, size int64) bool {
	found := false
	x.eachPart(func(o *pointsto.Object, lo, hi int64) {
		for _, l := range at {
			found = found || !x.form.Kind.holds(pointsto.Location{Obj: o, Off: lo}) && l.Obj == o && (l.Off == pointsto.Any || l.Off < hi && (size < 0 || l.Off+size > lo))
		}
	})
	return found || slices.ContainsFunc(at, func(l pointsto.Location) bool { return x.touchesKind(l, size) })
}

// touchesForm reports whether an access may go to a cell or an object.
func (x *explorer) touchesForm(at []pointsto.Location, size int64) bool {
	return x.mayBe(at, new(int64)) || x.touchesCells(at, size)
}

// plain returns the locals of a function that are only loaded and stored as a whole.
func (a *analysis) plain(f *cir.Func) map[*cir.Local]bool {
	if a.plains[f] == nil {
		a.plains[f] = cir.PlainLocals(f)
	}
	return a.plains[f]
}

// crosses returns the registers of a function that other blocks use than those that assign them.
func (a *analysis) crosses(f *cir.Func) map[int]bool {
	if m, known := a.across[f]; known {
		return m
	}
	home, m := map[int]int{}, map[int]bool{}
	for i, b := range f.Blocks {
		for _, r := range b.Params {
			home[r.Index] = i + 1
		}
		for _, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				home[r.Index] = i + 1
			}
		}
	}
	for i, b := range f.Blocks {
		use := func(v cir.Value) {
			if r, ok := v.(*cir.Reg); ok && home[r.Index] != i+1 {
				m[r.Index] = true
			}
		}
		for _, in := range b.Instrs {
			cir.Operands(in, use)
		}
		cir.TermOperands(b.Term, use)
	}
	a.across[f] = m
	return m
}
