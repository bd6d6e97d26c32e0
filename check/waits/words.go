package waits

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// Threads of several classes, and main, come to the same waits at barriers in the same order if the code says so: each of them waits on all its ways to its end, one wait after another, or in loops that count, as often in all of them. So
// what a class waits for is one word: b1;(4:b1;b2;), say. Ways that end the program are left out, as those by which main returns before it has waited; see later.go.

// wording finds the word of a class.
type wording struct {
	*finder
	of    *class
	meets map[pointsto.Copy]bool
	exits map[pointsto.Copy]bool
	err   error
}

// wordOf returns what a class of threads waits for at barriers.
func (f *finder) wordOf(k *class) (string, error) {
	w := &wording{finder: f, of: k, exits: f.h.findExits(), meets: f.meetsOf(k)}
	root := k.roots[0]
	for _, r := range k.roots {
		switch {
		case r.Func == f.h.prog.Entry:
			root = r
		case w.meets[r] && len(k.roots) > 1:
			return "", fail(first(r.Func.Blocks[0]), "'%s' waits at a barrier, where threads begin, or the program ends", r.Func.Source)
		}
	}
	text := w.copy(root)
	return text, w.err
}

// meetsOf returns the copies that a class runs which may come to a barrier.
func (f *finder) meetsOf(k *class) map[pointsto.Copy]bool {
	a := &aligning{finder: f, of: k, meets: map[pointsto.Copy]bool{}}
	for _, c := range f.h.runs {
		if slices.Contains(f.h.runners[c], k) {
			a.copies = append(a.copies, c)
		}
	}
	a.findMeets()
	return a.meets
}

func (w *wording) fails(in cir.Located, text string) string {
	if w.err == nil {
		w.err = fail(in, "%s", text)
	}
	return ""
}

// leads reports whether a call may come to a barrier.
func (w *wording) leads(c pointsto.Copy, in cir.Instr) bool {
	call, ok := in.(*cir.Call)
	if !ok {
		return false
	}
	x, _ := w.h.callees(c, call)
	return w.isMeeting(callIn{c, call}) || slices.ContainsFunc(x.to, func(y pointsto.Copy) bool { return w.meets[y] })
}

// piece is a part of a word, and where it begins.
type piece struct {
	at   *cir.Block
	text string
}

// copy returns the word of a copy.
func (w *wording) copy(c pointsto.Copy) string {
	if !w.meets[c] || w.err != nil {
		return ""
	}
	if w.h.callsItself(c) {
		return w.fails(first(c.Func.Blocks[0]), "a function that waits at a barrier may call itself")
	}
	x := w.h.function(c.Func)
	loops := map[*cir.Block]*counted{}
	in := map[*cir.Block]*counted{} // of blocks that wait
	for _, b := range c.Func.Blocks {
		for _, i := range b.Instrs {
			if !w.h.pts.Comes(c.Func, b) || !w.leads(c, i) || !x.isRepeated(i) {
				continue
			}
			l, ok := x.countedLoop(i)
			if !ok {
				return w.fails(i.(cir.Located), "how often a thread waits at a barrier here is not known")
			}
			if loops[l.head] == nil {
				loops[l.head] = l
			}
			in[b] = loops[l.head]
		}
	}
	if at := w.choice(c, loops); at != nil {
		return w.fails(at, "threads may go different ways here, to different waits at barriers")
	}
	var top []piece
	inner := map[*counted][]piece{}
	for _, b := range c.Func.Blocks {
		text := w.block(c, b)
		if text == "" {
			continue
		}
		if l := in[b]; l != nil {
			inner[l] = append(inner[l], piece{b, text})
		} else {
			top = append(top, piece{b, text})
		}
	}
	for head, l := range loops {
		n, ok := w.times(c, l)
		if !ok {
			return w.fails(first(head), "how often a thread waits at a barrier here is not known")
		}
		top = append(top, piece{head, "(" + n + ":" + x.inOrder(inner[l], head) + ")"})
	}
	return x.inOrder(top, nil)
}

// block returns the word of a block, "" if nothing there waits.
func (w *wording) block(c pointsto.Copy, b *cir.Block) string {
	var out strings.Builder
	if !w.h.pts.Comes(c.Func, b) {
		return ""
	}
	for _, in := range b.Instrs {
		if !w.leads(c, in) {
			continue
		}
		call := in.(*cir.Call)
		if i := slices.IndexFunc(w.meetings, func(m meeting) bool { return m.callIn == callIn{c, call} }); i >= 0 {
			fmt.Fprintf(&out, "b%d;", w.meetings[i].set)
			continue
		}
		x, _ := w.h.callees(c, call)
		if len(x.to) != 1 || x.outside || len(x.known) > 0 {
			return w.fails(call, "which function is called that waits at a barrier is not known")
		}
		out.WriteString(w.copy(x.to[0]))
	}
	return out.String()
}

