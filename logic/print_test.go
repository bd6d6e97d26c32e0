package logic

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestC(t *testing.T) {
	tests := []struct{ in, want string }{
		{"true", "1"},
		{"p", "p"},
		{"(not p)", "!p"},
		{"(not (= p q))", "!(p == q)"},
		{"(not (= x 3))", "x != 3"},
		{"(<= x 3)", "x <= 3"},
		{"(< x 3)", "x <= 2"},
		{"(>= x 3)", "x >= 3"},
		{"(> x 3)", "x >= 4"},
		{"(< x y)", "x < y"},
		{"(<= x y)", "x <= y"},
		{"(<= x (+ y 3))", "x <= y + 3"},
		{"(<= (+ x 3) y)", "x + 3 <= y"},
		{"(= x y)", "x == y"},
		{"(= (+ x 2) y)", "x + 2 == y"},
		{"(and p (or q (= x 1)))", "p && (q || x == 1)"},
		{"(or p (and q (= x 1)))", "p || q && x == 1"},
		{"(+ x (* 2 y) 5)", "x + 2 * y + 5"},
		{"(- (* 2 y) x)", "-x + 2 * y"},
		{"(- x (* 2 y) 5)", "x - 2 * y - 5"},
		{"(- 4 (* x y))", "-(x * y) + 4"},
		{"(- z (* x y))", "z - x * y"},
		{"(* 2 (* x y))", "2 * (x * y)"},
		{"(* x (+ y 1))", "x * (y + 1)"},
		{"(ite p x (+ y 1))", "p ? x : y + 1"},
		{"(+ 1 (ite p x y))", "(p ? x : y) + 1"},
		{"(ite (ite p q (= x 1)) x y)", "(q || !p) && (p || x == 1) ? x : y"},
		{"(mod (+ x 1) 256)", "(x + 1) % 256"},
		{"(div x y)", "x / y"},
		{"(bitor (bitand x y) z)", "z | x & y"},
		{"(shr (+ x 1) y)", "x + 1 >> y"},
		{"(- 5)", "-5"},
		{"(* x (- 18446744073709551616))", "-18446744073709551616 * x"},
	}
	for _, tt := range tests {
		s := testStore()
		if got := parseTest(t, s, tt.in).C(CStyle{}); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestCNames(t *testing.T) {
	s := testStore()
	style := CStyle{Name: func(v *Term) string { return "_" + v.Name() }}
	if got := parseTest(t, s, "(ite p (+ x 1) y)").C(style); got != "_p ? _x + 1 : _y" {
		t.Error(got)
	}
}

// TestCReadsBack reads printed terms with C's grammar and compares the values,
// the operators meaning what they mean in terms.
func TestCReadsBack(t *testing.T) {
	s := testStore()
	randomTerms(7, 5_000, func(r *rand.Rand, e *raw) {
		term := e.build(s)
		env := genEnv(r)
		text := term.C(CStyle{})
		reader := cReader{tokens: strings.Fields(spaceOut(text)), env: env}
		if got, want := reader.cond(), Eval(term, valueEnv(env)).Big(); got.Cmp(want) != 0 || len(reader.tokens) > 0 {
			t.Fatalf("%s\nas C: %s\non %v is %s, want %s", term, text, env, got, want)
		}
	})
}

// spaceOut puts a space around each token that has none.
func spaceOut(text string) string {
	for _, tok := range []string{"(", ")", "!"} {
		text = strings.ReplaceAll(text, tok, " "+tok+" ")
	}
	text = strings.ReplaceAll(text, "! =", "!=")
	var b strings.Builder
	for i, c := range text {
		b.WriteRune(c)
		if c == '-' && (i+1 >= len(text) || text[i+1] != ' ') {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// cReader evaluates the tokens of a C expression.
type cReader struct {
	tokens []string
	env    map[string]*big.Int
}

func (c *cReader) next() string {
	tok := c.tokens[0]
	c.tokens = c.tokens[1:]
	return tok
}

func (c *cReader) at(tok string) bool { return len(c.tokens) > 0 && c.tokens[0] == tok }

func (c *cReader) cond() *big.Int {
	v := c.level(0)
	if !c.at("?") {
		return v
	}
	c.next()
	a := c.cond()
	c.next() // ":"
	b := c.cond()
	if v.Sign() != 0 {
		return a
	}
	return b
}

// cLevels are C's binary operators from loose to tight and what they mean.
var cLevels = []map[string]string{{"||": "or"}, {"&&": "and"}, {"|": "bor"}, {"^": "bxor"}, {"&": "band"},
	{"==": "eq", "!=": "ne"}, {"<": "lt", ">": "gt", "<=": "le", ">=": "ge"}, {"<<": "shl", ">>": "shr"},
	{"+": "add", "-": "sub"}, {"*": "mul", "/": "div", "%": "mod"}}

func (c *cReader) level(n int) *big.Int {
	if n == len(cLevels) {
		return c.unary()
	}
	v := c.level(n + 1)
	for len(c.tokens) > 0 && cLevels[n][c.tokens[0]] != "" {
		op := cLevels[n][c.next()]
		v = apply(op, v, c.level(n+1))
	}
	return v
}

func apply(op string, args ...*big.Int) *big.Int {
	e := &raw{op: op}
	for _, a := range args {
		e.args = append(e.args, &raw{op: "const", val: a})
	}
	return e.eval(nil)
}

func (c *cReader) unary() *big.Int {
	switch tok := c.next(); {
	case tok == "(":
		v := c.cond()
		c.next() // ")"
		return v
	case tok == "-":
		return apply("neg", c.unary())
	case tok == "!":
		return apply("not", c.unary())
	case tok[0] >= '0' && tok[0] <= '9':
		v, _ := new(big.Int).SetString(tok, 10)
		return v
	default:
		return c.env[tok]
	}
}
