package logic

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// raw is an expression as it was asked for, before any simplification. Its
// operators are the names of constructors.
type raw struct {
	op   string
	args []*raw
	val  *big.Int // "const"
	name string   // "int" and "bool" variables
}

var (
	intNames  = []string{"x", "y", "z"}
	boolNames = []string{"p", "q"}
	intOps    = []string{"add", "add", "sub", "neg", "mul", "mulc", "div", "mod", "tdiv", "tmod", "band", "bor", "bxor",
		"shl", "shr", "ite", "b2i"}
	boolOps = []string{"not", "and", "or", "implies", "iff", "bite", "eq", "ne", "le", "lt", "ge", "gt", "i2b", "bool"}
)

// genInt and genBool make random expressions of at most the given depth.
func genInt(r *rand.Rand, depth int) *raw {
	if depth == 0 || r.IntN(8) == 0 {
		if r.IntN(2) == 0 {
			return &raw{op: "int", name: intNames[r.IntN(len(intNames))]}
		}
		return genConst(r)
	}
	sub := func() *raw { return genInt(r, depth-1) }
	op := intOps[r.IntN(len(intOps))]
	switch op {
	case "add":
		args := make([]*raw, r.IntN(4))
		for i := range args {
			args[i] = sub()
		}
		return &raw{op: op, args: args}
	case "neg":
		return &raw{op: op, args: []*raw{sub()}}
	case "mulc":
		return &raw{op: "mul", args: []*raw{genConst(r), sub()}}
	case "ite":
		return &raw{op: op, args: []*raw{genBool(r, depth-1), sub(), sub()}}
	case "b2i":
		return &raw{op: op, args: []*raw{genBool(r, depth-1)}}
	case "shl": // nested distances would make huge numbers
		return &raw{op: op, args: []*raw{sub(), genConst(r)}}
	}
	return &raw{op: op, args: []*raw{sub(), sub()}}
}

func genBool(r *rand.Rand, depth int) *raw {
	if depth == 0 || r.IntN(10) == 0 {
		return &raw{op: "boolvar", name: boolNames[r.IntN(len(boolNames))]}
	}
	op := boolOps[r.IntN(len(boolOps))]
	bsub, isub := func() *raw { return genBool(r, depth-1) }, func() *raw { return genInt(r, depth-1) }
	switch op {
	case "not":
		return &raw{op: op, args: []*raw{bsub()}}
	case "and", "or":
		args := make([]*raw, r.IntN(4))
		for i := range args {
			args[i] = bsub()
		}
		return &raw{op: op, args: args}
	case "implies", "iff":
		return &raw{op: op, args: []*raw{bsub(), bsub()}}
	case "bite":
		return &raw{op: op, args: []*raw{bsub(), bsub(), bsub()}}
	case "i2b":
		return &raw{op: op, args: []*raw{isub()}}
	case "bool":
		return &raw{op: op, val: big.NewInt(r.Int64N(2))}
	}
	return &raw{op: op, args: []*raw{isub(), isub()}}
}

func genConst(r *rand.Rand) *raw {
	special := []string{"0", "1", "-1", "2", "3", "7", "255", "4294967296", "-4294967296", "9223372036854775807",
		"-9223372036854775808", "18446744073709551615"}
	if r.IntN(3) == 0 {
		v, _ := new(big.Int).SetString(special[r.IntN(len(special))], 10)
		return &raw{op: "const", val: v}
	}
	return &raw{op: "const", val: big.NewInt(r.Int64N(13) - 6)}
}

