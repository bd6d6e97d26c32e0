package torture

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Program is a program to compile and run.
type Program struct {
	Name  string   // of the suite and the file, as in "gcc/ieee/copysign1.c"
	Files []string // the sources; the first one is the file of the name
	Flags []string // that gcc needs, beside -w
	Needs []Need   // what it makes use of that not everything can do
	Code  int      // the exit code of gcc's program at -O0
	// Reason says why there is no exit code to compare with. Else it is empty.
	Reason string
}

// Need is something that few programs make use of.
type Need string

// The needs.
const (
	Asm           Need = "asm"            // inline assembly with instructions in it
	EmptyAsm      Need = "empty asm"      // inline assembly without, for its operands
	Vectors       Need = "vectors"        // attribute vector_size
	Complex       Need = "complex"        // complex numbers
	Nested        Need = "nested"         // functions in functions
	Decimal       Need = "decimal"        // decimal floating numbers
	Float128      Need = "float128"       // __float128 and relatives
	Int128        Need = "int128"         // __int128, or mode TI
	Frames        Need = "frames"         // addresses of frames, return addresses
	Apply         Need = "apply"          // __builtin_apply and relatives
	Signals       Need = "signals"        // signal handlers
	Mapping       Need = "mapping"        // mmap and relatives
	Alloca        Need = "alloca"         // alloca
	Labels        Need = "labels"         // addresses of labels
	Nonlocal      Need = "nonlocal"       // setjmp, longjmp, or goto out of a nested function
	LongDouble    Need = "long double"    // long double, perhaps in all its bits
	Overrides     Need = "overrides"      // it defines functions of the C library itself
	Instrumented  Need = "instrumented"   // calls at the begin and end of each function
	Files         Need = "files"          // files and streams other than the standard output
	Optimized     Need = "optimized"      // it checks what an optimising compiler does
	ScalarStorage Need = "scalar storage" // attribute scalar_storage_order
	Varargs       Need = "varargs"        // functions with any number of arguments
	Time          Need = "time"           // more than 50 ms of gcc's code
)

// patterns recognise needs in the text, apart from comments.
var patterns = []struct {
	need Need
	re   *regexp.Regexp
}{
	{Vectors, regexp.MustCompile(`vector_size|__builtin_shuffle|__v\d+[sd]i`)},
	{Complex, regexp.MustCompile(`_Complex|__complex__|__complex\b|__imag__|\bcomplex\.h|__builtin_complex`)},
	{Decimal, regexp.MustCompile(`_Decimal|[0-9.](df|dd|dl|DF|DD|DL)\b`)},
	{Float128, regexp.MustCompile(`__float128|_Float\d|__float80|__mode__ *\(.*TF|mode *\(TF`)},
	{Int128, regexp.MustCompile(`__int128|mode(__)? *\(_*TI`)},
	{Frames, regexp.MustCompile(`__builtin_(return|frame)_address|__builtin_(extract_)?return_addr|__builtin_unwind_init|__builtin_eh_return`)},
	{Apply, regexp.MustCompile(`__builtin_apply|__builtin_return\b|__builtin_va_arg_pack`)},
	{Signals, regexp.MustCompile(`\bsignal *\(|sigaction|SIGFPE|SIGSEGV`)},
	{Mapping, regexp.MustCompile(`\bmmap\b|\bmprotect\b`)},
	{Alloca, regexp.MustCompile(`\balloca\b|__builtin_alloca`)},
	{Labels, regexp.MustCompile(`(?:[=({,\[:?+-]|return)\s*&&\s*[a-zA-Z_]|goto *\*`)},
	{Nonlocal, regexp.MustCompile(`setjmp|__label__`)},
	{LongDouble, regexp.MustCompile(`long double`)},
	{Instrumented, regexp.MustCompile(`__cyg_profile|instrument`)},
	{Files, regexp.MustCompile(`\bfopen\b|\btmpnam\b|\bfdopen\b|\bfreopen\b|\bopen *\(`)},
	{Optimized, regexp.MustCompile(`\blink_error\b|__OPTIMIZE__`)},
	{ScalarStorage, regexp.MustCompile(`scalar_storage_order`)},
	{Varargs, regexp.MustCompile(`va_start|va_arg\b`)},
}

