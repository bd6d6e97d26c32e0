package logic

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// parseTest reads a term over x, y, z (Int) and p, q (Bool).
func parseTest(t *testing.T, s *Store, text string) *Term {
	t.Helper()
	term, err := s.Parse(text, sortOfTestVar)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return term
}

// testStore has the variables in a fixed order, so that printed terms are too.
func testStore() *Store {
	s := NewStore()
	for _, n := range intNames {
		s.Var(n, Int)
	}
	for _, n := range boolNames {
		s.Var(n, Bool)
	}
	return s
}

func TestSimplification(t *testing.T) {
	s := testStore()
	tests := []struct{ in, want string }{
		{"(and)", "true"},
		{"(or)", "false"},
		{"(and p true q)", "(and p q)"},
		{"(and p (and q p))", "(and p q)"},
		{"(and p false)", "false"},
		{"(and p (not p))", "false"},
		{"(or p (not p))", "true"},
		{"(and (<= x 3) (< 3 x))", "false"},
		{"(not (not p))", "p"},
		{"(not (and p (= x 1)))", "(or (not p) (not (= x 1)))"},
		{"(not (<= x 3))", "(<= (* (- 1) x) (- 4))"},
		{"(=> p p)", "true"},
		{"(ite p q q)", "q"},
		{"(ite p true q)", "(or p q)"},
		{"(ite p q false)", "(and p q)"},
		{"(ite p false q)", "(and q (not p))"},
		{"(ite (not p) x y)", "(ite p y x)"},
		{"(ite p (ite p x y) y)", "(ite p x y)"},
		{"(ite p x (ite p y x))", "x"},
		{"(= p true)", "p"},
		{"(= p false)", "(not p)"},
		{"(= q p)", "(= p q)"},
		{"(= p (not p))", "false"},
		{"(+)", ""},
		{"(+ 1 x 2 y (- x))", "(+ y 3)"},
		{"(- x x)", "0"},
		{"(* 2 (+ x 3))", "(+ (* 2 x) 6)"},
		{"(* y x 3)", "(* 3 (* x y))"},
		{"(* 0 x)", "0"},
		{"(<= (* 2 x) 5)", "(<= x 2)"},
		{"(<= (* (- 2) x) 5)", "(<= (* (- 1) x) 2)"},
		{"(< x y)", "(<= (+ x (* (- 1) y)) (- 1))"},
		{"(> x x)", "false"},
		{"(= (* 2 x) 5)", "false"},
		{"(= (* (- 2) x) 4)", "(= x (- 2))"},
		{"(= y x)", "(= (+ x (* (- 1) y)) 0)"},
		{"(not (= (ite p 1 0) 0))", "p"},
		{"(<= (* 2 (ite p 1 0)) 1)", "(not p)"},
		{"(= (+ (ite p 3 (ite q 4 5)) 1) 5)", "(and q (not p))"},
		{"(div x 1)", "x"},
		{"(div x 0)", "0"},
		{"(div (- 7) 2)", "(- 4)"},
		{"(mod x 1)", "0"},
		{"(mod x 0)", "0"},
		{"(mod (- 7) 2)", "1"},
		{"(mod (mod x 8) 8)", "(mod x 8)"},
		{"(bitand x 255)", "(mod x 256)"},
		{"(bitand 6 3)", "2"},
		{"(bitand x (- 1))", "x"},
		{"(bitor 0 x)", "x"},
		{"(bitxor x (- 1))", "(+ (* (- 1) x) (- 1))"},
		{"(bitor 3 x)", "(bitor x 3)"},
		{"(shl x 3)", "(* 8 x)"},
		{"(shr x 3)", "(div x 8)"},
		{"(shl x 200)", "0"},
		{"(shr x (- 1))", "0"},
	}
	for _, tt := range tests {
		if tt.want == "" { // not accepted
			if _, err := s.Parse(tt.in, sortOfTestVar); err == nil {
				t.Errorf("%s was accepted", tt.in)
			}
			continue
		}
		if got := parseTest(t, s, tt.in).String(); got != tt.want {
			t.Errorf("%s = %s, want %s", tt.in, got, tt.want)
		}
	}
	if s.Add() != s.Int(0) {
		t.Error("the empty sum is not 0")
	}
}

func TestTruncatedDivisionIsGos(t *testing.T) {
	s := NewStore()
	for a := int64(-7); a <= 7; a++ {
		for _, b := range []int64{-3, -1, 1, 2, 7} {
			if got, want := s.TruncDiv(s.Int(a), s.Int(b)), s.Int(a/b); got != want {
				t.Errorf("%d / %d = %s, want %s", a, b, got, want)
			}
			if got, want := s.TruncMod(s.Int(a), s.Int(b)), s.Int(a%b); got != want {
				t.Errorf("%d %% %d = %s, want %s", a, b, got, want)
			}
		}
	}
}

func TestSubstIsSimultaneous(t *testing.T) {
	s := testStore()
	x, y := s.Var("x", Int), s.Var("y", Int)
	swap := map[*Term]*Term{x: y, y: x}
	tests := []struct{ in, want string }{
		{"(+ x (* 2 y))", "(+ (* 2 x) y)"},
		{"(<= x y)", "(<= y x)"},
		{"(ite (= x 3) y z)", "(ite (= y 3) x z)"},
		{"z", "z"},
		{"(and p q)", "(and p q)"},
	}
	for _, tt := range tests {
		if got, want := s.Subst(parseTest(t, s, tt.in), swap), parseTest(t, s, tt.want); got != want {
			t.Errorf("%s: %s, want %s", tt.in, got, want)
		}
	}
	if got := s.Subst(x, nil); got != x {
		t.Errorf("empty substitution: %s", got)
	}
}

