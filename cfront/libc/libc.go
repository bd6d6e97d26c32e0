package libc

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed c/*.c *.h
var files embed.FS

// Sources returns the texts of the models and their headers (comus.h, libc.h) by file name.
var Sources = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := files.ReadFile(name)
		m[path.Base(name)] = string(b)
		return err
	})
	if err != nil {
		panic(err) // they are part of the binary
	}
	return m
})

// Index returns the file that defines it for each function and variable of the models.
var Index = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for file, text := range Sources() {
		if strings.HasSuffix(file, ".c") {
			for _, name := range defined(text) {
				m[name] = file
			}
		}
	}
	return m
})

// File returns the file that defines a function or variable, and the name it has there, which
// differs for aliases; "" if there is none.
func File(name string) (file, canonical string) {
	if to, ok := Aliases[name]; ok {
		name = to
	}
	return Index()[name], name
}

// features are the macros that a part of the models hides behind, and the functions of which a
// program mentions one if it needs that part.
var features = map[string][]string{
	"COMUS_CANCELLATION":   {"pthread_cancel"},
	"COMUS_SIGNALS":        {"signal", "sigaction"},
	"COMUS_THREADS":        {"pthread_create", "thrd_create"},
	"COMUS_CLOCKS":         {"clock_gettime"},
	"COMUS_EXIT_FUNCTIONS": {"atexit", "on_exit"},
	"COMUS_KEYS":           {"pthread_key_create"},
	"COMUS_CLEANUPS":       {"__comus_push_cleanup", "__comus_cleanup_push", "__pthread_register_cancel"},
	"COMUS_PIPES":          {"pipe", "pipe2"},
	"COMUS_STREAM_LOCKS":   {"flockfile", "ftrylockfile"},
	"COMUS_STREAM_BUFFERS": {"setvbuf", "setbuffer", "setbuf"},
}

// StoresLate is the macro for models in which a thread may run before its id is stored.
const StoresLate = "COMUS_STORES_LATE"

// hidden are the functions that libc.h's macros call with a feature.
var hidden = map[string]map[string][]string{
	"COMUS_CANCELLATION":   {"IS_CANCELLED": {"__comus_is_cancelled"}, "CANCELLATION_POINT": {"pthread_testcancel"}},
	"COMUS_SIGNALS":        {"INTERRUPTED": {"__comus_signals"}, "WAIT_INTERRUPTED": {"__comus_interrupting"}, "WAITS_FOR": {"__comus_signals"}, "INTERRUPTS": {"__comus_signals"}, "__comus_trap": {"__comus_raise_abort"}},
	"COMUS_EXIT_FUNCTIONS": {"__comus_thread_exit": {"exit"}},
	"COMUS_KEYS":           {"KEY_DESTRUCTORS": {"__comus_key_destructors"}},
	"COMUS_CLEANUPS":       {"RUN_CLEANUPS": {"__comus_run_cleanups"}},
	"COMUS_PIPES":          {"IF_PIPE": {"__comus_is_pipe"}},
	"COMUS_STREAM_LOCKS":   {"USE_STREAM": {"__comus_use_stream"}},
	"COMUS_STREAM_BUFFERS": {"USE_STREAM": {"__comus_use_buffer"}, "USE_BUFFER": {"__comus_use_buffer"}},
}

// AllDescriptors returns whether the models see all that is done with the descriptors of pipes by a program whose sources mention the names and do not define them;
// known tells whether anything is known of a function. Where they do not, COMUS_PIPES is not to be defined.
func AllDescriptors(names []string, known func(string) bool) bool {
	return !slices.ContainsFunc(names, func(n string) bool {
		file, to := File(n)
		return describes[to] || file == "" && !known(n)
	})
}

// describes are the functions that make a descriptor the same as another one, share it with another process, or read, write or await one in their own ways.
var describes = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`dup dup2 dup3 fcntl fcntl64 fork vfork _Fork forkpty daemon clone posix_spawn posix_spawnp popen system syscall ioctl
		fdopen dprintf vdprintf readv writev preadv pwritev sendfile splice tee vmsplice send recv sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg close_range closefrom
		poll ppoll select pselect epoll_ctl epoll_wait epoll_pwait aio_read aio_write lio_listio io_submit pidfd_getfd mmap fexecve
		execl execlp execle execv execvp execve execvpe signal sigaction sigwait signalfd`) {
		m[n] = true
	}
	return m
}()

// Select returns what a program needs whose sources mention the names and do not define them: files of
// the models, and macros to define (to 1) when these are read. Both are sorted.
func Select(names ...string) (sources, macros []string) {
	words := map[string]bool{}
	add := func(w string) { _, w = File(w); words[w] = true }
	for _, n := range names {
		add(n)
	}
	for before := -1; before < len(words); {
		before = len(words)
		sources, macros = nil, nil
		for macro, fs := range features {
			if slices.ContainsFunc(fs, func(f string) bool { return words[f] }) {
				macros = append(macros, macro)
			}
		}
		for w := range maps.Clone(words) {
			if f := Index()[w]; f != "" && !slices.Contains(sources, f) {
				sources = append(sources, f)
				for u := range uses(f) {
					add(u)
				}
			}
			for _, m := range macros {
				for _, u := range hidden[m][w] {
					add(u)
				}
			}
		}
	}
	slices.Sort(sources)
	slices.Sort(macros)
	return sources, macros
}

// uses returns the words of a file outside of what only a feature needs.
func uses(file string) map[string]bool {
	if m, ok := used.Load(file); ok {
		return m.(map[string]bool)
	}
	m := map[string]bool{}
	for _, w := range words(unconditional(uncommented(Sources()[file]))) {
		if Index()[w] != file {
			m[w] = true
		}
	}
	used.Store(file, m)
	return m
}

var used sync.Map // what uses has returned

// unconditional returns the text without what is between #ifdef COMUS_… and the next #else or #endif.
func unconditional(text string) string {
	var out strings.Builder
	skip := false
	for l := range strings.Lines(text) {
		switch t := strings.TrimSuffix(l, "\n"); {
		case strings.HasPrefix(t, "#ifdef COMUS_"):
			skip = true
		case t == "#else", t == "#endif":
			skip = false
		case !skip:
			out.WriteString(l)
		}
	}
	return out.String()
}

// words returns the identifiers and keywords in a text.
func words(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && isWord(text[j]) {
			j++
		}
		if j > i && (text[i] < '0' || text[i] > '9') {
			out = append(out, text[i:j])
		}
		i = max(j, i+1)
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// uncommented returns the text without comments and literals.
func uncommented(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:], "*/")
			if n < 0 {
				return out.String()
			}
			out.WriteByte(' ')
			i += n + 4
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			out.WriteByte('0')
			i++
		default:
			out.WriteByte(c)
			i++
		}
	}
	return out.String()
}