var (
	comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	asms     = regexp.MustCompile(`\b(?:__)?asm(?:__)?\b\s*(?:__)?(?:volatile|goto|inline)?(?:__)?\s*(?:volatile|goto)?\s*\(\s*"([^"]*)"`)
	renamed  = regexp.MustCompile(`\)\s*(?:__)?asm(?:__)?\s*\(\s*"`)
	trampos  = regexp.MustCompile(`dg-require-effective-target trampolines`)
)

// nested are the programs with nested functions that do not say so by the trampolines
// that they require.
var nested = strings.Fields(`20010209-1.c 20010605-1.c 20030501-1.c 20040520-1.c 20061220-1.c 20090219-1.c 920415-1.c
	920721-4.c nest-align-1.c nest-stdar-1.c nestfunc-7.c pr22061-3.c pr22061-4.c pr51447.c pr71494.c`)

// needs returns what a program makes use of.
func needs(file, text string) []Need {
	var out []Need
	if trampos.MatchString(text) || slices.Contains(nested, file) {
		out = append(out, Nested)
	}
	bare := comments.ReplaceAllString(text, " ")
	for _, p := range patterns {
		if p.re.MatchString(bare) {
			out = append(out, p.need)
		}
	}
	empty := false
	for _, m := range asms.FindAllStringSubmatch(renamed.ReplaceAllString(bare, " "), -1) {
		if strings.TrimSpace(m[1]) != "" {
			return append(out, Asm)
		}
		empty = true
	}
	if empty {
		out = append(out, EmptyAsm)
	}
	return out
}

var (
	options  = regexp.MustCompile(`dg-(?:additional-)?options\s+(?:"([^"]*)"|\{\s*"([^"]*)"\s*\})\s*(\{\s*target[^\n]*)?`)
	tclFlags = regexp.MustCompile(`(?m)^(?:set|lappend) additional_flags (.*)`)
)

// flags returns the options that the comments of a test ask for. Those for other
// machines and those about optimisation are left out, as programs are judged at -O0.
func flags(text string) []string {
	var out []string
	for _, m := range options.FindAllStringSubmatch(text, -1) {
		if m[3] != "" && !strings.Contains(m[3], "x86_64-*-*") && !strings.Contains(m[3], "fpic") || strings.Contains(m[3], "ia32") {
			continue
		}
		for _, f := range strings.Fields(m[1] + m[2]) {
			if !regexp.MustCompile(`^-(O|W|m|ftree|fno-tree|fexpensive|fno-early|fno-ira)`).MatchString(f) {
				out = append(out, f)
			}
		}
	}
	return out
}

const (
	module  = "modernc.org/ccorpus2"
	version = "v1.6.0"
)

// Folder returns the folder of the module with the programs. It downloads the module
// if it is not there.
var Folder = sync.OnceValues(func() (string, error) {
	if out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output(); err == nil {
		if dir := strings.TrimSpace(string(out)); strings.HasSuffix(dir, version) {
			return dir, nil
		}
	}
	out, err := exec.Command("go", "mod", "download", "-json", module+"@"+version).Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	var m struct{ Dir, Error string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", err
	}
	if m.Dir == "" {
		return "", errors.New(m.Error)
	}
	return m.Dir, nil
})

// suite is a folder of programs.
type suite struct {
	name     string
	folder   string
	flags    []string
	builtins bool // each program has two more files
}

const torture = "gcc/testsuite/gcc.c-torture/execute"

