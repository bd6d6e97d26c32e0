package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Seconds are what comus reports of its components: the seconds each took without
// those it called. Together with what is missing to the run's time they are disjoint.
type Seconds map[string]float64

// add adds other seconds.
func (s Seconds) add(other Seconds) {
	for name, t := range other {
		s[name] += t
	}
}

// componentTable writes what the components took on the tasks that each
// configuration solves, the costliest component of the first configuration first.
func (rep *Report) componentTable(w io.Writer) {
	sums := map[string]Seconds{}
	rest := Seconds{} // by configuration
	all := Seconds{}
	head := []string{"component"}
	for _, c := range rep.Configs {
		if c.Foreign {
			continue
		}
		head = append(head, c.Name)
		sums[c.Name] = Seconds{}
		for _, r := range rep.of(c.Name) {
			if r.Right() && r.Components != nil {
				sums[c.Name].add(r.Components)
				rest[c.Name] += r.Seconds
			}
		}
		all.add(sums[c.Name])
	}
	if len(all) == 0 {
		return
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	first := sums[head[1]]
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(first[b], first[a]), strings.Compare(a, b))
	})
	var t table
	t.add(head...)
	for _, name := range names {
		line := []string{strings.ReplaceAll(name, "_", " ")}
		for _, c := range head[1:] {
			line = append(line, strconv.FormatFloat(sums[c][name], 'f', 2, 64))
			rest[c] -= sums[c][name]
		}
		t.add(line...)
	}
	line := []string{"the rest"}
	for _, c := range head[1:] {
		line = append(line, strconv.FormatFloat(max(rest[c], 0), 'f', 2, 64))
	}
	t.add(line...)
	fmt.Fprint(w, "Seconds of the components, each without those it calls, on the tasks that the configuration solves:\n\n")
	t.write(w, 1)
}