// build makes the term with the store's constructors.
func (e *raw) build(s *Store) *Term {
	a := make([]*Term, len(e.args))
	for i, x := range e.args {
		a[i] = x.build(s)
	}
	switch e.op {
	case "const":
		return s.Value(BigValue(e.val))
	case "bool":
		return s.Bool(e.val.Sign() != 0)
	case "int":
		return s.Var(e.name, Int)
	case "boolvar":
		return s.Var(e.name, Bool)
	case "add":
		return s.Add(a...)
	case "and":
		return s.And(a...)
	case "or":
		return s.Or(a...)
	case "ite", "bite":
		return s.Ite(a[0], a[1], a[2])
	}
	if f := map[string]func(*Term) *Term{"neg": s.Neg, "b2i": s.BoolToInt, "not": s.Not, "i2b": s.IntToBool}[e.op]; f != nil {
		return f(a[0])
	}
	bits := func(op Op) func(a, b *Term) *Term { return func(a, b *Term) *Term { return s.Bits(op, a, b) } }
	shifts := func(op Op) func(a, b *Term) *Term { return func(a, b *Term) *Term { return s.Shift(op, a, b) } }
	return map[string]func(a, b *Term) *Term{"sub": s.Sub, "mul": s.Mul, "div": s.Div, "mod": s.Mod, "tdiv": s.TruncDiv,
		"tmod": s.TruncMod, "band": bits(OpBitAnd), "bor": bits(OpBitOr), "bxor": bits(OpBitXor), "shl": shifts(OpShl),
		"shr": shifts(OpShr), "implies": s.Implies, "iff": s.Iff, "eq": s.Eq, "ne": s.Ne, "le": s.Le, "lt": s.Lt,
		"ge": s.Ge, "gt": s.Gt}[e.op](a[0], a[1])
}

// eval is the meaning of the expression, written without any of the package.
func (e *raw) eval(env map[string]*big.Int) *big.Int {
	a := make([]*big.Int, len(e.args))
	for i, x := range e.args {
		a[i] = x.eval(env)
	}
	truth := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	is := func(i int) bool { return a[i].Sign() != 0 }
	switch e.op {
	case "const", "bool":
		return e.val
	case "int", "boolvar":
		return env[e.name]
	case "ite", "bite":
		if is(0) {
			return a[1]
		}
		return a[2]
	case "and", "or":
		for _, x := range a {
			if (x.Sign() != 0) == (e.op == "or") {
				return truth(e.op == "or")
			}
		}
		return truth(e.op == "and")
	case "not":
		return truth(!is(0))
	case "implies":
		return truth(!is(0) || is(1))
	case "iff":
		return truth(is(0) == is(1))
	case "b2i", "i2b":
		return truth(is(0))
	case "eq", "ne", "le", "lt", "ge", "gt":
		c := a[0].Cmp(a[1])
		return truth(map[string]bool{"eq": c == 0, "ne": c != 0, "le": c <= 0, "lt": c < 0, "ge": c >= 0, "gt": c > 0}[e.op])
	}
	return evalArith(e.op, a)
}

func evalArith(op string, a []*big.Int) *big.Int {
	r := new(big.Int)
	switch op {
	case "add":
		for _, x := range a {
			r.Add(r, x)
		}
		return r
	case "sub":
		return r.Sub(a[0], a[1])
	case "neg":
		return r.Neg(a[0])
	case "mul":
		return r.Mul(a[0], a[1])
	case "band":
		return r.And(a[0], a[1])
	case "bor":
		return r.Or(a[0], a[1])
	case "bxor":
		return r.Xor(a[0], a[1])
	case "shl", "shr":
		if !a[1].IsInt64() || a[1].Sign() < 0 || a[1].Int64() > 128 {
			return r
		}
		if op == "shl" {
			return r.Lsh(a[0], uint(a[1].Int64()))
		}
		return r.Rsh(a[0], uint(a[1].Int64()))
	}
	if a[1].Sign() == 0 { // division by 0 yields 0
		return r
	}
	switch op {
	case "div":
		return r.Div(a[0], a[1])
	case "mod":
		return r.Mod(a[0], a[1])
	case "tdiv":
		return r.Quo(a[0], a[1])
	}
	return r.Rem(a[0], a[1])
}

