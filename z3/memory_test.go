package z3

import (
	"context"
	"math/big"
	"testing"
	"time"
)

// TestMaxMemory: factoring a product of two large primes needs more memory than
// the limit allows.
func TestMaxMemory(t *testing.T) {
	c := newTestContext(t)
	const bits = 128
	x, y := c.Const("x", c.BVSort(bits)), c.Const("y", c.BVSort(bits))
	limit := uint32(EstimatedAllocSize()>>20) + 40
	s := c.NewSolver()
	s.SetParams(NewParams().SetMaxMemory(limit).SetTimeout(20 * time.Second))
	one := c.BV(1, bits)
	s.Assert(c.Eq(c.BVMul(x, y), c.BVBig(mustBig(t, "170141183460469231722463931679029329919"), bits)),
		c.BVULt(one, x), c.BVULt(one, y), c.Eq(c.Extract(bits-1, bits/2, x), c.BV(0, bits/2)), c.Eq(c.Extract(bits-1, bits/2, y), c.BV(0, bits/2)))
	start := time.Now()
	st, err := s.Check(context.Background())
	if st != Unknown {
		t.Fatalf("%v, %v", st, err)
	}
	if time.Since(start) > 19*time.Second {
		t.Error("the time limit stopped it, not the memory limit")
	}
	t.Logf("%v after %v: %s, %v", st, time.Since(start), s.ReasonUnknown(), err)
	// The context can still be used.
	if st, err := c.NewSolver().Check(context.Background()); st != Sat {
		t.Errorf("afterwards: %v, %v", st, err)
	}
}

func mustBig(t *testing.T, decimal string) *big.Int {
	t.Helper()
	b, ok := new(big.Int).SetString(decimal, 10)
	if !ok {
		t.Fatalf("bad number %s", decimal)
	}
	return b
}
