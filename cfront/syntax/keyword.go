package syntax

// kw is a keyword, whatever its spelling.
type kw uint8

const (
	noKw kw = iota
	kwBreak
	kwCase
	kwContinue
	kwDefault
	kwDo
	kwElse
	kwFor
	kwGoto
	kwIf
	kwReturn
	kwSizeof
	kwSwitch
	kwWhile
	kwAlignof    // _Alignof
	kwGnuAlignof // __alignof__
	kwGeneric
	kwReal
	kwImag
	kwExtension
	kwLabel
	kwAsm
	kwStaticAssert
	kwVaArg
	kwOffsetof
	kwTypesCompatible
	kwConvertVector
	kwHasAttribute
	// From here on: what may begin declaration specifiers.
	kwAttribute
	kwAlignas
	kwTypedef
	kwExtern
	kwStatic
	kwAuto
	kwRegister
	kwThread
	kwInline
	kwNoreturn
	kwConst
	kwVolatile
	kwRestrict
	kwAtomic
	kwStruct
	kwUnion
	kwEnum
	kwTypeof
	kwShort
	kwLong
	kwSigned
	kwUnsigned
	kwComplex
	kwImaginary
	kwAutoType
	kwBase // the bases below begin here: kwBase + Base
)

func base(b Base) kw { return kwBase + kw(b) }

// keywords are GNU C's.
var keywords = map[string]kw{
	"break": kwBreak, "case": kwCase, "continue": kwContinue, "default": kwDefault, "do": kwDo, "else": kwElse,
	"for": kwFor, "goto": kwGoto, "if": kwIf, "return": kwReturn, "sizeof": kwSizeof, "switch": kwSwitch, "while": kwWhile,
	"_Alignof": kwAlignof, "__alignof": kwGnuAlignof, "__alignof__": kwGnuAlignof, "_Generic": kwGeneric,
	"__real": kwReal, "__real__": kwReal, "__imag": kwImag, "__imag__": kwImag,
	"__extension__": kwExtension, "__label__": kwLabel,
	"asm": kwAsm, "__asm": kwAsm, "__asm__": kwAsm, "_Static_assert": kwStaticAssert,
	"__builtin_va_arg": kwVaArg, "__builtin_offsetof": kwOffsetof, "__builtin_types_compatible_p": kwTypesCompatible,
	"__builtin_convertvector": kwConvertVector, "__builtin_has_attribute": kwHasAttribute,
	"__attribute": kwAttribute, "__attribute__": kwAttribute, "_Alignas": kwAlignas,
	"typedef": kwTypedef, "extern": kwExtern, "static": kwStatic, "auto": kwAuto, "register": kwRegister,
	"_Thread_local": kwThread, "__thread": kwThread,
	"inline": kwInline, "__inline": kwInline, "__inline__": kwInline, "_Noreturn": kwNoreturn,
	"const": kwConst, "__const": kwConst, "__const__": kwConst,
	"volatile": kwVolatile, "__volatile": kwVolatile, "__volatile__": kwVolatile,
	"restrict": kwRestrict, "__restrict": kwRestrict, "__restrict__": kwRestrict, "_Atomic": kwAtomic,
	"struct": kwStruct, "union": kwUnion, "enum": kwEnum,
	"typeof": kwTypeof, "__typeof": kwTypeof, "__typeof__": kwTypeof,
	"short": kwShort, "long": kwLong,
	"signed": kwSigned, "__signed": kwSigned, "__signed__": kwSigned, "unsigned": kwUnsigned,
	"_Complex": kwComplex, "__complex": kwComplex, "__complex__": kwComplex, "_Imaginary": kwImaginary,
	"__auto_type": kwAutoType,
	"void":        base(VoidBase), "char": base(CharBase), "int": base(IntBase), "float": base(FloatBase),
	"double": base(DoubleBase), "_Bool": base(BoolBase), "__int128": base(Int128Base),
	"_Float16": base(Float16Base), "_Float32": base(Float32Base), "_Float64": base(Float64Base),
	"_Float128": base(Float128Base), "__float128": base(Float128Base),
	"_Float32x": base(Float32xBase), "_Float64x": base(Float64xBase),
	"_Decimal32": base(Decimal32Base), "_Decimal64": base(Decimal64Base), "_Decimal128": base(Decimal128Base),
}

// predeclared are the typedef names that gcc declares itself.
var predeclared = []string{"__builtin_va_list", "__builtin_ms_va_list", "__builtin_sysv_va_list", "__float80", "__int128_t", "__uint128_t"}