// genEnv gives the variables random values.
func genEnv(r *rand.Rand) map[string]*big.Int {
	env := map[string]*big.Int{}
	for _, n := range intNames {
		env[n] = genConst(r).val
	}
	for _, n := range boolNames {
		env[n] = big.NewInt(r.Int64N(2))
	}
	return env
}

func valueEnv(env map[string]*big.Int) func(*Term) Value {
	return func(v *Term) Value { return BigValue(env[v.Name()]) }
}

func sortOfTestVar(name string) (Sort, bool) {
	if strings.Contains("pq", name) {
		return Bool, name != ""
	}
	return Int, strings.Contains("xyz", name)
}

// randomTerms calls f with random expressions of both sorts.
func randomTerms(seed uint64, n int, f func(r *rand.Rand, e *raw)) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		f(r, genInt(r, 1+r.IntN(4)))
		f(r, genBool(r, 1+r.IntN(5)))
	}
}

func TestSimplificationPreservesValues(t *testing.T) {
	s := NewStore()
	randomTerms(1, 10_000, func(r *rand.Rand, e *raw) {
		term := e.build(s)
		for range 4 {
			env := genEnv(r)
			got, want := Eval(term, valueEnv(env)), BigValue(e.eval(env))
			if got != want {
				t.Fatalf("%s on %v is %s, want %s", term, env, got, want)
			}
		}
	})
}

func TestConstantsFold(t *testing.T) {
	s := NewStore()
	randomTerms(2, 5_000, func(r *rand.Rand, e *raw) {
		env := genEnv(r)
		sub := map[*Term]*Term{}
		for _, n := range intNames {
			sub[s.Var(n, Int)] = s.Value(BigValue(env[n]))
		}
		for _, n := range boolNames {
			sub[s.Var(n, Bool)] = s.Bool(env[n].Sign() != 0)
		}
		got := s.Subst(e.build(s), sub)
		want := s.Value(BigValue(e.eval(env)))
		if got.Sort() == Bool {
			want = s.Bool(e.eval(env).Sign() != 0)
		}
		if got != want {
			t.Fatalf("%s with %v is %s, want %s", e.build(s), env, got, want)
		}
	})
}

func TestParseReadsWhatSMTLIBWrites(t *testing.T) {
	s := NewStore()
	randomTerms(3, 5_000, func(_ *rand.Rand, e *raw) {
		term := e.build(s)
		got, err := s.Parse(term.SMTLIB(), sortOfTestVar)
		if err != nil || got != term {
			t.Fatalf("%s is read as %v, error %v", term, got, err)
		}
	})
}

func TestSubstIsEvaluationOfTheReplacement(t *testing.T) {
	s := NewStore()
	x, y, p := s.Var("x", Int), s.Var("y", Int), s.Var("p", Bool)
	randomTerms(4, 3_000, func(r *rand.Rand, e *raw) {
		term, fx, fy, fp := e.build(s), genInt(r, 2), genInt(r, 2), genBool(r, 2)
		got := s.Subst(term, map[*Term]*Term{x: fx.build(s), y: fy.build(s), p: fp.build(s)})
		env := genEnv(r)
		inner := map[string]*big.Int{}
		for n, v := range env {
			inner[n] = v
		}
		inner["x"], inner["y"], inner["p"] = fx.eval(env), fy.eval(env), fp.eval(env)
		if got, want := Eval(got, valueEnv(env)), BigValue(e.eval(inner)); got != want {
			t.Fatalf("%s, substituted, on %v is %s, want %s", term, env, got, want)
		}
	})
}

func TestMapWithoutChangeKeepsTheTerm(t *testing.T) {
	s := NewStore()
	randomTerms(5, 2_000, func(_ *rand.Rand, e *raw) {
		term := e.build(s)
		if got := s.Map(term, func(t *Term) *Term { return t }); got != term {
			t.Fatalf("%s became %s", term, got)
		}
		if len(term.Args()) > 0 {
			if got := s.Rebuild(term, term.Args()); got != term {
				t.Fatalf("%s rebuilt is %s", term, got)
			}
		}
	})
}
