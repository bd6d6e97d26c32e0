package read

import (
	"embed"
	"strconv"
	"strings"

	"comus/cfront/command"
)

//go:embed include
var headers embed.FS

// headerFolder is the folder that the embedded headers seem to be in.
const headerFolder = "/comus-include/"

// predefined returns the macros that are defined before the first line of a unit where no
// compiler tells them, in the form of #define.
func predefined(f command.Flags) string {
	var b strings.Builder
	b.WriteString(predefinedCommon)
	if f.ILP32 {
		b.WriteString(predefinedILP32)
	} else {
		b.WriteString(predefinedLP64)
	}
	std := strings.TrimPrefix(strings.TrimPrefix(f.Std, "gnu"), "c")
	version := map[string]string{"": "201710L", "89": "", "90": "", "iso9899:1990": "", "iso9899:199409": "199409L", "99": "199901L", "9x": "199901L", "iso9899:1999": "199901L",
		"11": "201112L", "1x": "201112L", "iso9899:2011": "201112L", "17": "201710L", "18": "201710L", "iso9899:2017": "201710L", "iso9899:2018": "201710L", "2x": "202000L", "23": "202311L"}
	if v, ok := version[std]; !ok {
		b.WriteString("__STDC_VERSION__ 201710L\n")
	} else if v != "" {
		b.WriteString("__STDC_VERSION__ " + v + "\n")
	}
	if f.Strict() {
		b.WriteString("__STRICT_ANSI__ 1\n")
	} else {
		b.WriteString("linux 1\nunix 1\n")
	}
	if f.CharUnsigned {
		b.WriteString("__CHAR_UNSIGNED__ 1\n")
	}
	if f.Pthread {
		b.WriteString("_REENTRANT 1\n")
	}
	integers(&b, f)
	return b.String()
}

// integers writes the macros about integer types.
func integers(b *strings.Builder, f command.Flags) {
	long, l64, ptr := 64, "long int", "long int"
	if f.ILP32 {
		long, l64, ptr = 32, "long long int", "int"
	}
	line := func(name, text string) { b.WriteString("__" + name + "__ " + text + "\n") }
	types := map[int]string{8: "signed char", 16: "short int", 32: "int", 64: l64}
	unsigned := map[int]string{8: "unsigned char", 16: "short unsigned int", 32: "unsigned int", 64: strings.Replace(l64, "int", "unsigned int", 1)}
	suffix := map[int]string{64: "L"}
	if f.ILP32 {
		suffix[64] = "LL"
	}
	limit := func(bits int, sign bool) string {
		n := uint64(1)<<(bits-1) - 1
		s := suffix[bits]
		if !sign {
			n = n<<1 | 1
			if bits >= 32 {
				s = "U" + s
			}
		}
		return "0x" + strconv.FormatUint(n, 16) + s
	}
	for _, n := range []int{8, 16, 32, 64} {
		bits := strconv.Itoa(n)
		fast := n
		if n == 16 || n == 32 {
			fast = map[bool]int{true: 32, false: 64}[f.ILP32]
		}
		for _, k := range []struct {
			name string
			bits int
		}{{"INT" + bits, n}, {"INT_LEAST" + bits, n}, {"INT_FAST" + bits, fast}} {
			line(k.name+"_TYPE", types[k.bits])
			line("U"+k.name+"_TYPE", unsigned[k.bits])
			line(k.name+"_MAX", limit(k.bits, true))
			line("U"+k.name+"_MAX", limit(k.bits, false))
		}
		b.WriteString("__INT" + bits + "_C(c) c" + pasted(suffix[n]) + "\n")
		u := suffix[n]
		if n >= 32 {
			u = "U" + u
		}
		b.WriteString("__UINT" + bits + "_C(c) c" + pasted(u) + "\n")
	}
	b.WriteString("__INTMAX_C(c) c" + pasted(suffix[64]) + "\n__UINTMAX_C(c) c" + pasted("U"+suffix[64]) + "\n")
	line("INTMAX_TYPE", l64)
	line("UINTMAX_TYPE", unsigned[64])
	line("INTMAX_MAX", limit(64, true))
	line("UINTMAX_MAX", limit(64, false))
	line("LONG_MAX", "0x"+strconv.FormatUint(uint64(1)<<(long-1)-1, 16)+"L")
	uptr, size := strings.Replace(ptr, "int", "unsigned int", 1), "long unsigned int"
	if f.ILP32 {
		size = "unsigned int"
	}
	line("PTRDIFF_TYPE", ptr)
	line("INTPTR_TYPE", ptr)
	line("UINTPTR_TYPE", uptr)
	line("SIZE_TYPE", size)
	bits := map[bool]int{true: 32, false: 64}[f.ILP32]
	for _, name := range []string{"PTRDIFF", "INTPTR"} {
		line(name+"_MAX", limit(bits, true))
	}
	line("SIZE_MAX", limit(bits, false))
	line("UINTPTR_MAX", limit(bits, false))
	if f.ShortWchar {
		line("WCHAR_TYPE", "short unsigned int")
		line("WCHAR_MAX", "0xffff")
		line("WCHAR_MIN", "0")
		line("SIZEOF_WCHAR_T", "2")
	} else {
		line("WCHAR_TYPE", map[bool]string{true: "long int", false: "int"}[f.ILP32])
		line("WCHAR_MAX", "0x7fffffff")
		line("WCHAR_MIN", "(-__WCHAR_MAX__ - 1)")
		line("SIZEOF_WCHAR_T", "4")
	}
}