// withoutDirectives returns the text without the preprocessor's lines.
func withoutDirectives(text string) string {
	var out strings.Builder
	in := false
	for l := range strings.Lines(text) {
		if in = in || strings.HasPrefix(strings.TrimLeft(l, " \t"), "#"); !in {
			out.WriteString(l)
		}
		in = in && strings.HasSuffix(l, "\\\n")
	}
	return out.String()
}

var (
	attribute = regexp.MustCompile(`__attribute__\s*\(\(.*?\)\)`)
	external  = regexp.MustCompile(`^\s*(static|typedef|extern|enum)\b`)
	called    = regexp.MustCompile(`(\w+)\s*\(`)
	array     = regexp.MustCompile(`\[.*`)
)

// defined returns the functions and variables with external linkage that a source defines:
// as much of C's syntax as the models need.
func defined(text string) []string {
	var names []string
	text = attribute.ReplaceAllString(withoutDirectives(uncommented(text)), "")
	for text != "" {
		end := strings.IndexAny(text, ";{")
		if end < 0 {
			break
		}
		head, body := text[:end], text[end] == '{'
		text = text[end+1:]
		if body {
			text = behind(text)
		}
		function := body && strings.HasSuffix(strings.TrimSpace(head), ")") && !strings.Contains(head, "=")
		if body && !function { // a type or an initialiser, up to its semicolon
			_, text, _ = strings.Cut(text, ";")
		}
		switch {
		case external.MatchString(head):
		case function:
			names = append(names, called.FindStringSubmatch(head)[1])
		case body && !strings.Contains(head, "="), !body && called.MatchString(head):
			// a struct, a declaration of a function
		default:
			for _, d := range strings.Split(head, ",") {
				d, _, _ = strings.Cut(d, "=")
				if ws := words(array.ReplaceAllString(d, "")); len(ws) > 0 {
					names = append(names, ws[len(ws)-1])
				}
			}
		}
	}
	return names
}

// behind returns what follows the brace that closes one that was opened before the text.
func behind(text string) string {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[i+1:]
			}
		}
	}
	return ""
}
