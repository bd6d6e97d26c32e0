package cfront

import "modernc.org/cc/v4"

// Floating-point numbers are not known: what is computed with them only leads to
// other such numbers. Where one would become an integer or decide a condition, the
// program is refused.

// floatCall evaluates a call of a function with a floating-point result.
func (b *lowerer) floatCall(c call) *value {
	b.evalDropArgs(c.args)
	return &value{kind: vFloat, src: c.n}
}

// floatBinary computes an operator of which one operand is a floating-point number.
func (b *lowerer) floatBinary(n cc.Node, op string) *value {
	switch op {
	case "+", "-", "*", "/":
		return &value{kind: vFloat, src: n}
	}
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	b.fail(n, "unsupported: floating point")
	return nil
}