func TestParseErrors(t *testing.T) {
	s := testStore()
	tests := []struct{ in, want string }{
		{"", "unexpected end"},
		{"(", "unexpected end"},
		{"(and p", "unexpected end"},
		{")", `unexpected ')'`},
		{"w", `unknown variable "w"`},
		{"|x", "without its partner"},
		{"12a", `bad number "12a"`},
		{"-5", `unknown variable "-5"`},
		{"(foo x)", `unknown operator "foo"`},
		{"(|and| p q)", `unknown operator "and"`},
		{"(p)", `unknown operator "p"`},
		{"(and p x)", `operands of "and" do not fit`},
		{"(not p q)", `operands of "not" do not fit`},
		{"(= p x)", `operands of "=" do not fit`},
		{"(= x y z)", `operands of "=" do not fit`},
		{"(ite x y z)", `operands of "ite" do not fit`},
		{"(ite p x q)", `operands of "ite" do not fit`},
		{"(+ p 1)", `operands of "+" do not fit`},
		{"(div x)", `operands of "div" do not fit`},
		{"(< p q)", `operands of "<" do not fit`},
		{"x y", "byte 2: text after the expression"},
		{strings.Repeat("(not ", 20_000) + "p" + strings.Repeat(")", 20_000), "nested too deeply"},
	}
	for _, tt := range tests {
		_, err := s.Parse(tt.in, sortOfTestVar)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40s: error %v, want %q", tt.in, err, tt.want)
		}
	}
}

func TestOddNamesAreQuoted(t *testing.T) {
	s := NewStore()
	tests := []struct{ name, want string }{
		{"x", "x"},
		{"a[0].f", "|a[0].f|"},
		{"main::x", "|main::x|"},
		{"0x", "|0x|"},
		{"and", "|and|"},
		{"true", "|true|"},
		{"x!1", "x!1"},
		{"x y", "|x y|"},
	}
	for _, tt := range tests {
		v := s.Var(tt.name, Int)
		if got := v.SMTLIB(); got != tt.want {
			t.Errorf("%s is written %s, want %s", tt.name, got, tt.want)
		}
		got, err := s.Parse(tt.want, func(n string) (Sort, bool) { return Int, n == tt.name })
		if err != nil || got != v {
			t.Errorf("%s is read as %v, error %v", tt.want, got, err)
		}
	}
}

func TestWalks(t *testing.T) {
	s := testStore()
	term := parseTest(t, s, "(and p (or (= x 1) (not (= (ite (<= y 2) x z) 4))) (= p q))")
	names := func(ts []*Term) string {
		out := make([]string, len(ts))
		for i, x := range ts {
			out[i] = x.String()
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	tests := []struct{ what, got, want string }{
		{"FreeVars", names(FreeVars(term)), "p q x y z"},
		{"Atoms", names(Atoms(term)), "(<= y 2) (= (ite (<= y 2) x z) 4) (= x 1) p q"},
		{"Conjuncts", fmt.Sprint(len(Conjuncts(term)), len(Conjuncts(s.True())), len(Conjuncts(s.False()))), "3 0 1"},
		{"Disjuncts", fmt.Sprint(len(Disjuncts(s.Not(term))), len(Disjuncts(s.True())), len(Disjuncts(s.False()))), "3 1 0"},
		{"Size", fmt.Sprint(Size(parseTest(t, s, "(+ (* x y) (div (* x y) z))"))), "6"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, tt.got, tt.want)
		}
	}
}

func TestMapReplacesBottomUp(t *testing.T) {
	s := testStore()
	double := func(t *Term) *Term {
		if v, ok := t.Const(); ok {
			return s.Value(v.Add(v))
		}
		return t
	}
	if got := s.Map(parseTest(t, s, "(+ x (div y 3) 1)"), double); got != parseTest(t, s, "(+ x (div y 6) 2)") {
		t.Errorf("got %s", got)
	}
}

func TestVars(t *testing.T) {
	s := NewStore()
	if x := s.Var("x", Int); x != s.Var("x", Int) {
		t.Error("a variable is not itself")
	}
	s.Var("t!1", Int)
	a, b := s.FreshVar("t", Int), s.FreshVar("t", Bool)
	if a == b || a.Name() == "t!1" || b.Sort() != Bool || !strings.HasPrefix(a.Name(), "t!") {
		t.Errorf("fresh variables %s and %s", a, b)
	}
	defer func() {
		if recover() == nil {
			t.Error("a variable may have two sorts")
		}
	}()
	s.Var("x", Bool)
}

func TestStoreIsSafeForGoroutines(t *testing.T) {
	s := NewStore()
	var wg sync.WaitGroup
	got := make([]*Term, 8)
	for i := range got {
		wg.Go(func() {
			for k := range int64(200) {
				v := s.Var(fmt.Sprint("v", k), Int)
				got[i] = s.And(s.Le(v, s.Int(k)), s.Ne(s.Mul(v, v), s.Int(k)))
				s.FreshVar("f", Int)
			}
		})
	}
	wg.Wait()
	for _, g := range got[1:] {
		if g != got[0] {
			t.Error("the same term has two addresses")
		}
	}
}
