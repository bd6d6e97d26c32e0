package z3

import (
	"context"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
)

func TestArithmeticMeaning(t *testing.T) {
	c := newTestContext(t)
	tests := []struct {
		name string
		term Term
		want int64
	}{
		{"add", c.Add(c.Int(2), c.Int(3), c.Int(4)), 9},
		{"sub", c.Sub(c.Int(2), c.Int(3), c.Int(4)), -5},
		{"mul", c.Mul(c.Int(2), c.Int(3), c.Int(4)), 24},
		{"neg", c.Neg(c.Int(7)), -7},
		{"div", c.Div(c.Int(-7), c.Int(2)), -4},
		{"div by negative", c.Div(c.Int(-7), c.Int(-2)), 4},
		{"mod", c.Mod(c.Int(-7), c.Int(2)), 1},
		{"mod by negative", c.Mod(c.Int(-7), c.Int(-2)), 1},
		{"rem", c.Rem(c.Int(-7), c.Int(2)), 1},
		{"rem by negative", c.Rem(c.Int(7), c.Int(-2)), -1},
		{"ite", c.Ite(c.Lt(c.Int(1), c.Int(2)), c.Int(10), c.Int(20)), 10},
		{"min int64", c.Int(math.MinInt64), math.MinInt64},
		{"decimal", c.IntString("-0012"), -12},
		{"bv2int unsigned", c.BV2Int(c.BV(-1, 8), false), 255},
		{"bv2int signed", c.BV2Int(c.BV(-1, 8), true), -1},
		{"select", c.Select(c.Store(c.ConstArray(c.IntSort(), c.Int(3)), c.Int(1), c.Int(4)), c.Int(1)), 4},
		{"select default", c.Select(c.Store(c.ConstArray(c.IntSort(), c.Int(3)), c.Int(1), c.Int(4)), c.Int(2)), 3},
	}
	for _, test := range tests {
		if got, ok := c.Simplify(test.term, nil).Int64(); !ok || got != test.want {
			t.Errorf("%s: %v is %d (%t), want %d", test.name, test.term, got, ok, test.want)
		}
	}
}

func TestBitVectorMeaning(t *testing.T) {
	c := newTestContext(t)
	a, b := c.BV(-7, 8), c.BV(2, 8)
	tests := []struct {
		name string
		term Term
		want int64 // unsigned
	}{
		{"add", c.BVAdd(a, b), 251},
		{"sub", c.BVSub(b, a), 9},
		{"mul", c.BVMul(a, b), 242},
		{"udiv", c.BVUDiv(a, b), 124},
		{"sdiv", c.BVSDiv(a, b), 253},
		{"urem", c.BVURem(a, b), 1},
		{"srem", c.BVSRem(a, b), 255},
		{"smod", c.BVSMod(a, b), 1},
		{"and", c.BVAnd(a, b), 0},
		{"or", c.BVOr(a, b), 251},
		{"xor", c.BVXor(a, a), 0},
		{"not", c.BVNot(b), 253},
		{"neg", c.BVNeg(b), 254},
		{"shl", c.BVShl(a, b), 228},
		{"lshr", c.BVLShr(a, b), 62},
		{"ashr", c.BVAShr(a, b), 254},
		{"concat", c.Concat(c.BV(1, 4), c.BV(2, 4)), 18},
		{"extract", c.Extract(7, 4, a), 15},
		{"zero ext", c.ZeroExt(8, a), 249},
		{"sign ext", c.SignExt(8, a), 65529},
		{"int2bv", c.Int2BV(8, c.Int(-7)), 249},
		{"uint", c.BVUint(511, 8), 255},
	}
	for _, test := range tests {
		if got, ok := c.Simplify(test.term, nil).Int64(); !ok || got != test.want {
			t.Errorf("%s: %v is %d (%t), want %d", test.name, test.term, got, ok, test.want)
		}
	}
	for name, f := range map[string]Term{
		"ult": c.BVULt(b, a), "ule": c.BVULe(b, a), "ugt": c.BVUGt(a, b), "uge": c.BVUGe(a, b),
		"slt": c.BVSLt(a, b), "sle": c.BVSLe(a, b), "sgt": c.BVSGt(b, a), "sge": c.BVSGe(b, a),
	} {
		if !c.Simplify(f, nil).IsTrue() {
			t.Errorf("%s: %v is not true", name, f)
		}
	}
}

