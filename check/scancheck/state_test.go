package scancheck

import (
	"testing"

	"comus/cir"
)

// TestAddresses has pointers that are made of numbers: those of different numbers have different names, and only 0 has that of null.
func TestAddresses(t *testing.T) {
	s := newState(&cir.Func{})
	for v, want := range map[cir.Value]name{cir.Null{}: {}, cir.Null{Addr: 8}: {Off: 8}, cir.Int{Lo: 8}: {Off: 8}} {
		if n, ok := s.value(v); !ok || n != want {
			t.Errorf("%v: %v (%t) instead of %v", v, n, ok, want)
		}
	}
	if n, ok := s.value(cir.Null{Addr: 1<<64 - 1}); ok {
		t.Errorf("the largest address has the name %v", n)
	}
}
