package cgen

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"comus/cir"
)

//go:embed runtime
var runtimeFiles embed.FS

// Flags are what gcc needs for the files.
var Flags = []string{"-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin", "-fexcess-precision=standard"}

// File is a file of C.
type File struct {
	Name string
	Text []byte
}

// Options say how a program is printed. The zero value is ready to use.
type Options struct {
	// Name is that of the file with the program's functions, without ".c"; "" is "program".
	Name string
	// Path returns the file that #line names; nil: as cir does. "" leaves out #line.
	Path func(file string) string
	// Quiet reports whether a function synchronises, so that its accesses are none of the program's for ThreadSanitizer; nil: none does.
	Quiet func(f *cir.Func) bool
	// Alone adds the runtime for programs of one thread.
	Alone bool
}

// Print returns the files of a program: a header, its functions, those of the library, the runtime. The error is for
// what gcc cannot be given: another data model than LP64, structs passed to functions without a body.
func Print(p *cir.Program, opts Options) ([]File, error) {
	if p.Model.PointerBits != 64 {
		return nil, fmt.Errorf("the program is for a data model of %d bits, the machine is not", p.Model.PointerBits)
	}
	if opts.Name == "" {
		opts.Name = "program"
	}
	pr := newPrinter(p, opts)
	user := pr.functions(false)
	library := pr.functions(true)
	header := pr.header() // last: it defines the structs that the others mention
	if pr.err != nil {
		return nil, pr.err
	}
	files := []File{{opts.Name + ".c", []byte(user + pr.data())}, {opts.Name + "_library.c", []byte(library)}, {opts.Name + ".h", []byte(header)}}
	names := []string{"comus_cir.h", "comus_cir.c"}
	if opts.Alone {
		names = append(names, "comus_alone.c")
	}
	for _, n := range names {
		text, err := runtimeFiles.ReadFile("runtime/" + n)
		if err != nil {
			return nil, err
		}
		files = append(files, File{n, text})
	}
	return files, nil
}

// printer prints a program.
type printer struct {
	p       *cir.Program
	opts    Options
	names   map[cir.Value]string // of globals and functions
	used    map[string]bool
	tags    map[string]bool // of structs
	shapes  map[string]string
	structs strings.Builder // their definitions
	homes   map[*cir.Block]int
	err     error
}

func newPrinter(p *cir.Program, opts Options) *printer {
	pr := &printer{p: p, opts: opts, names: map[cir.Value]string{}, used: map[string]bool{}, tags: map[string]bool{}, shapes: map[string]string{}, homes: map[*cir.Block]int{}}
	for _, w := range reserved {
		pr.used[w] = true
	}
	for i, f := range p.Funcs {
		switch {
		case f.Library:
			pr.names[f] = pr.unique("comus_lib_" + identifier(f.Source))
		case len(f.Blocks) == 0:
			pr.names[f] = pr.unique("comus_ext_" + identifier(f.Source))
		default:
			pr.names[f] = pr.unique(identifier(f.Source))
		}
		for _, b := range f.Blocks {
			pr.homes[b] = i
		}
	}
	for _, g := range p.Globals {
		name := identifier(g.Source)
		if g.Source == "" {
			name = "comus_" + identifier(g.Name)
		}
		pr.names[g] = pr.unique(name)
	}
	return pr
}

func (pr *printer) failf(format string, args ...any) {
	if pr.err == nil {
		pr.err = fmt.Errorf(format, args...)
	}
}

// unique returns a name that is not used yet.
func (pr *printer) unique(name string) string {
	n := name
	for i := 2; pr.used[n]; i++ {
		n = fmt.Sprintf("%s_%d", name, i)
	}
	pr.used[n] = true
	return n
}

// identifier makes an identifier of a name.
func identifier(name string) string {
	s := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "_" + s
	}
	if slices.Contains(reserved, s) {
		s += "_"
	}
	return s
}

// reserved are names that mean something to gcc whatever the flags, and those of functions that it calls itself.
var reserved = strings.Fields(`asm auto break case char const continue default do double else enum extern float for goto if
	inline int long register restrict return short signed sizeof static struct switch typedef typeof union unsigned void
	volatile while __asm__ __attribute__ __typeof__ _Bool _Complex _Imaginary _Alignas _Alignof _Atomic _Generic _Noreturn
	_Static_assert _Thread_local __thread __int128 __func__ __FUNCTION__ __extension__ __inline __label__ __real__ __imag__ __auto_type
	memcpy memmove memset memcmp abort linux unix i386`)

// header returns the declarations that all files need.
func (pr *printer) header() string {
	var b strings.Builder
	for _, g := range pr.p.Globals {
		weak := ""
		if g.Weak && g.External {
			weak = " __attribute__((weak))"
		}
		if g.External {
			weak += " __attribute__((visibility(\"default\")))"
		}
		fmt.Fprintf(&b, "extern %s%s%s;\n", threadLocal(g), pr.declare(g.Shape, g.Size, g.Align, pr.names[g], pr.label(g), g.External), weak)
	}
	for _, f := range pr.p.Funcs {
		weak := " __attribute__((visibility(\"default\")))"
		if f.Weak && len(f.Blocks) == 0 {
			weak += " __attribute__((weak))"
		}
		switch {
		case len(f.Blocks) == 0:
			fmt.Fprintf(&b, "extern void %s(void) __asm__(%q)%s;\n", pr.names[f], f.Source, weak)
		default:
			fmt.Fprintf(&b, "%s;\n", pr.signature(f, false)+pr.label(f))
		}
	}
	return "#include \"comus_cir.h\"\n#pragma GCC visibility push(hidden)\n" + pr.structs.String() + b.String() + pr.mathHeader()
}

