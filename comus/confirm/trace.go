package confirm

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	cirinterp "comus/cir/interp"
	"comus/comus/confirm/story"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/scan/certificate"
	"comus/scan/directed"
)

// longestStory is how many steps a run has at most that is made again for its story.
const longestStory = 2_000_000

// trace returns the trace of a run that was confirmed. The verdict does not hang on its story: where that cannot be told, the trace has no more than how the run ends.
func (w *Whole) trace(ctx context.Context, ex *certificate.Execution, res *cirinterp.Result) (trace interp.Trace, err error) {
	if trace, err = w.traceWithStory(ctx, ex, res); err == nil {
		return trace, nil
	}
	return traceOf(w.Program, ex, res, nil)
}

// traceWithStory is told with the story. A panic is an error.
func (w *Whole) traceWithStory(ctx context.Context, ex *certificate.Execution, res *cirinterp.Result) (trace interp.Trace, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	return traceOf(w.Program, ex, res, w.storyOf(ctx, ex, res))
}

// storyOf returns what a run that was confirmed did, as far as its end is about it; nil if that cannot be told. The run is made again for it.
func (w *Whole) storyOf(ctx context.Context, ex *certificate.Execution, res *cirinterp.Result) *story.Story {
	end := endOf(ex, res)
	if g := ex.Graph; g != nil {
		for _, old := range g.Stale() {
			for _, i := range []int{old.Read, old.Next} {
				end.Also = append(end.Also, story.Access{Thread: g.Events[i].Thread, At: g.Events[i].At})
			}
		}
	}
	if res.Steps > longestStory || len(end.Threads) == 0 && end.Site == nil {
		return nil
	}
	shows := directed.Named(ex)
	s, err := story.Of(w.Program, end, func(tr cirinterp.Tracer) error {
		again := *ex
		again.Turns, again.Inputs = slices.Clone(ex.Turns), slices.Clone(ex.Inputs)
		res, _, err := directed.ReplayWith(ctx, w.Program, &again, shows, func(o *cirinterp.Options) { o.Tracer, o.Held = tr, true })
		if err == nil && !shows.Shown(res) {
			err = fmt.Errorf("the run ends otherwise: %s", res)
		}
		return err
	})
	if err != nil {
		return nil
	}
	s.Weak = ex.Graph != nil
	return s
}

// endOf says how a run ends that was confirmed.
func endOf(ex *certificate.Execution, res *cirinterp.Result) story.End {
	end := story.End{}
	side := func(s *cirinterp.Side) {
		end.Threads = append(end.Threads, s.Thread)
		for _, h := range s.Held {
			end.Kept = append(end.Kept, h.Site)
		}
	}
	again := directed.LockedAgain(res)
	switch {
	case ex.Race != [2]string{}:
		r := &res.Races[len(res.Races)-1]
		side(&r.First)
		side(&r.Second)
		end.Site, end.Accesses, end.At, end.First = r.Second.Site, true, r.Offset, &r.First
	case len(ex.Kept) > 0:
		if l := leakOf(res, ex.Lost); l != nil {
			end.Site = l.Site
		}
	case len(ex.Waits) > 0:
		for _, w := range cirinterp.Stuck(res) {
			s := w.Side()
			side(&s)
			if strings.HasPrefix(w.Via, "pthread_cond_") || strings.HasPrefix(w.Via, "cnd_") {
				end.Conditions = append(end.Conditions, w.Thread)
			}
		}
		end.Calls = true
	case again != nil && ex.Undefined != [2]string{}:
		s := again.Side()
		side(&s)
		end.Calls = true
	case res.Failed != nil:
		if x := res.About; x != nil && x.Freed != nil {
			end.Threads = append(end.Threads, x.Freed.Thread)
			end.Accesses, end.Whole = true, true
		}
		side(res.Failed)
		end.Site = res.Failed.Site
	}
	return end
}

