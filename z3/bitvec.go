package z3

// #include "shim.h"
import "C"

import (
	"math/big"
	"runtime"
)

// BV returns the bit-vector numeral of the given width with the value modulo
// 2^bits, so that negative values are in two's complement.
func (c *Context) BV(value int64, bits uint) Term {
	return c.BVBig(big.NewInt(value), bits)
}

// BVUint returns the bit-vector numeral of the given width with the value
// modulo 2^bits.
func (c *Context) BVUint(value uint64, bits uint) Term {
	return c.BVBig(new(big.Int).SetUint64(value), bits)
}

// BVBig returns the bit-vector numeral of the given width with the value
// modulo 2^bits, so that negative values are in two's complement.
func (c *Context) BVBig(value *big.Int, bits uint) Term {
	const op = "BVBig"
	sort := c.BVSort(bits)
	if !sort.IsValid() {
		return Term{}
	}
	if value == nil {
		c.invalidOperand(op, "nil *big.Int")
		return Term{}
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), bits)
	residue := new(big.Int).Mod(value, modulus)
	if !residue.IsUint64() {
		return c.numeral(op, residue, sort.n)
	}
	n := c.node(op, C.comus_mk_uint64(c.c, C.uint64_t(residue.Uint64()), sort.n.ast))
	runtime.KeepAlive(sort.n)
	return Term{n: n}
}

// BVAdd returns a + b modulo the width.
func (c *Context) BVAdd(a, b Term) Term { return c.binary("BVAdd", C.COMUS_BVADD, a, b) }

// BVSub returns a - b modulo the width.
func (c *Context) BVSub(a, b Term) Term { return c.binary("BVSub", C.COMUS_BVSUB, a, b) }

// BVMul returns a * b modulo the width.
func (c *Context) BVMul(a, b Term) Term { return c.binary("BVMul", C.COMUS_BVMUL, a, b) }

// BVUDiv returns the unsigned quotient, which is all ones if b is zero.
func (c *Context) BVUDiv(a, b Term) Term { return c.binary("BVUDiv", C.COMUS_BVUDIV, a, b) }

// BVSDiv returns the signed quotient truncated towards zero, as in C. If b is
// zero it is 1 for negative a and -1 otherwise.
func (c *Context) BVSDiv(a, b Term) Term { return c.binary("BVSDiv", C.COMUS_BVSDIV, a, b) }

// BVURem returns the unsigned remainder, which is a if b is zero.
func (c *Context) BVURem(a, b Term) Term { return c.binary("BVURem", C.COMUS_BVUREM, a, b) }

// BVSRem returns the signed remainder with the sign of a, as in C. If b is zero
// it is a.
func (c *Context) BVSRem(a, b Term) Term { return c.binary("BVSRem", C.COMUS_BVSREM, a, b) }

// BVSMod returns the signed remainder with the sign of b. If b is zero it is a.
func (c *Context) BVSMod(a, b Term) Term { return c.binary("BVSMod", C.COMUS_BVSMOD, a, b) }

// BVAnd returns the bitwise conjunction.
func (c *Context) BVAnd(a, b Term) Term { return c.binary("BVAnd", C.COMUS_BVAND, a, b) }

// BVOr returns the bitwise disjunction.
func (c *Context) BVOr(a, b Term) Term { return c.binary("BVOr", C.COMUS_BVOR, a, b) }

// BVXor returns the bitwise exclusive disjunction.
func (c *Context) BVXor(a, b Term) Term { return c.binary("BVXor", C.COMUS_BVXOR, a, b) }

// BVNot returns the bitwise complement.
func (c *Context) BVNot(a Term) Term { return c.unary("BVNot", C.COMUS_BVNOT, a) }

// BVNeg returns the negation in two's complement.
func (c *Context) BVNeg(a Term) Term { return c.unary("BVNeg", C.COMUS_BVNEG, a) }

// BVShl returns a shifted left by b bits; shifts by the width or more give
// zero.
func (c *Context) BVShl(a, b Term) Term { return c.binary("BVShl", C.COMUS_BVSHL, a, b) }

// BVLShr returns a shifted right by b bits, filling with zeros.
func (c *Context) BVLShr(a, b Term) Term { return c.binary("BVLShr", C.COMUS_BVLSHR, a, b) }

