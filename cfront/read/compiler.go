package read

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"comus/cfront/command"
	"comus/internal/child"
)

// To start gcc takes longer than all else that is done with a small program. What it knows and we do not are its predefined macros, the folders of its
// headers, and which attributes and builtin functions it has. These are asked for once and kept in the user's cache folder; small units are then preprocessed here,
// with the host's headers. TestHostHeaders compares the tokens and their places with gcc's. Where gcc might differ, gcc is asked: see [ownWithHost].

// compilerFacts is what our preprocessor has to know of a compiler to do as it does.
type compilerFacts struct {
	// Programs are the compiler and its preprocessor. The facts hold as long as they are the same.
	Programs []fileState
	Macros   string          // predefined, in the form of #define
	Folders  []string        // of the system's headers, in the order of the search
	Absent   []string        // folders that would be searched if they were there
	Has      map[string]bool // what it answers, by "operator name"
}

// fileState tells whether a file is still the same.
type fileState struct {
	Path string
	Size int64
	Time int64 // of the last change, in nanoseconds
}

func stateOf(path string) (fileState, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fileState{}, err
	}
	st, err := os.Stat(path)
	if err != nil {
		return fileState{}, err
	}
	return fileState{path, st.Size(), st.ModTime().UnixNano()}, nil
}

// hold reports whether nothing has changed that the facts depend on.
func (f *compilerFacts) hold() bool {
	for _, p := range f.Programs {
		if now, err := stateOf(p.Path); err != nil || now != p {
			return false
		}
	}
	return !slices.ContainsFunc(f.Absent, func(dir string) bool { _, err := os.Stat(dir); return err == nil }) && len(f.Programs) > 0 && f.Macros != ""
}

// gnu11 reports whether the compiler reads C as our preprocessor does: C11 or C17 with GNU's additions. Others have no comments with //, or no raw strings, or keep commas before __VA_ARGS__, or have quotes within numbers. The macros tell, whichever
// flag or wrapper of the compiler says so.
func (f *compilerFacts) gnu11() bool {
	return !strings.Contains(f.Macros, "#define __STRICT_ANSI__ ") &&
		(strings.Contains(f.Macros, "#define __STDC_VERSION__ 201112L\n") || strings.Contains(f.Macros, "#define __STDC_VERSION__ 201710L\n"))
}

// attributes, operators and builtins are what the headers of the C library and of gcc ask for.
var (
	attributes = []string{"__warn_unused_result__", "__used__", "__unused__", "__returns_nonnull__", "__pure__", "__nothrow__", "__nonnull__", "__malloc__",
		"__indirect_return__", "__format_arg__", "__format__", "__deprecated__", "__const__", "__artificial__", "__always_inline__", "__alloc_align__", "__alloc_size__",
		"__noreturn__", "__attribute_deprecated_with_message__", "__gnu_inline__", "__access__", "__copy__", "__nonstring__", "__cold__", "__noinline__", "__may_alias__"}
	operators = []string{"__has_attribute", "__has_builtin", "__has_c_attribute", "__has_cpp_attribute", "__has_extension", "__has_feature", "__has_include", "__has_include_next", "__has_warning",
		"__has_embed"}
	builtins = []string{"__builtin_expect", "__builtin_fclose", "__builtin_unreachable", "__builtin_types_compatible_p", "__builtin_offsetof"}
)

// question returns a unit, and the prefix of the macros by which the compiler answers.
func question() (text, prefix string) {
	const mark = "__comus_has "
	prefix = strings.TrimSpace(mark) + "_"
	var b strings.Builder
	ask := func(operator, name string) {
		fmt.Fprintf(&b, "#ifdef %s\n#if %s(%s)\n#define %s%s_of_%s 1\n#else\n#define %s%s_of_%s 0\n#endif\n#endif\n",
			operator, operator, name, prefix, operator, name, prefix, operator, name)
	}
	for _, o := range operators {
		fmt.Fprintf(&b, "#ifdef %s\n#define %sdefined_of_%s 1\n#else\n#define %sdefined_of_%s 0\n#endif\n", o, prefix, o, prefix, o)
	}
	for _, a := range attributes {
		ask("__has_attribute", a)
	}
	for _, f := range builtins {
		ask("__has_builtin", f)
	}
	return b.String(), prefix
}

