package timing

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// clock is a Timings with a clock that only moves when told to.
type clock struct {
	*Timings
	at time.Time
}

func newClock() *clock {
	c := &clock{New(), time.Unix(1000, 0)}
	c.now = func() time.Time { return c.at }
	return c
}

// pass lets seconds pass.
func (c *clock) pass(seconds int) { c.at = c.at.Add(time.Duration(seconds) * time.Second) }

// text words the components, times in seconds.
func text(list []Component) []string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s %d %g %g", c.Name, c.Calls, c.Own.Seconds(), c.Whole.Seconds()))
	}
	return out
}

// TestNested measures calls within calls.
func TestNested(t *testing.T) {
	for name, tt := range map[string]struct {
		run  func(c *clock)
		want []string // name, calls, own and whole time
	}{
		"nothing": {func(c *clock) { c.pass(1) }, nil},
		"one after the other, in the order of reports": {func(c *clock) {
			stop := c.Start(Checking)
			c.pass(1)
			stop()
			c.pass(10)
			stop = c.Start(Reading)
			c.pass(2)
			stop()
			stop()
		}, []string{"reading 1 2 2", "checking 1 1 1"}},
		"one inside the other": {func(c *clock) {
			stop := c.Start(Generalisation)
			c.pass(1)
			for range 3 {
				inner := c.Start(Sequential)
				c.pass(2)
				inner()
			}
			c.pass(1)
			stop()
		}, []string{"sequential checks 3 6 6", "generalisation 1 2 8"}},
		"a component inside itself": {func(c *clock) {
			outer := c.Start(WP)
			c.pass(1)
			between := c.Start(Solver)
			c.pass(1)
			inner := c.Start(WP)
			c.pass(1)
			inner()
			between()
			c.pass(1)
			outer()
		}, []string{"wp 2 3 4", "plain solver 1 1 2"}},
		"under way": {func(c *clock) {
			c.Start(Seeding)
			c.pass(3)
			c.Start(Solver)
			c.pass(1)
		}, []string{"seeding 1 3 4", "plain solver 1 1 1"}},
		"what was not ended ends with the call around it": {func(c *clock) {
			stop := c.Start(Seeding)
			late := c.Start(Solver)
			c.pass(1)
			stop()
			c.pass(5)
			late()
		}, []string{"seeding 1 0 1", "plain solver 1 1 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			tt.run(c)
			for range 2 { // reading changes nothing
				if got := text(c.Components()); !slices.Equal(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			}
		})
	}
}

// TestNil measures nothing without a Timings.
func TestNil(t *testing.T) {
	var none *Timings
	none.Start(WP)()
	if got := none.Components(); got != nil {
		t.Errorf("got %v", got)
	}
}

// TestNames has each component once.
func TestNames(t *testing.T) {
	list := New()
	for _, n := range names {
		list.Start(n)()
	}
	list.Start("z")()
	list.Start("b")()
	got := list.Components()
	n := len(names)
	if len(got) != n+2 || got[0].Name != Reading || got[n-1].Name != Solver || got[n].Name != "b" || got[n+1].Name != "z" {
		t.Errorf("%d components: %v", len(got), got)
	}
}

func TestAdd(t *testing.T) {
	a := []Component{{Reading, 1, 2, 3}, {"zz", 1, 1, 1}, {Passes, 1, 1, 2}}
	b := []Component{{Passes, 2, 3, 4}, {"aa", 5, 5, 5}}
	want := []Component{{Reading, 1, 2, 3}, {Passes, 3, 4, 6}, {"aa", 5, 5, 5}, {"zz", 1, 1, 1}}
	if got := Add(a, b); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
