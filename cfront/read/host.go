package read

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"comus/cfront/command"
	"comus/internal/child"
)

// preprocessTime bounds the time that the host's compiler may take for a unit.
const preprocessTime = 60 * time.Second

// preprocessMemory bounds its memory.
const preprocessMemory = 4 << 30

// hostCompiler returns the words that call the host's compiler; nil if there is none.
func hostCompiler(opts Options) []string {
	if opts.NoHost {
		return nil
	}
	var names []string
	if opts.CC != "" {
		names = append(names, opts.CC)
	} else {
		names = append(names, os.Getenv("CC"), "cc", "gcc")
	}
	for _, n := range names {
		words := strings.Fields(n) // CC may be "ccache gcc -m64"
		if len(words) == 0 {
			continue
		}
		if _, err := exec.LookPath(words[0]); err == nil {
			return words
		}
	}
	return nil
}

// multiarch holds, for each compiler, the folder of its target in /usr/include.
var multiarch sync.Map

// archFolder returns the folder of headers for the compiler's own target, "" if it has none.
func archFolder(ctx context.Context, cc []string) string {
	key := strings.Join(cc, " ")
	if v, ok := multiarch.Load(key); ok {
		return v.(string)
	}
	dir := ""
	c := &child.Filter{Argv: append(append([]string{}, cc...), "-print-multiarch"), Timeout: 10 * time.Second, Memory: preprocessMemory, Output: 1 << 16}
	if out, _, exit, err := c.Run(ctx); err == nil && exit == 0 {
		if d := filepath.Join("/usr/include", strings.TrimSpace(string(out))); d != "/usr/include" {
			dir = d
		}
		multiarch.Store(key, dir)
	}
	return dir
}

// preprocess runs the host's compiler on a unit.
//
// The definitions of macros are asked for too (-dD): see aligner. For ILP32 the headers of the
// 64-bit target are searched behind all others, and an empty gnu/stubs-32.h is given: nothing
// else in glibc's headers depends on 32-bit libraries being installed.
func preprocess(ctx context.Context, cc []string, inv *command.Invocation, text []byte, opts Options) ([]byte, error) {
	args := append(append([]string{}, cc...), "-E", "-dD")
	if opts.ILP32 {
		args = append(args, "-m32")
	}
	args = append(args, inv.Preprocess...)
	if opts.ILP32 {
		tmp, err := folderWith("gnu/stubs-32.h", "")
		if err != nil {
			return nil, err
		}
		defer tmp.Remove()
		if dir := archFolder(ctx, cc); dir != "" {
			args = append(args, "-idirafter", dir)
		}
		args = append(args, "-idirafter", tmp.Path)
	}
	out, err := runPreprocessor(ctx, cc, inv, text, args, opts)
	if err != nil || !usesAtomicStore(out) {
		return out, err
	}
	tmp, err := folderWith("stdatomic.h", plainInit)
	if err != nil {
		return nil, err
	}
	defer tmp.Remove()
	return runPreprocessor(ctx, cc, inv, text, append(args, "-isystem", tmp.Path), opts)
}

// plainInit is a <stdatomic.h> before gcc's own, whose atomic_init is an atomic store. C11 says that it is none (7.17.2.1p2): a
// concurrent access of the object is a data race, even an atomic one.
const plainInit = `#include_next <stdatomic.h>
#undef atomic_init
#define atomic_init(p, v) __extension__ ({ \
  __auto_type __atomic_store_ptr = (p); \
  *(__typeof__((void)0, *__atomic_store_ptr) *)__atomic_store_ptr = (v); \
  (void)0; })
`

// usesAtomicStore reports whether a unit uses a macro of gcc's <stdatomic.h> that may be atomic_init.
func usesAtomicStore(out []byte) bool {
	if !bytes.Contains(out, []byte("#define atomic_init(")) {
		return false
	}
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte("#")) && bytes.Contains(line, []byte("__atomic_store_ptr")) {
			return true
		}
	}
	return false
}

// folderWith makes a folder with a header in it.
func folderWith(header, text string) (*child.Folder, error) {
	tmp, err := child.TempDir("comus-cpp-")
	if err != nil {
		return nil, err
	}
	name := filepath.Join(tmp.Path, header)
	if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
		err = os.WriteFile(name, []byte(text), 0o644)
	}
	if err != nil {
		tmp.Remove()
		return nil, err
	}
	return tmp, nil
}

// runPreprocessor runs the host's compiler with some arguments.
func runPreprocessor(ctx context.Context, cc []string, inv *command.Invocation, text []byte, args []string, opts Options) ([]byte, error) {
	c := &child.Filter{Dir: inv.Dir, Env: []string{"LC_ALL=C"}, Timeout: preprocessTime, Memory: preprocessMemory, Output: cmp.Or(opts.MaxFileSize, DefaultMaxFileSize) + 1}
	args = slices.Clone(args)
	file := fileWord(inv.File)
	if st, err := os.Stat(inv.Path()); err == nil && !st.Mode().IsRegular() { // a pipe cannot be read twice
		file, c.Stdin = "-", append(fmt.Appendf(nil, "# 1 %q\n", inv.File), text...)
		args = append(args, "-iquote", filepath.Dir(inv.File))
	}
	c.Argv = append(args, "-w", "-x", "c", file)
	out, messages, exit, err := c.Run(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &Error{Pos: Pos{File: label(inv.Dir, inv.File)}, Msg: fmt.Sprintf("%s -E: %v", cc[0], err)}
	case exit != 0:
		return nil, compilerError(cc[0], inv, messages)
	}
	return out, nil
}

// fileWord keeps a file's name from being taken for a flag.
func fileWord(name string) string {
	if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "@") {
		return "./" + name
	}
	return name
}

// compilerMessage matches a message of gcc or clang.
var compilerMessage = regexp.MustCompile(`^(.*?):(\d+):(?:(\d+):)? (fatal error|error): (.*)$`)

var (
	missingHeader = regexp.MustCompile(`^(?:'([^']+)' file not found.*|(.+): No such file or directory)$`)
	wrongFlag     = regexp.MustCompile(`(?m)^\S*(?:cc|gcc|clang)\S*: (?:fatal )?error: (.*)$`)
)

// compilerError makes the first error that a compiler told.
func compilerError(cc string, inv *command.Invocation, messages []byte) error {
	for _, l := range bytes.Split(messages, []byte("\n")) {
		m := compilerMessage.FindStringSubmatch(string(l))
		if m == nil {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		e := &Error{Pos: Pos{File: label(inv.Dir, m[1]), Line: line, Col: col}, Msg: m[5]}
		if h := missingHeader.FindStringSubmatch(m[5]); h != nil {
			return noHeader(e.Pos, h[1]+h[2])
		}
		if rest, ok := strings.CutPrefix(e.Msg, "#error "); ok {
			e.Msg = "#error " + rest
		}
		return e
	}
	if m := wrongFlag.FindSubmatch(messages); m != nil {
		return &Error{Pos: Pos{File: label(inv.Dir, inv.File)}, Msg: cc + ": " + string(m[1])}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(messages)), "\n")
	return &Error{Pos: Pos{File: label(inv.Dir, inv.File)}, Msg: cc + " -E fails: " + first}
}

// noHeader is the error for a header that is not found.
func noHeader(pos Pos, name string) error {
	return &Error{Pos: pos, Msg: "no header " + name, Hint: "-I FOLDER tells where to look for headers"}
}