func TestBigNumerals(t *testing.T) {
	c := newTestContext(t)
	big1, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	got, ok := c.BigInt(big1).BigInt()
	if !ok || got.Cmp(big1) != 0 {
		t.Errorf("BigInt gave %v, %t", got, ok)
	}
	if !c.IntString(big1.String()).Equal(c.BigInt(big1)) {
		t.Error("IntString and BigInt differ")
	}
	ones := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 100), big.NewInt(1))
	got, ok = c.BV(-1, 100).BigInt()
	if !ok || got.Cmp(ones) != 0 {
		t.Errorf("BV(-1, 100) gave %v, %t", got, ok)
	}
	if _, ok := c.Const("x", c.IntSort()).BigInt(); ok {
		t.Error("a constant has a numeral value")
	}
}

func TestOps(t *testing.T) {
	c := newTestContext(t)
	p, q := c.Const("p", c.BoolSort()), c.Const("q", c.BoolSort())
	x, y := c.Const("x", c.IntSort()), c.Const("y", c.IntSort())
	v, w := c.Const("v", c.BVSort(8)), c.Const("w", c.BVSort(8))
	a := c.Const("a", c.ArraySort(c.IntSort(), c.IntSort()))
	f := c.FuncDecl("f", []Sort{c.IntSort()}, c.IntSort())
	tests := []struct {
		term Term
		op   DeclKind
		args int
	}{
		{c.True(), OpTrue, 0}, {c.False(), OpFalse, 0}, {c.Not(p), OpNot, 1},
		{c.And(p, q), OpAnd, 2}, {c.Or(p, q, p), OpOr, 3}, {c.Implies(p, q), OpImplies, 2},
		{c.Iff(p, q), OpEq, 2}, {c.Xor(p, q), OpXor, 2}, {c.Eq(x, y), OpEq, 2},
		{c.Distinct(x, y), OpDistinct, 2}, {c.Ite(p, x, y), OpIte, 3},
		{c.Add(x, y), OpAdd, 2}, {c.Sub(x, y), OpSub, 2}, {c.Mul(x, y), OpMul, 2},
		{c.Neg(x), OpNeg, 1}, {c.Div(x, y), OpDiv, 2}, {c.Mod(x, y), OpMod, 2},
		{c.Rem(x, y), OpRem, 2}, {c.Le(x, y), OpLe, 2}, {c.Lt(x, y), OpLt, 2},
		{c.Ge(x, y), OpGe, 2}, {c.Gt(x, y), OpGt, 2}, {c.Int(3), OpNumeral, 0},
		{c.Select(a, x), OpSelect, 2}, {c.Store(a, x, y), OpStore, 3},
		{c.ConstArray(c.IntSort(), x), OpConstArray, 1}, {x, OpUninterpreted, 0},
		{f.Apply(x), OpUninterpreted, 1}, {c.BV(3, 8), OpBVNumeral, 0},
		{c.BVAdd(v, w), OpBVAdd, 2}, {c.BVSub(v, w), OpBVSub, 2}, {c.BVMul(v, w), OpBVMul, 2},
		{c.BVUDiv(v, w), OpBVUDiv, 2}, {c.BVSDiv(v, w), OpBVSDiv, 2},
		{c.BVURem(v, w), OpBVURem, 2}, {c.BVSRem(v, w), OpBVSRem, 2}, {c.BVSMod(v, w), OpBVSMod, 2},
		{c.BVULt(v, w), OpBVULt, 2}, {c.BVULe(v, w), OpBVULe, 2}, {c.BVUGt(v, w), OpBVUGt, 2},
		{c.BVUGe(v, w), OpBVUGe, 2}, {c.BVSLt(v, w), OpBVSLt, 2}, {c.BVSLe(v, w), OpBVSLe, 2},
		{c.BVSGt(v, w), OpBVSGt, 2}, {c.BVSGe(v, w), OpBVSGe, 2}, {c.BVAnd(v, w), OpBVAnd, 2},
		{c.BVOr(v, w), OpBVOr, 2}, {c.BVXor(v, w), OpBVXor, 2}, {c.BVNot(v), OpBVNot, 1},
		{c.BVNeg(v), OpBVNeg, 1}, {c.BVShl(v, w), OpBVShl, 2}, {c.BVLShr(v, w), OpBVLShr, 2},
		{c.BVAShr(v, w), OpBVAShr, 2}, {c.Concat(v, w), OpConcat, 2}, {c.Extract(3, 0, v), OpExtract, 1},
		{c.ZeroExt(1, v), OpZeroExt, 1}, {c.SignExt(1, v), OpSignExt, 1},
		{c.Int2BV(8, x), OpInt2BV, 1}, {c.BV2Int(v, false), OpBV2Int, 1},
	}
	for _, test := range tests {
		if got := test.term.Op(); got != test.op {
			t.Errorf("%v: op %d, want %d", test.term, got, test.op)
		}
		if got := test.term.NumArgs(); got != test.args || len(test.term.Args()) != got {
			t.Errorf("%v: %d arguments, want %d", test.term, got, test.args)
		}
	}
}

