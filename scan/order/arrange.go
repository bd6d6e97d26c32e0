package order

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"comus/check/waits"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Arrange finds an order of all that threads of a program wait for, in which all that a thread may owe where it waits stands before what it waits for. pts is what
// pointsto.AnalyseOpen found of the program. The error says what keeps it from that, or is that of the context.
func Arrange(ctx context.Context, prog *cir.Program, pts *pointsto.Result) (*certificate.Orders, error) {
	w, err := waits.Find(ctx, prog, pts)
	if err != nil {
		return nil, err
	}
	a := &arrangement{before: map[waits.Element][]waits.Edge{}, done: map[waits.Element]int{}}
	for _, e := range w.Edges {
		a.before[e.Awaited] = append(a.before[e.Awaited], e)
	}
	for _, e := range w.Elements {
		if !a.place(e) {
			return nil, errors.New(a.circle(w))
		}
	}
	out := &certificate.Orders{Version: certificate.Version}
	for _, e := range a.order {
		out.Order = append(out.Order, certificate.Awaited{Kind: string(e.Kind), Object: e.Object, Off: e.Off})
	}
	return out, nil
}

// arrangement is an order that is being made.
type arrangement struct {
	before map[waits.Element][]waits.Edge // what has to stand before an element
	done   map[waits.Element]int          // 1: it is being placed, 2: it stands in the order
	order  []waits.Element
	path   []waits.Edge
}

// place puts an element into the order, and before it what has to stand there; if that is not possible, the path ends with a circle.
func (a *arrangement) place(e waits.Element) bool {
	switch a.done[e] {
	case 2:
		return true
	case 1:
		return false
	}
	a.done[e] = 1
	for _, x := range a.before[e] {
		a.path = append(a.path, x)
		if !a.place(x.Owed) {
			return false
		}
		a.path = a.path[:len(a.path)-1]
	}
	a.done[e] = 2
	a.order = append(a.order, e)
	return true
}

// circle words the circle that the path ends with.
func (a *arrangement) circle(w *waits.Waits) string {
	last := a.path[len(a.path)-1].Owed
	i := slices.IndexFunc(a.path, func(e waits.Edge) bool { return e.Awaited == last })
	text := "threads may wait for one another"
	for _, e := range slices.Backward(a.path[i:]) {
		at := "?"
		if e.At != nil {
			at = e.At.Pos.String()
		}
		text += fmt.Sprintf(": at %s, a thread may owe %s while it waits for %s", at, w.Name(e.Owed), w.Name(e.Awaited))
	}
	return text
}