func pasted(suffix string) string {
	if suffix == "" {
		return ""
	}
	return " ## " + suffix
}

const predefinedCommon = `__STDC__ 1
__STDC_HOSTED__ 1
__STDC_UTF_16__ 1
__STDC_UTF_32__ 1
__STDC_NO_COMPLEX__ 1
__STDC_IEC_559__ 1
__COMUS__ 1
__linux__ 1
__linux 1
__gnu_linux__ 1
__unix__ 1
__unix 1
__ELF__ 1
__GNUC__ 8
__GNUC_MINOR__ 3
__GNUC_PATCHLEVEL__ 0
__GNUC_STDC_INLINE__ 1
__VERSION__ "comus"
__CHAR_BIT__ 8
__BYTE_ORDER__ 1234
__FLOAT_WORD_ORDER__ 1234
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_BIG_ENDIAN__ 4321
__ORDER_PDP_ENDIAN__ 3412
__SIZEOF_SHORT__ 2
__SIZEOF_INT__ 4
__SIZEOF_LONG_LONG__ 8
__SIZEOF_FLOAT__ 4
__SIZEOF_DOUBLE__ 8
__SIZEOF_WINT_T__ 4
__SCHAR_MAX__ 0x7f
__SHRT_MAX__ 0x7fff
__INT_MAX__ 0x7fffffff
__LONG_LONG_MAX__ 0x7fffffffffffffffLL
__SCHAR_WIDTH__ 8
__SHRT_WIDTH__ 16
__INT_WIDTH__ 32
__LONG_LONG_WIDTH__ 64
__WINT_TYPE__ unsigned int
__WINT_MAX__ 0xffffffffU
__WINT_MIN__ 0U
__CHAR16_TYPE__ short unsigned int
__CHAR32_TYPE__ unsigned int
__SIG_ATOMIC_TYPE__ int
__SIG_ATOMIC_MAX__ 0x7fffffff
__SIG_ATOMIC_MIN__ (-__SIG_ATOMIC_MAX__ - 1)
__FLT_RADIX__ 2
__FLT_EVAL_METHOD__ 0
__DECIMAL_DIG__ 21
__FLT_MANT_DIG__ 24
__FLT_DIG__ 6
__FLT_MIN_EXP__ (-125)
__FLT_MAX_EXP__ 128
__FLT_MIN_10_EXP__ (-37)
__FLT_MAX_10_EXP__ 38
__FLT_MAX__ 3.40282346638528859811704183484516925e+38F
__FLT_MIN__ 1.17549435082228750796873653722224568e-38F
__FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F
__DBL_MANT_DIG__ 53
__DBL_DIG__ 15
__DBL_MIN_EXP__ (-1021)
__DBL_MAX_EXP__ 1024
__DBL_MIN_10_EXP__ (-307)
__DBL_MAX_10_EXP__ 308
__DBL_MAX__ ((double)1.79769313486231570814527423731704357e+308L)
__DBL_MIN__ ((double)2.22507385850720138309023271733240406e-308L)
__DBL_EPSILON__ ((double)2.22044604925031308084726333618164062e-16L)
__LDBL_MANT_DIG__ 64
__LDBL_DIG__ 18
__LDBL_MIN_EXP__ (-16381)
__LDBL_MAX_EXP__ 16384
__LDBL_MIN_10_EXP__ (-4931)
__LDBL_MAX_10_EXP__ 4932
__LDBL_MAX__ 1.18973149535723176502126385303097021e+4932L
__LDBL_MIN__ 3.36210314311209350626267781732175260e-4932L
__LDBL_EPSILON__ 1.08420217248550443400745280086994171e-19L
__ATOMIC_RELAXED 0
__ATOMIC_CONSUME 1
__ATOMIC_ACQUIRE 2
__ATOMIC_RELEASE 3
__ATOMIC_ACQ_REL 4
__ATOMIC_SEQ_CST 5
__USER_LABEL_PREFIX__
__REGISTER_PREFIX__
`

const predefinedLP64 = `__x86_64__ 1
__x86_64 1
__amd64__ 1
__amd64 1
__LP64__ 1
_LP64 1
__SIZEOF_LONG__ 8
__SIZEOF_POINTER__ 8
__SIZEOF_SIZE_T__ 8
__SIZEOF_PTRDIFF_T__ 8
__SIZEOF_INT128__ 16
__SIZEOF_LONG_DOUBLE__ 16
__LONG_WIDTH__ 64
__BIGGEST_ALIGNMENT__ 16
__SSE__ 1
__SSE2__ 1
`

const predefinedILP32 = `__i386__ 1
__i386 1
i386 1
__ILP32__ 1
_ILP32 1
__SIZEOF_LONG__ 4
__SIZEOF_POINTER__ 4
__SIZEOF_SIZE_T__ 4
__SIZEOF_PTRDIFF_T__ 4
__SIZEOF_LONG_DOUBLE__ 12
__LONG_WIDTH__ 32
__BIGGEST_ALIGNMENT__ 16
`