// suites has the later ones without what the earlier ones have by the same name.
var suites = []suite{
	{name: "gcc", folder: "gcc-9.1.0/" + torture},
	{name: "gcc/ieee", folder: "gcc-9.1.0/" + torture + "/ieee"},
	{name: "gcc/builtins", folder: "gcc-9.1.0/" + torture + "/builtins", builtins: true},
	{name: "gcc", folder: "github.com/gcc-mirror/gcc/" + torture},
	{name: "gcc/ieee", folder: "github.com/gcc-mirror/gcc/" + torture + "/ieee"},
	{name: "tcc", folder: "tcc-0.9.27/tests/tests2"},
	{name: "lacc", folder: "github.com/vnmakarov/mir/c-tests/lacc"},
	{name: "mir", folder: "github.com/vnmakarov/mir/c-tests/new"},
	{name: "mir/benchmarks", folder: "github.com/vnmakarov/mir/c-benchmarks"},
	{name: "ccgo", folder: "ccgo/bug"},
	{name: "compcert", folder: "CompCert-3.6/test/c"},
}

// Programs returns all programs, those of gcc first.
func Programs() ([]Program, error) {
	root, err := Folder()
	if err != nil {
		return nil, err
	}
	known, err := judged()
	if err != nil {
		return nil, err
	}
	var out []Program
	seen := map[string]bool{}
	for _, s := range suites {
		files, err := filepath.Glob(filepath.Join(root, "assets", filepath.FromSlash(s.folder), "*.c"))
		if err != nil {
			return nil, err
		}
		slices.Sort(files)
		for _, f := range files {
			p, ok, err := s.program(f)
			if err != nil {
				return nil, err
			}
			if !ok || seen[p.Name] {
				continue
			}
			seen[p.Name] = true
			j := known[p.Name]
			p.Code, p.Reason = j.code, j.reason
			if j.slow {
				p.Needs = append(p.Needs, Time)
			}
			out = append(out, p)
		}
	}
	return out, nil
}

var mains = regexp.MustCompile(`\bmain(_test)?\s*\(`)

// program returns the program of a file, or false if there is none in it.
func (s suite) program(file string) (Program, bool, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return Program{}, false, err
	}
	text := string(b)
	// What stands in another file is for the test's runner, in its language.
	script, _ := os.ReadFile(strings.TrimSuffix(file, ".c") + ".x")
	more := []string{}
	if m := tclFlags.FindStringSubmatch(string(script)); m != nil {
		more = strings.Fields(strings.ReplaceAll(m[1], `"`, ""))
	}
	p := Program{Name: s.name + "/" + filepath.Base(file), Files: []string{file}, Flags: slices.Concat(s.flags, more, flags(text)), Needs: needs(filepath.Base(file), text)}
	if s.builtins {
		lib := strings.TrimSuffix(file, ".c") + "-lib.c"
		if strings.HasSuffix(file, "-lib.c") {
			return p, false, nil
		}
		if _, err := os.Stat(lib); err != nil {
			return p, false, nil
		}
		p.Files = append(p.Files, lib, filepath.Join(filepath.Dir(file), "lib", "main.c"))
		p.Needs = append(p.Needs, Overrides)
		return p, true, nil
	}
	text = comments.ReplaceAllString(text, " ")
	included := strings.Contains(text, ".c\"") // a test that includes another one
	return p, mains.MatchString(text) || included, nil
}

//go:embed judged.txt
var judgedText string

type judgement struct {
	code   int
	reason string
	slow   bool
}

// judged reads what gcc says of the programs that do not end with 0 soon: a line for
// each with the name, a tab, and the exit code or a reason, and perhaps that it is slow.
func judged() (map[string]judgement, error) {
	out := map[string]judgement{}
	for line := range strings.Lines(judgedText) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return nil, fmt.Errorf("judged.txt: no tab in %q", line)
		}
		code, slow := strings.CutSuffix(rest, "\tslow")
		if n, err := strconv.Atoi(code); err == nil {
			out[name] = judgement{code: n, slow: slow}
		} else {
			out[name] = judgement{reason: rest}
		}
	}
	return out, nil
}

// Source returns the text of the program, its files one after the other.
func (p Program) Source() (string, error) {
	var all strings.Builder
	for _, f := range p.Files {
		b, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		all.Write(b)
	}
	return all.String(), nil
}

// Has reports whether the program needs one of these.
func (p Program) Has(of ...Need) bool {
	return slices.ContainsFunc(p.Needs, func(n Need) bool { return slices.Contains(of, n) })
}