func TestIllSortedTerms(t *testing.T) {
	c := newTestContext(t)
	p, x, v := c.Const("p", c.BoolSort()), c.Const("x", c.IntSort()), c.Const("v", c.BVSort(8))
	w := c.Const("w", c.BVSort(9))
	f := c.FuncDecl("f", []Sort{c.IntSort()}, c.IntSort())
	for name, build := range map[string]func() Term{
		"Not":              func() Term { return c.Not(x) },
		"And":              func() Term { return c.And(p, x) },
		"Implies":          func() Term { return c.Implies(p, x) },
		"Ite":              func() Term { return c.Ite(x, x, x) },
		"Ite branches":     func() Term { return c.Ite(p, x, v) },
		"Eq":               func() Term { return c.Eq(x, v) },
		"Distinct":         func() Term { return c.Distinct(x, v) },
		"Add":              func() Term { return c.Add(x, p) },
		"Add nothing":      func() Term { return c.Add() },
		"Lt":               func() Term { return c.Lt(p, x) },
		"Select":           func() Term { return c.Select(x, x) },
		"Store":            func() Term { return c.Store(x, x, x) },
		"BVAdd":            func() Term { return c.BVAdd(v, w) },
		"BVAdd int":        func() Term { return c.BVAdd(v, x) },
		"BVNot":            func() Term { return c.BVNot(x) },
		"Extract":          func() Term { return c.Extract(8, 0, v) },
		"Extract reversed": func() Term { return c.Extract(0, 3, v) },
		"ZeroExt":          func() Term { return c.ZeroExt(1, x) },
		"Concat":           func() Term { return c.Concat(v, x) },
		"BV2Int":           func() Term { return c.BV2Int(x, true) },
		"Int2BV":           func() Term { return c.Int2BV(8, v) },
		"BV zero":          func() Term { return c.BV(0, 0) },
		"Apply":            func() Term { return f.Apply(p) },
		"Apply arity":      func() Term { return f.Apply(x, x) },
		"Forall":           func() Term { return c.Forall([]Term{x}, x) },
		"Forall bound":     func() Term { return c.Forall([]Term{c.Add(x, x)}, p) },
		"Substitute":       func() Term { return c.Substitute(x, []Term{x}, []Term{p}) },
		"Substitute len":   func() Term { return c.Substitute(x, []Term{x}, nil) },
		"IntString":        func() Term { return c.IntString("12x") },
		"BigInt nil":       func() Term { return c.BigInt(nil) },
		"zero Term":        func() Term { return c.Add(x, Term{}) },
		"zero Sort":        func() Term { return c.Const("x", Sort{}) },
		"Arg":              func() Term { return c.Add(x, x).Arg(2) },
	} {
		term := build()
		if err := c.ResetErr(); err == nil || term.IsValid() {
			t.Errorf("%s: no error, result %v", name, term)
		}
	}
	if c.Add(x, x).String() != "(+ x x)" {
		t.Error("context not usable after errors")
	}
}

func TestFirstErrorIsKept(t *testing.T) {
	c := newTestContext(t)
	x := c.Const("x", c.IntSort())
	bad := c.Not(x)
	c.Add(bad, x)
	s := c.NewSolver()
	s.Assert(bad)
	got, err := s.Check(context.Background())
	var zerr *Error
	if got != Unknown || !errors.As(err, &zerr) || zerr.Op != "Not" {
		t.Errorf("Check gave %v, %v; want the error of Not", got, err)
	}
	if c.ResetErr() != err || c.Err() != nil {
		t.Error("ResetErr does not reset")
	}
}

func TestForeignOperands(t *testing.T) {
	c, d := newTestContext(t), newTestContext(t)
	c.Add(c.Int(1), d.Int(2))
	if err := c.ResetErr(); !errors.Is(err, ErrInvalidOperand) {
		t.Errorf("error is %v", err)
	}
	if c.Int(1).Equal(d.Int(1)) {
		t.Error("terms of different contexts are equal")
	}
}

