package comus

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"comus/cir"
	"comus/comus/confirm"
	"comus/memory"
	"comus/replay/repeat"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/specialise"
)

// Executions that are not sequentially consistent. No scheduler makes them: it is the processor that lets a thread read an older value. What x86 lets happen is the model TSO. So where TSO allows the
// execution, or another one that ends at the same assertion, the program itself is run again and again (package replay/repeat). Where it does not, x86 never shows it, and comus says which accesses x86 keeps in order.

// othersWithin is how long executions that TSO allows are looked for, with the same end.
const othersWithin = 3 * time.Second

// repeats returns the program that is to be run again and again for an execution that is not sequentially consistent. The error says why this machine cannot show it.
func (s *Source) repeats(ctx context.Context, ex *certificate.Execution) (*Woven, error) {
	p, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	refused := func(format string, args ...any) (*Woven, error) {
		return nil, fmt.Errorf("cannot replay: %s, and %s", noTurns, fmt.Sprintf(format, args...))
	}
	file, line, ok := placeOf(ex.Fails)
	switch {
	case !ok:
		return refused("only a failed assertion is seen when the program itself runs")
	case p.Model.PointerBits != 64:
		return refused("the execution is not one with the data model of the machine, LP64")
	case atLabel(p.Program, ex.Fails) && !errs(p.Program):
		return refused("the program itself does not stop at the label ERROR")
	case s.how.Entry != "" && s.how.Entry != "main":
		return refused("the program itself begins with main, not with %s", s.how.Entry)
	case s.how.Weave != nil:
		return refused("the waypoints of the witness are part of the program that was looked at")
	case len(s.how.Models) > 0:
		return refused("functions have bodies that are not the program's (--model)")
	case runtime.GOARCH != "amd64":
		return refused("comus runs programs again and again on x86-64 only, whose memory model it knows; this machine is %s", runtime.GOARCH)
	}
	note := ""
	if !ex.Graph.Consistent(memory.TSO) {
		other, all := s.onX86(ctx, ex.Fails)
		if other == nil {
			return nil, errors.New("cannot replay: this machine cannot show it: " + outOfOrder(ex.Graph) + all)
		}
		note = "x86 cannot show this execution: " + outOfOrder(ex.Graph) + "; but it allows another one that ends at the same assertion"
	}
	w := &Woven{Repeats: &repeat.Program{Units: s.units, Args: ex.Args, File: file, Line: line}, Note: note}
	w.Files, err = w.Repeats.Files(ctx)
	return w, err
}

// onX86 looks for an execution that TSO allows and that ends at the same assertion. Without one, all says what is known of that.
func (s *Source) onX86(ctx context.Context, fails string) (found *certificate.Execution, all string) {
	within, stop := context.WithTimeout(ctx, othersWithin)
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	visited, err := directed.Graphs(within, s.prog.Program, []directed.Target{confirm.TargetOf(specialise.Assert, false)}, directed.GraphOptions{Model: memory.TSO, Found: func(_ int, ex *directed.Execution) bool {
		if ex.Fails == fails {
			found = ex
		}
		return found != nil
	}})
	switch {
	case found != nil:
		return found, ""
	case err == nil && visited.Complete:
		return nil, "; no other execution that x86 allows ends at this assertion either"
	}
	return nil, ""
}

// outOfOrder says which accesses of a graph TSO keeps in order.
func outOfOrder(g *memory.Graph) string {
	pairs := g.Reordered(memory.TSO)
	if len(pairs) == 0 {
		return "x86 forbids what threads read in this execution"
	}
	var list []string
	for _, p := range pairs {
		x, y := &g.Events[p.First], &g.Events[p.Second]
		list = append(list, fmt.Sprintf("%s-%s of thread %d (%s, %s)", loads[x.Kind], loads[y.Kind], x.Thread, accessText(x), accessText(y)))
	}
	what := "this execution needs this pair of accesses out of order, which x86 keeps in order: "
	if len(list) > 1 {
		what = "this execution needs one of these pairs of accesses out of order, which x86 keeps in order: "
	}
	return what + strings.Join(list, ", ")
}

var loads = map[memory.Kind]string{memory.Read: "load", memory.Write: "store"}

func accessText(e *memory.Event) string {
	if e.Object == "" || e.At == "" {
		return e.Object + e.At
	}
	return e.Object + " at " + e.At
}

// placeOf takes a place of the source apart, "file:line:column".
func placeOf(place string) (file string, line int, ok bool) {
	parts := strings.Split(place, ":")
	if len(parts) < 3 {
		return "", 0, false
	}
	line, err := strconv.Atoi(parts[len(parts)-2])
	return strings.Join(parts[:len(parts)-2], ":"), line, err == nil
}

// errs reports whether a program calls an error function, as programs with the label ERROR do behind it.
func errs(p *cir.Program) bool {
	return slices.ContainsFunc(p.Funcs, func(f *cir.Func) bool { return f.Source == "reach_error" || f.Source == "__VERIFIER_error" })
}

// atLabel reports whether what fails at a place is the label ERROR.
func atLabel(p *cir.Program, place string) bool {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				i, ok := in.(*cir.Intrinsic)
				if ok && i.Op == cir.Assert && i.Name == "ERROR" && i.Meta().Site != nil && i.Meta().Site.Pos.String() == place {
					return true
				}
			}
		}
	}
	return false
}
