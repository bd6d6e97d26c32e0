package check

import (
	"testing"
	"time"

	"comus/logic"
)

// TestBoxGivesUp verifies that terms that share much cost little time.
func TestBoxGivesUp(t *testing.T) {
	pr := places(t)
	l := pr.l
	x, y := pr.Vars[0].Sym, pr.Vars[1].Sym
	v := x
	for k := range 60 {
		v = l.Ite(l.Le(l.Add(v, y), l.Int(int64(k))), l.Add(v, l.Int(1)), v)
	}
	j := pr.newFacts(l.And(l.Le(x, l.Int(3)), l.Le(l.Add(x, y), l.Int(9))))
	start := time.Now()
	for _, goal := range []*logic.Term{l.Le(v, l.Int(5)), l.Eq(l.Mod(v, l.Int(7)), l.Int(5)), l.Le(l.Add(v, y), l.Int(4))} {
		box := j.rows.newBox(0, 2, l.True())
		if j.sums.proves(box, nil, goal) || box.proves(nil, goal) {
			t.Error("proved", goal.Op())
		}
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
}