// compilerVariables of the environment change where gcc finds its programs, and headerVariables where it finds headers: the latter may name folders relative to the current one.
var (
	compilerVariables = []string{"GCC_EXEC_PREFIX", "COMPILER_PATH"}
	headerVariables   = []string{"CPATH", "C_INCLUDE_PATH"}
)

// factsOf returns the facts of a compiler, called with some flags: those that are kept, or else what it answers now. It is nil if they cannot be had or kept.
func factsOf(ctx context.Context, cc, flags []string) *compilerFacts {
	at, err := exec.LookPath(cc[0])
	if err != nil || slices.ContainsFunc(headerVariables, func(v string) bool { return os.Getenv(v) != "" }) {
		return nil
	}
	if at, err = filepath.Abs(at); err != nil {
		return nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(dir)); err != nil {
		return nil // a user without a home gets none
	}
	text, _ := question()
	h := sha256.New()
	fmt.Fprintf(h, "1 %q %q %q %q", at, cc, flags, text)
	for _, v := range compilerVariables {
		value, set := os.LookupEnv(v)
		fmt.Fprintf(h, "%q %v ", value, set)
	}
	name := filepath.Join(dir, "comus", fmt.Sprintf("cc-%x.json", h.Sum(nil)[:12]))
	var f compilerFacts
	if kept, err := os.ReadFile(name); err == nil && json.Unmarshal(kept, &f) == nil && f.hold() {
		return &f
	}
	asked := askCompiler(ctx, at, cc, flags)
	if asked == nil || keep(name, asked) != nil {
		return nil // what cannot be kept is asked for in vain the next time
	}
	return asked
}

// keep writes the facts to a file, whole or not at all.
func keep(name string, f *compilerFacts) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "cc-*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if err = cmp.Or(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// ownPreprocessorLine is where gcc -v tells which preprocessor it calls.
var ownPreprocessorLine = regexp.MustCompile(`(?m)^ ("?)(/\S*/cc1)\b`)

// askCompiler asks a compiler in one run.
func askCompiler(ctx context.Context, at string, cc, flags []string) *compilerFacts {
	text, prefix := question()
	c := &child.Filter{Env: []string{"LC_ALL=C"}, Timeout: preprocessTime, Memory: preprocessMemory, Output: 1 << 22, Stdin: []byte(text)}
	c.Argv = slices.Concat(cc, []string{"-E", "-dM", "-v", "-w"}, flags, []string{"-x", "c", "-"})
	out, messages, exit, err := c.Run(ctx)
	if err != nil || exit != 0 {
		return nil
	}
	f := &compilerFacts{Has: map[string]bool{}}
	programs := []string{at}
	if m := ownPreprocessorLine.FindSubmatch(messages); m != nil {
		programs = append(programs, string(m[2]))
	} else {
		return nil // not gcc
	}
	for _, p := range programs {
		s, err := stateOf(p)
		if err != nil {
			return nil
		}
		f.Programs = append(f.Programs, s)
	}
	var macros strings.Builder
	for line := range bytes.Lines(out) {
		rest, ok := strings.CutPrefix(string(line), "#define "+prefix)
		if !ok {
			macros.Write(line)
			continue
		}
		what, holds, _ := strings.Cut(strings.TrimSpace(rest), " ")
		operator, name, _ := strings.Cut(what, "_of_")
		f.Has[operator+" "+name] = holds == "1"
	}
	f.Macros = macros.String()
	f.searched(string(messages))
	if len(f.Folders) == 0 {
		return nil
	}
	return f
}

// searched reads the folders from what gcc -v tells.
func (f *compilerFacts) searched(messages string) {
	const absent = `ignoring nonexistent directory "`
	in := false
	for l := range strings.Lines(messages) {
		l = strings.TrimRight(l, "\n")
		switch {
		case strings.HasPrefix(l, absent):
			f.Absent = append(f.Absent, strings.TrimSuffix(l[len(absent):], `"`))
		case l == "#include <...> search starts here:":
			in = true
		case l == "End of search list.":
			in = false
		case in:
			f.Folders = append(f.Folders, strings.TrimSpace(l))
		}
	}
}

