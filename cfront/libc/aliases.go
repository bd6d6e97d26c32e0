package libc

// Aliases are other names of functions, which the headers of glibc use in declarations
// (asm("__isoc99_scanf")), macros and inline functions. The names of setjmp mean an intrinsic, as no
// function can return twice.
var Aliases = map[string]string{
	"setjmp": "__comus_setjmp", "_setjmp": "__comus_setjmp", "sigsetjmp": "__comus_setjmp",
	"__sigsetjmp": "__comus_setjmp", "__sigsetjmp_cancel": "__comus_setjmp",
}
