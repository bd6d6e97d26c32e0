package logic

import (
	"math"
	"math/big"
	"runtime"
	"testing"
)

// edgeValues are integers around the places where representations change.
func edgeValues() []*big.Int {
	var out []*big.Int
	for _, k := range []int64{0, 1, 2, 3, 7, 1 << 31, 1 << 32, math.MaxInt64} {
		for d := int64(-2); d <= 2; d++ {
			v := new(big.Int).Add(big.NewInt(k), big.NewInt(d))
			out = append(out, v, new(big.Int).Neg(v), new(big.Int).Lsh(v, 64))
		}
	}
	return out
}

func TestValueAgreesWithBig(t *testing.T) {
	for _, a := range edgeValues() {
		for _, b := range edgeValues() {
			v, w := BigValue(a), BigValue(b)
			check := func(op string, got Value, want *big.Int) {
				if got != BigValue(want) || got.Big().Cmp(want) != 0 {
					t.Errorf("%s %s %s = %s, want %s", a, op, b, got, want)
				}
			}
			check("+", v.Add(w), new(big.Int).Add(a, b))
			check("-", v.Sub(w), new(big.Int).Sub(a, b))
			check("*", v.Mul(w), new(big.Int).Mul(a, b))
			if b.Sign() != 0 {
				q, r := v.DivMod(w)
				check("div", q, new(big.Int).Div(a, b))
				check("mod", r, new(big.Int).Mod(a, b))
			}
			if v.Cmp(w) != a.Cmp(b) {
				t.Errorf("%s compared with %s is %d", a, b, v.Cmp(w))
			}
		}
	}
}

func TestValueForms(t *testing.T) {
	for _, a := range edgeValues() {
		v := BigValue(a)
		if got, ok := ParseValue(a.String()); !ok || got != v {
			t.Errorf("%s is read as %s", a, got)
		}
		if k, ok := v.Int64(); ok != a.IsInt64() || ok && k != a.Int64() {
			t.Errorf("%s as int64: %d, %t", a, k, ok)
		}
		if v.Sign() != a.Sign() || v.Bool() != (a.Sign() != 0) || v.String() != a.String() {
			t.Errorf("%s: sign %d, truth %t, text %s", a, v.Sign(), v.Bool(), v)
		}
		if v.Neg() != BigValue(new(big.Int).Neg(a)) {
			t.Errorf("-(%s) = %s", a, v.Neg())
		}
	}
	if _, ok := ParseValue("1x"); ok {
		t.Error("1x is read as a number")
	}
	if BoolValue(true) != IntValue(1) || BoolValue(false) != IntValue(0) {
		t.Error("truth values are not 1 and 0")
	}
}

// TestValuesAreKeys verifies that equal integers are equal keys and one that differs
// is another, whatever the garbage collector does in between.
func TestValuesAreKeys(t *testing.T) {
	for range 2 {
		m := map[Value]string{}
		for _, a := range edgeValues() {
			m[BigValue(a)] = a.String()
		}
		runtime.GC()
		runtime.GC()
		distinct := map[string]bool{}
		for _, a := range edgeValues() {
			distinct[a.String()] = true
			sum := BigValue(new(big.Int).Sub(a, big.NewInt(5))).Add(IntValue(5))
			if m[sum] != a.String() {
				t.Errorf("%s is found as %q", a, m[sum])
			}
		}
		if len(m) != len(distinct) {
			t.Errorf("%d keys for %d integers", len(m), len(distinct))
		}
	}
	s := NewStore()
	for _, a := range edgeValues() {
		for _, b := range edgeValues() {
			if (s.Value(BigValue(a)) == s.Value(BigValue(b))) != (a.Cmp(b) == 0) {
				t.Errorf("the terms %s and %s", a, b)
			}
		}
	}
}