// follows adds the events of a story to a trace. first is the first of the two accesses of a race, nil for what ends otherwise: it is told of where it was made. waits tells that
// the threads of the sides wait at the end, in the calls that come last.
func (t *teller) follows(s *story.Story, sides []*cirinterp.Side, first *cirinterp.Side, waits bool) {
	if s == nil {
		return
	}
	t.names(s)
	tells := s.Event(first)
	for i, e := range s.Events {
		by := t.appears(s, e.Thread)
		at, text := posOf(e.Site), textOf(&cirinterp.Side{Site: e.Site, Func: e.Func})
		switch e.Kind {
		case story.Creates:
			if e.Child > 0 && t.of[e.Child] == nil {
				t.creates(by, e.Child, s.Begins[e.Child], at, text)
			}
		case story.Calls:
			if side := sideOf(sides, e.Thread); !waits || side == nil || side.Site != e.Site || !s.Ends(i) {
				t.calls(by, side, at, text, &e)
			}
		case story.Frees:
			edge := t.step(by, at, text)
			if f := t.frees; f != nil && f.Thread == e.Thread {
				edge.Tells, t.freed = &ir.Place{Pos: at, Text: text, In: frameOf(f)}, true
			}
		default:
			t.accesses(by, s.Weak, &e, at, text, i == tells)
			if i == tells {
				edge := t.steps[len(t.steps)-1].Edge
				edge.Tells = &ir.Place{Pos: at, Text: text, In: frameOf(first)}
				t.firstShown = true
			}
		}
	}
}

// sideOf returns the side of a thread, nil if there is none.
func sideOf(sides []*cirinterp.Side, thread int) *cirinterp.Side {
	for _, s := range sides {
		if s.Thread == thread {
			return s
		}
	}
	return nil
}

// appears returns a thread that takes a step, which is created first if nothing has told of that.
func (t *teller) appears(s *story.Story, n int) *ir.Thread {
	if t.of[n] == nil {
		t.created(&cirinterp.Side{Thread: n, Stack: []cirinterp.Call{{Func: s.Begins[n]}}, Created: s.Creations[n]})
	}
	return t.of[n]
}

// creates adds the step that creates a thread.
func (t *teller) creates(by *ir.Thread, n int, begins string, at ir.Pos, text string) {
	child := t.thread(n, begins)
	e := t.step(by, at, text)
	e.Kind, e.Thread = ir.Create, child.Index
}

// calls adds a call by which threads wait for one another. Of locks that the thread holds at the end it tells that they are taken.
func (t *teller) calls(by *ir.Thread, side *cirinterp.Side, at ir.Pos, text string, e *story.Event) {
	if side == nil || !e.Last {
		t.step(by, at, text)
		return
	}
	n := len(t.steps)
	for _, h := range side.Held {
		if h.Site == e.Site {
			t.take(by, h)
		}
	}
	if len(t.steps) == n {
		t.step(by, at, text)
	}
}

// accesses adds an access of what the end is about, with the values.
func (t *teller) accesses(by *ir.Thread, weak bool, e *story.Event, at ir.Pos, text string, tells bool) {
	v := t.vars[e.Place]
	stale := weak && e.Before != "" && e.Before != t.now[v]
	if e.Before != "" && (!stale || e.Update) {
		t.becomes(by, v, e.Before, e.Left)
	}
	var cmds []ir.Cmd
	switch {
	case stale && e.Kind == story.Reads: // the newest write stays what it is
		cmds = []ir.Cmd{t.read(t.old(v, e.Before))}
	case e.Kind == story.Writes && e.After != "":
		cmds = []ir.Cmd{ir.AssignCmd(v, t.p.L.Int(t.word(v, e.After)))}
		t.now[v] = e.After
	case e.Kind == story.Reads && e.Before != "":
		cmds = []ir.Cmd{t.read(v)}
	case !tells: // there is nothing to see
		return
	}
	t.step(by, at, text).Cmds = cmds
}