func TestInspection(t *testing.T) {
	c := newTestContext(t)
	x, y := c.Const("x", c.IntSort()), c.Const("y", c.IntSort())
	if !x.IsConst() || x.DeclName() != "x" || c.Int(1).IsConst() {
		t.Error("IsConst or DeclName is wrong")
	}
	if fresh := c.FreshConst("x", c.IntSort()); fresh.Equal(x) || !strings.HasPrefix(fresh.DeclName(), "x") {
		t.Errorf("fresh constant %v", fresh)
	}
	sum := c.Add(x, y)
	if again := c.Add(x, y); !sum.Equal(again) || sum.ID() != again.ID() || sum.Hash() != again.Hash() {
		t.Error("equal terms differ")
	}
	if sum.Equal(c.Add(y, x)) || sum.ID() == x.ID() {
		t.Error("different terms are equal")
	}
	if (Term{}).IsValid() || (Term{}).Kind() != KindInvalid || (Term{}).Op() != OpInvalid || (Term{}).Context() != nil {
		t.Error("the zero Term is not invalid")
	}
	all := c.Forall([]Term{x, y}, c.Lt(x, y))
	if !all.IsForall() || all.IsExists() || all.Kind() != KindQuantifier || len(all.Bound()) != 2 {
		t.Errorf("%v is not a universal quantifier over two variables", all)
	}
	if i, ok := all.Body().Arg(0).VarIndex(); !ok || i != 1 {
		t.Errorf("variable x has index %d (%t), want 1", i, ok)
	}
	if got := c.SubstituteVars(all.Body(), []Term{c.Int(0), c.Int(1)}).String(); got != "(< 1 0)" {
		t.Errorf("SubstituteVars gave %s", got)
	}
	if got := c.Substitute(sum, []Term{x, y}, []Term{y, x}).String(); got != "(+ y x)" {
		t.Errorf("Substitute gave %s", got)
	}
	if !c.Exists([]Term{x}, c.Lt(x, y)).IsExists() || !c.Exists(nil, all).Equal(all) {
		t.Error("Exists is wrong")
	}
}

func TestSortsAndDecls(t *testing.T) {
	c := newTestContext(t)
	u := c.UninterpretedSort("U")
	arr := c.ArraySort(c.IntSort(), c.BVSort(8))
	f := c.FuncDecl("f", []Sort{u, arr}, c.BoolSort())
	if f.Name() != "f" || f.Arity() != 2 || !f.Domain(1).Equal(arr) || !f.Range().Equal(c.BoolSort()) {
		t.Errorf("wrong declaration %v", f)
	}
	if !arr.Domain().Equal(c.IntSort()) || arr.Range().Bits() != 8 || arr.String() != "(Array Int (_ BitVec 8))" {
		t.Errorf("wrong array sort %v", arr)
	}
	for kind, sort := range map[SortKind]Sort{
		SortBool: c.BoolSort(), SortInt: c.IntSort(), SortBV: c.BVSort(3), SortArray: arr,
		SortUninterpreted: u, SortInvalid: {},
	} {
		if got := sort.Kind(); got != kind {
			t.Errorf("%v has kind %d, want %d", sort, got, kind)
		}
	}
	app := f.Apply(c.Const("k", u), c.Const("m", arr))
	if !app.Decl().Equal(f) || app.Decl().ID() != f.ID() || !app.Sort().Equal(c.BoolSort()) {
		t.Errorf("wrong application %v", app)
	}
	if c.FreshFuncDecl("f", nil, u).Equal(c.FreshFuncDecl("f", nil, u)) {
		t.Error("fresh declarations are equal")
	}
	f.Domain(2)
	if c.ResetErr() == nil {
		t.Error("domain index out of range is no error")
	}
}

func TestParse(t *testing.T) {
	c := newTestContext(t)
	u := c.UninterpretedSort("U")
	f := c.FuncDecl("f", []Sort{u}, c.IntSort())
	terms, err := c.ParseSMTLIB2("(declare-const a U) (assert (> (f a) 3)) (assert true)", []FuncDecl{f})
	if err != nil || len(terms) != 2 || terms[0].String() != "(> (f a) 3)" {
		t.Fatalf("parsed %v, %v", terms, err)
	}
	if _, err := c.ParseSMTLIB2("(assert (> g 3))", nil); err == nil {
		t.Error("no error for an unknown name")
	}
	var zerr *Error
	if _, err := c.ParseSMTLIB2("(assert", nil); !errors.As(err, &zerr) || zerr.Code != CodeParser {
		t.Errorf("syntax error gave %v", err)
	}
}

func TestSimplifyParams(t *testing.T) {
	c := newTestContext(t)
	x := c.Const("x", c.IntSort())
	if got := c.Simplify(c.Add(x, c.Int(1), c.Int(2)), NewParams().SetBool("arith_lhs", true)).String(); got != "(+ 3 x)" {
		t.Errorf("simplified to %s", got)
	}
}

func TestSharedTermPrintsSmall(t *testing.T) {
	c := newTestContext(t)
	x := c.Const("x", c.IntSort())
	for range 60 {
		x = c.Add(x, x)
	}
	if n := len(x.String()); n > 10000 {
		t.Errorf("a term of 60 nodes prints as %d bytes", n)
	}
}