// rareSpelling is what compilers read in different ways, as options and versions have it: trigraphs, carriage returns, and blanks between a backslash and the end of its line.
var rareSpelling = regexp.MustCompile(`\?\?|\r|\\[ \t]+\n`)

// mostOwn bounds the size of a unit's file, in bytes, that is preprocessed here although there is a compiler. Larger ones take so long that the start of gcc does not count.
const mostOwn = 64 << 10

// splitFlags splits the flags for a preprocessor into those that ours understands, and those that change what the compiler predefines.
func splitFlags(words []string) (own, asked []string, ok bool) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		_, path := pathFlag[w]
		switch {
		case w == "-D" || w == "-U" || path && pathFlag[w] != nil:
			if i++; i >= len(words) {
				return nil, nil, false
			}
			own = append(own, w, words[i])
		case len(w) > 2 && (w[:2] == "-D" || w[:2] == "-U" || w[:2] == "-I"):
			own = append(own, w)
		case strings.HasPrefix(w, "-std="), w == "-ansi", w == "-pthread", strings.HasPrefix(w, "-O"), strings.HasPrefix(w, "-m") && w != "-m", w == "-fopenmp",
			w == "-funsigned-char", w == "-fsigned-char", w == "-fshort-enums", w == "-ffast-math":
			asked = append(asked, w)
		default:
			return nil, nil, false
		}
	}
	return own, asked, true
}

// ownWithHost preprocesses a unit here, with the headers of the host and as its compiler would. It is nil where that may differ from what the compiler does, or
// where the compiler would have something to say: a flag that is not understood, an error, a warning, a pragma in a file that is not one of the system's headers, an attribute or a
// function that gcc has not been asked about.
func ownWithHost(ctx context.Context, cc []string, text []byte, inv *command.Invocation, opts Options) *stream {
	if opts.ILP32 || len(text) > mostOwn || len(cc) != 1 {
		return nil
	}
	own, asked, ok := splitFlags(inv.Preprocess)
	if !ok {
		return nil
	}
	if st, err := os.Stat(inv.Path()); err != nil || !st.Mode().IsRegular() {
		return nil
	}
	facts := factsOf(ctx, cc, asked)
	if facts == nil || !facts.gnu11() {
		return nil
	}
	unit := *inv
	unit.Preprocess = own
	p := newPreprocessor(ctx, &unit, opts)
	p.facts = facts
	p.paths.extra = map[string]string{"stdatomic.h": plainInit}
	p.paths.noStandard = true
	p.quiet = true
	p.push(p.file("<built-in>"), "<built-in>", -1, []byte(facts.Macros))
	p.drain()
	p.quiet = false
	p.flags(own)
	for _, d := range slices.Concat(p.paths.quote, p.paths.angle, p.paths.system, []string{filepath.Dir(inv.File)}) {
		if _, err := os.Stat(filepath.Join(resolved(inv.Dir, d), "stdatomic.h")); err == nil {
			return nil // that one comes before ours
		}
	}
	for _, dir := range facts.Folders {
		if slices.ContainsFunc(slices.Concat(p.paths.quote, p.paths.angle, p.paths.system, p.paths.behind), func(d string) bool { return sameFolder(inv.Dir, d, dir) }) {
			return nil // gcc leaves one of them out
		}
		p.paths.add("-isystem", dir)
	}
	p.unit(text)
	if p.err != nil || len(p.warnings) > 0 || p.unlike {
		return nil
	}
	return p.stream
}

// sameFolder reports whether a folder that a flag names is the other one.
func sameFolder(base, flag, dir string) bool {
	a, err := os.Stat(resolved(base, flag))
	if err != nil {
		return false
	}
	b, err := os.Stat(dir)
	return err == nil && os.SameFile(a, b)
}

// resolved returns the path of a folder that a flag names.
func resolved(base, flag string) string {
	if filepath.IsAbs(flag) {
		return flag
	}
	return filepath.Join(base, flag)
}