// becomes adds what was left out, if a variable is something else than what was told of last.
func (t *teller) becomes(by *ir.Thread, v *ir.Var, text string, left int) {
	if t.now[v] == text {
		return
	}
	what := "..."
	if left > 0 {
		what = fmt.Sprintf("... (accesses that are not shown: %d)", left)
	}
	e := t.step(by, ir.Pos{}, what)
	e.Cmds = []ir.Cmd{ir.AssignCmd(v, t.p.L.Int(t.word(v, text)))}
	t.now[v] = text
}

// read is a command that reads a variable: reports tell what it is.
func (t *teller) read(v *ir.Var) ir.Cmd {
	t.reads++
	to := t.p.NewVar(fmt.Sprintf("read%d", t.reads), v.Type, ir.Shared)
	zero := logic.IntValue(0)
	to.Source, to.Init = "", &zero
	return ir.AssignCmd(to, v.Sym)
}

// old returns a variable that stands for an older value of another one.
func (t *teller) old(v *ir.Var, text string) *ir.Var {
	t.reads++
	o := t.p.NewVar(fmt.Sprintf("old%d", t.reads), v.Type, ir.Shared)
	init := logic.IntValue(t.word(o, text))
	o.Source, o.Init, o.Stale = v.Source, &init, v
	return o
}

// names makes the variables of a story.
func (t *teller) names(s *story.Story) {
	t.now = map[*ir.Var]string{}
	for i, p := range s.Places {
		v := t.p.NewVar(fmt.Sprintf("place%d", i+1), ir.Type{Bits: 64, Signed: true}, ir.Shared)
		v.Source = t.apart(p.Name)
		first := s.First(i)
		init := logic.IntValue(t.word(v, first))
		v.Init = &init
		t.now[v] = first
		t.vars = append(t.vars, v)
	}
}

// word returns the number that stands for a value as C writes it: itself, or one of the variable's words.
func (t *teller) word(v *ir.Var, text string) int64 {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n < firstWord && n > -firstWord {
		return n
	}
	for n := int64(firstWord); ; n++ {
		switch v.Words[n] {
		case text:
			return n
		case "":
			if v.Words == nil {
				v.Words = map[int64]string{}
			}
			v.Words[n] = text
			return n
		}
	}
}

// firstWord is the first number that stands for a word.
const firstWord = 1 << 60

// last returns commands that read what the last statement has read, after what was left out.
func (t *teller) last(s *story.Story, by *ir.Thread) (cmds []ir.Cmd) {
	if s == nil {
		return nil
	}
	for _, x := range s.Last {
		if x.Text == "" || t.of[x.Thread] != by {
			continue
		}
		v := t.vars[x.Place]
		if s.Weak && t.now[v] != x.Text { // the newest write stays what it is
			cmds = append(cmds, t.read(t.old(v, x.Text)))
			continue
		}
		t.becomes(by, v, x.Text, 0)
		cmds = append(cmds, t.read(v))
	}
	return cmds
}

// leakOf returns what a run leaves behind that is told of, nil if there is nothing.
func leakOf(res *cirinterp.Result, lost bool) *cirinterp.Leak {
	i := slices.IndexFunc(res.Leaks, func(l cirinterp.Leak) bool { return l.Site != nil && (l.Lost || !lost) })
	if i < 0 {
		return nil
	}
	return &res.Leaks[i]
}

// allocates returns who has allocated what a run leaves behind: the first thread that came there from the function that the stack begins with. Of one that the story does not know, it
// is the first thread.
func allocates(l *cirinterp.Leak, s *story.Story) *cirinterp.Side {
	side := &cirinterp.Side{Site: l.Site, Func: l.Func, Stack: l.Stack}
	if s == nil {
		return side
	}
	for _, n := range s.Came {
		if s.Begins[n] == begins(l.Stack) {
			side.Thread, side.Created = n, s.Creations[n]
			break
		}
	}
	return side
}
