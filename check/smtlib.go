package check

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"comus/logic"
)

// writeSMTLIB writes a script of SMT-LIB 2 that asks whether formulas hold together. Terms
// that occur more than once are defined once. Bitwise operators are computed by bit-vectors
// of the width operandBits+1; operands must fit, as [prover.guard] makes sure.
func writeSMTLIB(w io.Writer, formulas []*logic.Term) error {
	s := &script{w: w, uses: map[*logic.Term]int{}, logic: "QF_LIA"}
	for _, f := range formulas {
		s.collect(f)
	}
	slices.SortFunc(s.terms, func(a, b *logic.Term) int { return int(int64(a.ID()) - int64(b.ID())) })
	s.printf("(set-logic %s)\n", s.logic)
	for _, t := range s.terms { // operands are older than what they are operands of
		switch {
		case t.IsVar():
			s.printf("(declare-const v%d %s)\n", t.ID(), t.Sort())
		case s.named(t):
			s.printf("(define-fun t%d () %s %s)\n", t.ID(), t.Sort(), s.apply(t))
		}
	}
	for _, f := range formulas {
		s.printf("(assert %s)\n", s.text(f))
	}
	s.printf("(check-sat)\n")
	return s.err
}

type script struct {
	w     io.Writer
	err   error
	uses  map[*logic.Term]int
	terms []*logic.Term
	logic string
}

func (s *script) printf(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}

// collect counts the uses of a term and of those in it, and finds out which logic they need.
func (s *script) collect(t *logic.Term) {
	s.uses[t]++
	if s.uses[t] > 1 {
		return
	}
	s.terms = append(s.terms, t)
	for _, a := range t.Args() {
		s.collect(a)
	}
	switch t.Op() {
	case logic.OpMul:
		if _, ok := t.Args()[0].Const(); ok && len(t.Args()) == 2 {
			return
		}
		s.logic = "ALL"
	case logic.OpDiv, logic.OpMod:
		s.logic = "ALL"
	case logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor, logic.OpShl, logic.OpShr:
		s.logic = "ALL"
		for _, a := range t.Args() {
			s.uses[a]++ // their text occurs more than once
		}
	}
}

// named reports whether a term is defined by itself.
func (s *script) named(t *logic.Term) bool { return len(t.Args()) > 0 && s.uses[t] > 1 }

// text returns a term where it is used.
func (s *script) text(t *logic.Term) string {
	if s.named(t) {
		return fmt.Sprintf("t%d", t.ID())
	}
	return s.apply(t)
}

// apply returns a term with its operator.
func (s *script) apply(t *logic.Term) string {
	args := make([]string, len(t.Args()))
	for i, a := range t.Args() {
		args[i] = s.text(a)
	}
	switch t.Op() {
	case logic.OpTrue, logic.OpFalse:
		return t.Op().String()
	case logic.OpInt:
		v, _ := t.Const()
		return number(v.Big())
	case logic.OpVar:
		return fmt.Sprintf("v%d", t.ID())
	case logic.OpDiv, logic.OpMod:
		q := "(" + t.Op().String() + " " + args[0] + " " + args[1] + ")"
		if _, constant := t.Args()[1].Const(); constant {
			return q
		}
		return "(ite (= " + args[1] + " 0) 0 " + q + ")"
	case logic.OpShl, logic.OpShr:
		return shift(t.Op(), args[0], args[1])
	case logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor:
		return bits(t.Op(), args[0], args[1])
	}
	return "(" + t.Op().String() + " " + strings.Join(args, " ") + ")"
}

func number(b *big.Int) string {
	if b.Sign() < 0 {
		return "(- " + new(big.Int).Neg(b).String() + ")"
	}
	return b.String()
}

// shift spells out the distances that package logic computes.
func shift(op logic.Op, a, b string) string {
	const largest = 128
	var text strings.Builder
	for k := range largest + 1 {
		power := new(big.Int).Lsh(big.NewInt(1), uint(k))
		sym := "*"
		if op == logic.OpShr {
			sym = "div"
		}
		fmt.Fprintf(&text, "(ite (= %s %d) (%s %s %s) ", b, k, sym, a, power)
	}
	return text.String() + "0" + strings.Repeat(")", largest+1)
}

// bits computes a bitwise operator in two's complement.
func bits(op logic.Op, a, b string) string {
	const width = operandBits + 1
	name := map[logic.Op]string{logic.OpBitAnd: "bvand", logic.OpBitOr: "bvor", logic.OpBitXor: "bvxor"}[op]
	r := fmt.Sprintf("(%s ((_ int2bv %d) %s) ((_ int2bv %d) %s))", name, width, a, width, b)
	return fmt.Sprintf("(let ((r %s)) (ite (= ((_ extract %d %d) r) #b1) (- (bv2nat r) %s) (bv2nat r)))",
		r, width-1, width-1, new(big.Int).Lsh(big.NewInt(1), width))
}
