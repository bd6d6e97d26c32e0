package boolgen_test

import (
	"context"
	"testing"

	"comus/boolprog"
	"comus/boolprog/cba"
	"comus/examples/boolgen"
)

// TestBluetooth finds the bug of the driver, and none in the repaired one, in models of
// several sizes, with every method.
func TestBluetooth(t *testing.T) {
	for _, size := range []boolgen.Bluetooth{{Adders: 1, Stoppers: 1, Bits: 2}, {Adders: 2, Stoppers: 1, Bits: 3}, {Adders: 1, Stoppers: 2, Bits: 2}, {Adders: 3, Stoppers: 1, Bits: 2}} {
		for _, m := range cba.Methods {
			for contexts := 1; contexts <= 2; contexts++ {
				for _, size.Unsafe = range []bool{false, true} {
					text, err := size.Program()
					if err != nil {
						t.Fatal(err)
					}
					p, err := boolprog.Parse("bluetooth.bp", text)
					if err != nil {
						t.Fatal(err)
					}
					res, err := cba.Analyze(context.Background(), p, cba.Options{Contexts: contexts, Method: m})
					if err != nil {
						t.Fatal(err)
					}
					if want := size.Unsafe && contexts == 2; res.Unsafe != want {
						t.Errorf("%+v, %v, %d contexts: unsafe %t", size, m, contexts, res.Unsafe)
					}
				}
			}
		}
	}
}

// TestCheck refuses sizes that are no model.
func TestCheck(t *testing.T) {
	for _, b := range []boolgen.Bluetooth{{Adders: 0, Bits: 2}, {Adders: 1, Stoppers: -1, Bits: 2}, {Adders: 1, Bits: 1}, {Adders: 1, Bits: 31}} {
		if _, err := b.Program(); err == nil {
			t.Errorf("%+v is accepted", b)
		}
	}
}