func threadLocal(g *cir.Global) string {
	if g.ThreadLocal {
		return "__thread "
	}
	return ""
}

// label gives a function or object its name for the linker, if that is another one.
func (pr *printer) label(s cir.Symbol) string {
	if n := pr.symbol(s); n != pr.names[s] {
		return fmt.Sprintf(" __asm__(%q)", n)
	}
	return ""
}

// symbol returns the name of a function or object for the linker.
func (pr *printer) symbol(s cir.Symbol) string {
	if g, ok := s.(*cir.Global); ok && g.External {
		return g.Source
	}
	if n := pr.names[s]; !taken[n] {
		return n
	}
	return "comus." + pr.names[s]
}

// taken are the names that the runtime means something else with, or gcc and the linker.
var taken = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`abort calloc clone dprintf environ execv _exit exit fflush fprintf free frexp getenv getrlimit setrlimit
		ilogb ldexp _longjmp longjmp setjmp _setjmp malloc realloc memcpy memmove memset memcmp modf pause putenv read write
		pthread_attr_init pthread_attr_setdetachstate pthread_attr_setstacksize pthread_cond_broadcast pthread_cond_wait
		pthread_create pthread_exit pthread_mutex_lock pthread_mutex_unlock stderr stdin stdout strtod strtold strtof vfprintf vsnprintf
		vsscanf __isoc99_vsscanf open close end edata etext _init _fini _start data_start __data_start`) {
		m[n] = true
	}
	return m
}()

// data returns the definitions of objects, and the functions that give them their contents.
func (pr *printer) data() string {
	var defs, shared, local strings.Builder
	line := ""
	if pr.opts.Path != nil {
		line = "#line 1 \"data\"\n"
	}
	for i, g := range pr.p.Globals {
		if g.External {
			continue
		}
		fmt.Fprintf(&defs, "%s%s COMUS_APART;\n", threadLocal(g), pr.declare(g.Shape, g.Size, g.Align, pr.names[g], "", false))
		to := &shared
		if g.ThreadLocal {
			to = &local
		}
		if n := len(slices.DeleteFunc(slices.Clone(g.Data), func(b byte) bool { return b == 0 })); n > 0 {
			fmt.Fprintf(&defs, "static const unsigned char comus_data_%d[] = {%s};\n", i, bytesOf(g.Data))
			fmt.Fprintf(to, "  __builtin_memcpy(&%s, comus_data_%d, %d);\n", pr.names[g], i, len(g.Data))
		}
		for _, r := range g.Relocs {
			fmt.Fprintf(to, "  COMUS_AT(comus_ptr, (comus_ptr)&%s + %d) = %s + %d;\n", pr.names[g], r.Offset, pr.address(r.Target), r.Addend)
		}
	}
	fmt.Fprintf(&defs, "void comus_init(void) {\n%s}\nvoid comus_init_thread(void) {\n%s}\n", shared.String(), local.String())
	return line + defs.String() + pr.start()
}

// start returns what the runtime asks for: how to begin and how to end.
func (pr *printer) start() string {
	var b strings.Builder
	b.WriteString("void comus_constructors(void) {\n")
	for _, f := range pr.p.Constructors {
		fmt.Fprintf(&b, "  %s(%s);\n", pr.names[f], zeros(f))
	}
	b.WriteString("}\nvoid comus_destructors(void) {\n")
	for _, f := range pr.p.Destructors {
		fmt.Fprintf(&b, "  %s(%s);\n", pr.names[f], zeros(f))
	}
	e := pr.p.Entry
	args := []string{"argc", "(comus_ptr)argv", "(comus_ptr)envp"}
	for i := 3; i < len(e.Params); i++ {
		args = append(args, "0")
	}
	call := fmt.Sprintf("%s(%s)", pr.names[e], strings.Join(args[:len(e.Params)], ", "))
	if e.Result.Type.IsInt() {
		call = "status = " + call
	}
	fmt.Fprintf(&b, "}\nint comus_entry(int argc, char **argv, char **envp) {\n  int status = 0;\n  %s;\n  return status;\n}\n", call)
	if pr.names[e] != "main" { // the linker wants one; the runtime begins before
		b.WriteString("int main(void) { return 0; }\n")
	}
	b.WriteString("void comus_leave(int status) {\n")
	if f := pr.p.FuncNamed("exit"); f != nil && len(f.Blocks) > 0 && len(f.Params) == 1 {
		fmt.Fprintf(&b, "  %s(status);\n", pr.names[f])
	} else {
		b.WriteString("  comus_destructors();\n  comus_stop(status);\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func zeros(f *cir.Func) string {
	return strings.Join(slices.Repeat([]string{"0"}, len(f.Params)), ", ")
}

// bytesOf returns bytes as a list.
func bytesOf(data []byte) string {
	var b strings.Builder
	for i, x := range data {
		if i > 0 {
			b.WriteByte(',')
		}
		if i%32 == 31 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d", x)
	}
	return b.String()
}

// address returns the address of a symbol.
func (pr *printer) address(s cir.Value) string {
	switch s := s.(type) {
	case *cir.Block:
		return fmt.Sprintf("((comus_ptr)%#xUL)", uint64(1)<<40+uint64(pr.homes[s])<<20+uint64(s.Index+1)<<4)
	case *cir.Func:
		return fmt.Sprintf("((comus_ptr)%s)", pr.names[s])
	}
	return fmt.Sprintf("((comus_ptr)&%s)", pr.names[s])
}
