package randc

import "math/bits"

// Features is a set of kinds of things that a program may contain. Integers of all
// widths, functions, loops, conditions and printf are always there. The statements of
// a kind may have what they cannot be written without: those about alignment have a
// struct of their own even without Structs.
type Features uint64

// The features.
const (
	Int128           Features = 1 << iota // __int128, signed and unsigned
	Floats                                // float and double
	LongDoubles                           // long double, where its precision does not matter
	Math                                  // functions of math.h that are exact; needs Floats
	Enums                                 // enumerations
	Structs                               // structs, nested, assigned, anonymous members
	BitFields                             // bit-fields of all types; needs Structs
	WideBitFields                         // arithmetic in bit-fields wider than int, which gcc does in their width
	Packed                                // attribute packed, #pragma pack
	Aligned                               // attribute aligned, _Alignas
	Unions                                // unions whose members are written and read across
	FlexArrays                            // structs with a flexible array, from malloc
	Arrays                                // arrays of several dimensions
	VLAs                                  // arrays of variable length, also as parameters
	Pointers                              // pointer arithmetic, pointers to pointers, to rows
	FuncPointers                          // pointers to functions, tables of them, callbacks
	ByValue                               // structs as arguments and results
	Bytes                                 // memcpy, memmove, memset, memcmp, unsigned char *
	MayAlias                              // types with attribute may_alias
	Heap                                  // malloc, calloc, realloc, free; lists
	Strings                               // literals, arrays of char, functions of string.h
	Formats                               // printf and snprintf with many formats
	Scans                                 // sscanf, strtol and relatives
	Wide                                  // wide and UTF strings and characters
	Varargs                               // functions with any number of arguments
	Gotos                                 // goto, forward, backward, into and out of loops
	ComputedGotos                         // addresses of labels
	Switches                              // switch with ranges, fallthrough, into loops
	Recursion                             // functions that call themselves
	CompoundLiterals                      // compound literals
	Designators                           // designated initialisers, ranges, overrides
	StmtExprs                             // statement expressions
	Generics                              // typeof, _Generic, __builtin_choose_expr, types_compatible_p
	Sizes                                 // sizeof, _Alignof, offsetof
	Statics                               // static locals, tentative definitions, initial addresses
	Qualifiers                            // const, volatile, restrict, register
	SideEffects                           // ++, --, assignments and commas inside expressions
	Builtins                              // __builtin_clz and so on
	Jumps                                 // setjmp and longjmp
	Sorting                               // qsort and bsearch
	Cleanup                               // attribute cleanup
	Constructors                          // attributes constructor and destructor
	AtExit                                // atexit, and exit from within calls
	Aliases                               // attributes alias and weak
	Atomics                               // __atomic and __sync builtins, _Atomic
	Macros                                // macros with arguments, # and ##, __func__
	OldStyle                              // functions defined as before C90
	Alloca                                // alloca
	Vectors                               // attribute vector_size; not in All, as it is rare
	Complex                               // complex numbers; not in All, as it is rare
	Nested                                // nested functions; not in All, as they may need an executable stack
	Aborts                                // a program may end by a signal; not in All

	// All is what a program has unless told otherwise.
	All = (Aborts<<1 - 1) &^ (Vectors | Complex | Nested | Aborts)
	// Core is plain C without what is rare in programs.
	Core = Enums | Structs | BitFields | Unions | Arrays | Pointers | FuncPointers | ByValue | Strings | Switches |
		Recursion | Statics | SideEffects | Heap | Bytes
)

var featureNames = []string{"Int128", "Floats", "LongDoubles", "Math", "Enums", "Structs", "BitFields", "WideBitFields",
	"Packed", "Aligned", "Unions", "FlexArrays", "Arrays", "VLAs", "Pointers", "FuncPointers", "ByValue", "Bytes", "MayAlias",
	"Heap", "Strings", "Formats", "Scans", "Wide", "Varargs", "Gotos", "ComputedGotos", "Switches", "Recursion",
	"CompoundLiterals", "Designators", "StmtExprs", "Generics", "Sizes", "Statics", "Qualifiers", "SideEffects", "Builtins",
	"Jumps", "Sorting", "Cleanup", "Constructors", "AtExit", "Aliases", "Atomics", "Macros", "OldStyle", "Alloca", "Vectors", "Complex", "Nested", "Aborts"}

// Names returns the names of the features in f.
func (f Features) Names() []string {
	var out []string
	for i, n := range featureNames {
		if f>>i&1 != 0 {
			out = append(out, n)
		}
	}
	return out
}

// Named returns the feature of a name, or 0.
func Named(name string) Features {
	for i, n := range featureNames {
		if n == name {
			return 1 << i
		}
	}
	return 0
}

// Each calls f for every feature of the set alone.
func (f Features) Each(call func(Features)) {
	for ; f != 0; f &= f - 1 {
		call(1 << bits.TrailingZeros64(uint64(f)))
	}
}