// BVAShr returns a shifted right by b bits, filling with the sign bit.
func (c *Context) BVAShr(a, b Term) Term { return c.binary("BVAShr", C.COMUS_BVASHR, a, b) }

// BVULt returns the formula a < b on unsigned values.
func (c *Context) BVULt(a, b Term) Term { return c.binary("BVULt", C.COMUS_BVULT, a, b) }

// BVULe returns the formula a <= b on unsigned values.
func (c *Context) BVULe(a, b Term) Term { return c.binary("BVULe", C.COMUS_BVULE, a, b) }

// BVUGt returns the formula a > b on unsigned values.
func (c *Context) BVUGt(a, b Term) Term { return c.binary("BVUGt", C.COMUS_BVUGT, a, b) }

// BVUGe returns the formula a >= b on unsigned values.
func (c *Context) BVUGe(a, b Term) Term { return c.binary("BVUGe", C.COMUS_BVUGE, a, b) }

// BVSLt returns the formula a < b on signed values.
func (c *Context) BVSLt(a, b Term) Term { return c.binary("BVSLt", C.COMUS_BVSLT, a, b) }

// BVSLe returns the formula a <= b on signed values.
func (c *Context) BVSLe(a, b Term) Term { return c.binary("BVSLe", C.COMUS_BVSLE, a, b) }

// BVSGt returns the formula a > b on signed values.
func (c *Context) BVSGt(a, b Term) Term { return c.binary("BVSGt", C.COMUS_BVSGT, a, b) }

// BVSGe returns the formula a >= b on signed values.
func (c *Context) BVSGe(a, b Term) Term { return c.binary("BVSGe", C.COMUS_BVSGE, a, b) }

// Concat returns the bit-vector with high as the upper and low as the lower
// bits.
func (c *Context) Concat(high, low Term) Term { return c.binary("Concat", C.COMUS_CONCAT, high, low) }

// Extract returns the bits high down to low, both included; 0 is the least
// significant bit.
func (c *Context) Extract(high, low uint, a Term) Term {
	const op = "Extract"
	if !c.open() || !c.owns(op, a.n) {
		return Term{}
	}
	n := c.node(op, C.comus_mk_extract(c.c, C.uint(high), C.uint(low), a.n.ast))
	runtime.KeepAlive(a.n)
	return Term{n: n}
}

// indexed builds an application of an operator with one number and one term.
func (c *Context) indexed(name string, op C.int, number uint, a Term) Term {
	if !c.open() || !c.owns(name, a.n) {
		return Term{}
	}
	n := c.node(name, C.comus_mk_indexed(c.c, op, C.uint(number), a.n.ast))
	runtime.KeepAlive(a.n)
	return Term{n: n}
}

// ZeroExt returns the bit-vector extended by extra zero bits at the top.
func (c *Context) ZeroExt(extra uint, a Term) Term {
	return c.indexed("ZeroExt", C.COMUS_ZERO_EXT, extra, a)
}

// SignExt returns the bit-vector extended by extra copies of the sign bit.
func (c *Context) SignExt(extra uint, a Term) Term {
	return c.indexed("SignExt", C.COMUS_SIGN_EXT, extra, a)
}

// Int2BV returns an integer modulo 2^bits as a bit-vector.
func (c *Context) Int2BV(bits uint, a Term) Term {
	const op = "Int2BV"
	if c.open() && c.owns(op, a.n) && a.Sort().Kind() != SortInt { // unchecked by Z3 4.8.12
		c.invalidOperand(op, "not an integer")
		return Term{}
	}
	return c.indexed(op, C.COMUS_INT2BV, bits, a)
}

// BV2Int returns the value of a bit-vector as an integer, taking it as
// two's complement if signed is set.
func (c *Context) BV2Int(a Term, signed bool) Term {
	const op = "BV2Int"
	if !c.open() || !c.owns(op, a.n) {
		return Term{}
	}
	if a.Sort().Kind() != SortBV { // crashes Z3 4.8.12
		c.invalidOperand(op, "not a bit-vector")
		return Term{}
	}
	s := C.int(0)
	if signed {
		s = 1
	}
	n := c.node(op, C.comus_mk_bv2int(c.c, a.n.ast, s))
	runtime.KeepAlive(a.n)
	return Term{n: n}
}