// inOrder puts parts one behind another that all ways pass: in the order in which control gets from one to the other, not by the head of the loop that they are in.
func (x *function) inOrder(list []piece, head *cir.Block) string {
	slices.SortFunc(list, func(p, q piece) int {
		switch {
		case p.at == q.at:
			return 0
		case x.around(p.at, q.at, head):
			return -1
		}
		return 1
	})
	var out strings.Builder
	for _, p := range list {
		out.WriteString(p.text)
	}
	return out.String()
}

// around reports whether control may get from the end of a block to another one, not by a third one.
func (x *function) around(from, to, by *cir.Block) bool {
	seen := map[*cir.Block]bool{}
	for work := []*cir.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(b.Term, func(next *cir.Block, _ []cir.Value) {
			if next != by && !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		})
	}
	return seen[to]
}

// choice returns where threads may go different ways, to different waits, but to go through a loop that counts once more.
func (w *wording) choice(c pointsto.Copy, loops map[*cir.Block]*counted) cir.Located {
	e := w.h.endsOf(c, w.exits)
	if c.Func == w.h.prog.Entry {
		w.leaveOut(c, e)
	}
	for i, b := range c.Func.Blocks {
		if !w.h.pts.Comes(c.Func, b) {
			continue
		}
		waits := slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return w.leads(c, in) })
		if waits && (!e.live[i] || e.leaves[b]) {
			return first(b)
		}
		if loops[b] != nil {
			continue
		}
		for k := range e.within(b) {
			if len(e.succs[i]) > 1 && k < len(c.Func.Blocks) && slices.ContainsFunc(c.Func.Blocks[k].Instrs, func(in cir.Instr) bool { return w.leads(c, in) }) {
				return b.Term
			}
		}
	}
	return nil
}

// leaveOut leaves out returns of main by which it has waited nowhere: they end the program.
func (w *wording) leaveOut(c pointsto.Copy, e *endings) {
	x := w.h.function(c.Func)
	n := len(c.Func.Blocks)
	behind := map[*cir.Block]bool{} // some wait
	for _, b := range c.Func.Blocks {
		if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return w.leads(c, in) }) {
			for _, d := range c.Func.Blocks {
				behind[d] = behind[d] || d == b || x.around(b, d, nil)
			}
		}
	}
	for i, b := range c.Func.Blocks {
		if _, returns := b.Term.(*cir.Return); returns && !behind[b] && !w.h.mayExit(c, b, w.exits) {
			e.succs[i] = slices.DeleteFunc(e.succs[i], func(k int) bool { return k == n })
		}
	}
	clear(e.live)
	e.findLive()
	e.findNext()
}

// times returns how often a loop is gone through: a constant, or what is in a place that main writes before there are other threads.
func (w *wording) times(c pointsto.Copy, l *counted) (string, bool) {
	v := l.bound
	for range 4 {
		switch t := v.(type) {
		case cir.Int:
			n, ok := t.Int64()
			return fmt.Sprint(max(n+l.more-l.from, 0)), ok
		case *cir.Reg:
			switch in := w.h.function(c.Func).defs[t.Index].(type) {
			case *cir.Convert:
				if !keepsValue(in) { // of -1, the same loop is gone through never, or very often
					return "", false
				}
				v = in.X
				continue
			case *cir.Load:
				return w.loaded(c, in, l.more-l.from)
			}
		}
		return "", false
	}
	return "", false
}

// loaded is times for what a load gives, and some more.
func (w *wording) loaded(c pointsto.Copy, load *cir.Load, more int64) (string, bool) {
	places := w.h.pts.Places(c.Func, c.Ctx, load.Addr)
	if len(places) != 1 || !places[0].Exact() || !w.h.pts.Once(places[0].Obj) || load.Bits != nil || load.Volatile || !w.writtenBefore(places[0], w.h.sizeOf(load.Type)) {
		return "", false
	}
	if slices.Contains(w.h.runners[c], w.h.classes[0]) {
		if n, ok := w.finder.kept(c, load, maxNumber+1); !ok || n.at.Obj == nil {
			return "", false
		}
	}
	return fmt.Sprintf("m%d,%d,%v%+d", places[0].Obj.ID, places[0].Off, load.Type, more), true
}

// sameWords returns an error unless all threads of some classes come to the same waits at barriers in the same order.
func (f *finder) sameWords(parties []*class) error {
	word := ""
	for i, k := range parties {
		for _, c := range f.h.runs {
			if slices.Contains(f.h.runners[c], k) {
				for b := range f.h.endless[c] {
					return fail(first(b), "a thread that others meet at a barrier may run for ever here")
				}
			}
		}
		text, err := f.wordOf(k)
		if err != nil {
			return err
		}
		if i > 0 && text != word {
			return fail(f.meetings[0].call, "threads wait at other barriers, or in another order")
		}
		word = text
	}
	return nil
}
