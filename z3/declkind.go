package z3

// #include "shim.h"
import "C"

// DeclKind tells what the function applied by a term means to Z3.
type DeclKind int

// The declaration kinds. Kinds that this package cannot build, but that may
// occur in results of Z3, are summed up as OpOther.
const (
	OpInvalid       DeclKind = iota // not an application
	OpOther                         // any other interpreted function
	OpUninterpreted                 // declared by the user

	OpTrue
	OpFalse
	OpEq
	OpDistinct
	OpIte
	OpAnd
	OpOr
	OpIff
	OpXor
	OpNot
	OpImplies

	OpNumeral // integer (or real) numeral
	OpLe
	OpGe
	OpLt
	OpGt
	OpAdd
	OpSub
	OpNeg
	OpMul
	OpDiv // integer division
	OpMod
	OpRem

	OpStore
	OpSelect
	OpConstArray
	OpAsArray

	OpBVNumeral
	OpBVNeg
	OpBVAdd
	OpBVSub
	OpBVMul
	OpBVUDiv
	OpBVSDiv
	OpBVURem
	OpBVSRem
	OpBVSMod
	OpBVULt
	OpBVULe
	OpBVUGt
	OpBVUGe
	OpBVSLt
	OpBVSLe
	OpBVSGt
	OpBVSGe
	OpBVAnd
	OpBVOr
	OpBVXor
	OpBVNot
	OpBVShl
	OpBVLShr
	OpBVAShr
	OpConcat
	OpExtract
	OpZeroExt
	OpSignExt
	OpInt2BV
	OpBV2Int
	OpSBV2Int // signed conversion; only with Z3 4.14.1 and later
)

// declKinds maps Z3's kinds, whose numbers differ between versions. Z3 uses
// several kinds for some bit-vector divisions; after simplification a division
// appears with the "_I" kind, which has the same meaning.
var declKinds = map[C.Z3_decl_kind]DeclKind{
	C.Z3_OP_UNINTERPRETED: OpUninterpreted,

	C.Z3_OP_TRUE:     OpTrue,
	C.Z3_OP_FALSE:    OpFalse,
	C.Z3_OP_EQ:       OpEq,
	C.Z3_OP_DISTINCT: OpDistinct,
	C.Z3_OP_ITE:      OpIte,
	C.Z3_OP_AND:      OpAnd,
	C.Z3_OP_OR:       OpOr,
	C.Z3_OP_IFF:      OpIff,
	C.Z3_OP_XOR:      OpXor,
	C.Z3_OP_NOT:      OpNot,
	C.Z3_OP_IMPLIES:  OpImplies,

	C.Z3_OP_ANUM:   OpNumeral,
	C.Z3_OP_LE:     OpLe,
	C.Z3_OP_GE:     OpGe,
	C.Z3_OP_LT:     OpLt,
	C.Z3_OP_GT:     OpGt,
	C.Z3_OP_ADD:    OpAdd,
	C.Z3_OP_SUB:    OpSub,
	C.Z3_OP_UMINUS: OpNeg,
	C.Z3_OP_MUL:    OpMul,
	C.Z3_OP_IDIV:   OpDiv,
	C.Z3_OP_MOD:    OpMod,
	C.Z3_OP_REM:    OpRem,

	C.Z3_OP_STORE:       OpStore,
	C.Z3_OP_SELECT:      OpSelect,
	C.Z3_OP_CONST_ARRAY: OpConstArray,
	C.Z3_OP_AS_ARRAY:    OpAsArray,

	C.Z3_OP_BNUM:     OpBVNumeral,
	C.Z3_OP_BNEG:     OpBVNeg,
	C.Z3_OP_BADD:     OpBVAdd,
	C.Z3_OP_BSUB:     OpBVSub,
	C.Z3_OP_BMUL:     OpBVMul,
	C.Z3_OP_BUDIV:    OpBVUDiv,
	C.Z3_OP_BSDIV:    OpBVSDiv,
	C.Z3_OP_BUREM:    OpBVURem,
	C.Z3_OP_BSREM:    OpBVSRem,
	C.Z3_OP_BSMOD:    OpBVSMod,
	C.Z3_OP_BUDIV_I:  OpBVUDiv,
	C.Z3_OP_BSDIV_I:  OpBVSDiv,
	C.Z3_OP_BUREM_I:  OpBVURem,
	C.Z3_OP_BSREM_I:  OpBVSRem,
	C.Z3_OP_BSMOD_I:  OpBVSMod,
	C.Z3_OP_ULT:      OpBVULt,
	C.Z3_OP_ULEQ:     OpBVULe,
	C.Z3_OP_UGT:      OpBVUGt,
	C.Z3_OP_UGEQ:     OpBVUGe,
	C.Z3_OP_SLT:      OpBVSLt,
	C.Z3_OP_SLEQ:     OpBVSLe,
	C.Z3_OP_SGT:      OpBVSGt,
	C.Z3_OP_SGEQ:     OpBVSGe,
	C.Z3_OP_BAND:     OpBVAnd,
	C.Z3_OP_BOR:      OpBVOr,
	C.Z3_OP_BXOR:     OpBVXor,
	C.Z3_OP_BNOT:     OpBVNot,
	C.Z3_OP_BSHL:     OpBVShl,
	C.Z3_OP_BLSHR:    OpBVLShr,
	C.Z3_OP_BASHR:    OpBVAShr,
	C.Z3_OP_CONCAT:   OpConcat,
	C.Z3_OP_EXTRACT:  OpExtract,
	C.Z3_OP_ZERO_EXT: OpZeroExt,
	C.Z3_OP_SIGN_EXT: OpSignExt,
	C.Z3_OP_INT2BV:   OpInt2BV,
	C.Z3_OP_BV2INT:   OpBV2Int,

	C.COMUS_OP_SBV2INT: OpSBV2Int,
}

// declKind translates Z3's kind of a declaration.
func declKind(k C.Z3_decl_kind) DeclKind {
	if kind, ok := declKinds[k]; ok {
		return kind
	}
	return OpOther
}
