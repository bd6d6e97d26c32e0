package randapp_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"comus/internal/long"
	"comus/internal/randapp"
	"comus/internal/randc"
	"comus/internal/randprog"
	"comus/internal/randrace"
	"comus/internal/randrel"
	"comus/internal/randseq"
	"comus/internal/randstr"
)

// generators make programs of seeds.
var generators = map[string]func(seed uint64) string{
	"randapp": func(seed uint64) string { return randapp.New(seed, randapp.Options{}).Text },
	"randc":   func(seed uint64) string { return randc.Program(seed, randc.All) },
	"randprog": func(seed uint64) string {
		if seed%2 == 0 {
			return randprog.Synchronised(seed)
		}
		return randprog.Generate(seed, randprog.Options{Features: randprog.Full})
	},
	"randrace": func(seed uint64) string {
		kinds := []func(uint64) string{randrace.Program, randrace.Batch, randrace.Signals, randrace.Sync, randrace.Rounds, randrace.Joined, randrace.Jumps, randrace.Queues}
		return kinds[seed%uint64(len(kinds))](seed)
	},
	"randrel": func(seed uint64) string { return randrel.Program(seed, func(string) bool { return true }) },
	"randseq": func(seed uint64) string {
		p := randseq.Generate(seed, "f")
		return p.Decls + strings.Join(p.Exprs, ";\n")
	},
	"randstr": randstr.Program,
}

// constructs are what programs are made of; see the table in the package's comment.
var constructs = []struct {
	name, pattern, by string
}{
	{"a thread is created", `pthread_create\(`, "randapp"},
	{"threads created in a loop", `for [^\n]*\{?\n([^\n}]*\n){0,6}?[^\n]*pthread_create\(|while[^\n]*pthread_create`, "randapp"},
	{"ids in an array", `pthread_create\(&\w+\[\w+\],`, "randapp"},
	{"ids in an array of structs", `pthread_create\(&\w+\[\w+\]\.\w+,`, "randapp"},
	{"a number as the argument", `\(void \*\)\((intptr_t|long|size_t)\)`, "randapp"},
	{"an argument that the thread frees", `free\(arg\)`, "randapp"},
	{"results of threads", `pthread_join\([^,]*, &`, "randapp"},
	{"lock in a struct, &p->lock", `lock\(&\w+->`, "randapp"},
	{"&p->lock given to the program's function", `(acquire|release|up|take)\(&\w+->\w+\)`, "randapp"},
	{"lock in an array of structs", `pthread_mutex_lock\(&[^;\n]*\]\.\w+\)|&p->buckets\[|&p->accounts\[`, "randapp"},
	{"struct on the heap with a lock", `(malloc|calloc)\([^;]*sizeof`, "randapp"},
	{"array in a struct with a lock", `(?s)struct \w+ \{[^}]*pthread_\w+_t \w+;[^}]*\[\d+\];|struct \w+ \{[^}]*\[\d+\];[^}]*pthread_\w+_t`, "randapp"},
	{"index from an argument", `start`, "randapp"},
	{"pointer to a member", `= &\w+->\w+;`, "randapp"},
	{"trylock", `trylock\(`, "randapp"},
	{"recursive or error-checking mutex", `mutexattr_settype`, "randapp"},
	{"condition in a wait loop", `while \([^\n]*\)\n? *pthread_cond_wait`, "randapp"},
	{"readers and writers", `rwlock_rdlock`, "randapp"},
	{"semaphore in a struct", `sem_wait\(&\w+->`, "randapp"},
	{"barrier in a struct", `barrier_wait\(&\w+->`, "randapp"},
	{"spin lock", `pthread_spin_lock\(`, "randapp"},
	{"pthread_once", `pthread_once\(`, "randapp"},
	{"data of each thread", `pthread_getspecific\(`, "randapp"},
	{"__thread", `__thread|_Thread_local`, "randapp"},
	{"cancellation", `pthread_cancel\(`, "randapp"},
	{"cleanup handlers", `cleanup_push\(`, "randapp"},
	{"C11 atomics", `atomic_(fetch|load|store|init)`, "randapp"},
	{"__sync and __atomic", `__sync_|__atomic_`, "randapp"},
	{"realloc", `realloc\(`, "randapp"},
	{"aligned allocation", `aligned_alloc\(|posix_memalign\(`, "randapp"},
	{"wrapper of allocation", `xmalloc\(`, "randapp"},
	{"flexible array", `\w+\[\];`, "randapp"},
	{"memset, memcpy", `mem(set|cpy)\(`, "randapp"},
	{"strcpy, strcat, strlen", `str(cpy|cat|len)\(`, "randapp"},
	{"snprintf", `snprintf\(`, "randapp"},
	{"strcmp, memcmp", `(strn?|mem)cmp\(`, "randapp"},
	{"function pointers in structs", `\(\*\w+\)\(struct`, "randapp"},
	{"(void *)-1 and the like", `\(void \*\)-1|MAP_FAILED|PTHREAD_CANCELED`, "randapp"},
	{"limits of types", `(LONG|INT|SHRT|INT64|INTPTR)_MIN|(SIZE|UINTPTR|ULONG|UINT)_MAX`, "randapp"},
	{"linked list", `->next\b`, "randapp"},
	{"list by a pointer to a pointer", `\*\*`, "randapp"},
	{"counts of references", `\brefs\b`, "randapp"},
	{"static variables of functions", `\n +static `, "randapp"},
	{"struct in a struct", `->in\d?\.`, "randapp"},
	{"bit-fields", `\w+ : \d+`, "randapp"},
	{"tagged unions, switch", `(?s)union.*switch`, "randapp"},
	{"struct assignment", `struct \w+ x = |= \*x`, "randapp"},
	{"signal handler", `sigaction\(|signal\(SIG`, "randapp"},
	{"timer", `timer_create\(`, "randapp"},
	{"fork", `\bfork\(`, "randapp"},
	{"pipe", `\bpipe\(`, "randapp"},
	{"goto", `\bgoto\b`, "randapp"},
	{"variable arguments", `va_start`, "randapp"},
	{"floats", `\b(double|float)\b`, "randapp"},
	{"variable-length arrays, alloca", `alloca`, "randc"},
	{"qsort, bsearch", `qsort|bsearch`, "randc"},
	{"sscanf, strtol", `sscanf|strtol`, "randc"},
	{"setjmp", `setjmp`, "randc"},
	{"computed addresses, container_of", `container_of`, "randapp"},
	{"recursion", `n - 1`, "randseq"},
	{"detached threads", `pthread_detach|DETACHED`, "randapp"},
	{"timed waits", `timedwait|timedlock`, "randapp"},
	{"sums and differences of counters", `assert`, "randrel"},
	{"strncpy, strnlen", `strncpy|strnlen`, "randstr"},
	{"queues of pointers", `struct item \*`, "randrace"},
}

// written are patterns for programs that people have written, of constructs that generators write in one way.
var written = map[string]string{
	"threads created in a loop":                `(?s)(for|while) ?\([^;{}]*(;[^;{}]*;[^;{}]*)?\)[^}]{0,400}pthread_create\(`,
	"ids in an array":                          `pthread_create\([^,;]*(\[|\+)[^,;]*,`,
	"ids in an array of structs":               `pthread_create\(&[^,;]*(\]|\))(\.|->)\w+,`,
	"a number as the argument":                 `pthread_create\([^;]*\(void \*\) ?\(*(intptr_t|long|size_t|unsigned|[1-9]|i\b|n\b|id\b)`,
	"an argument that the thread frees":        `free\((\(void \*\))?(arg|args|data|param|ctx|_arg)\)`,
	"&p->lock given to the program's function": `\b[a-z]+_?\w*\(&\(?\w+\)?->\w*(lock|mutex|mtx|mu)\w*[,)]`,
	"lock in an array of structs":              `lock\(&\(?[^;()]*(\]|\+ \w+\))(\.|->)\w+\)`,
	"array in a struct with a lock":            `(?s)struct \w+ \{[^}]*(pthread_(mutex|rwlock|cond|barrier|spinlock)_t|sem_t) \w+ ?;[^}]*\[\w+\] ?;|struct \w+ \{[^}]*\[\w+\] ?;[^}]*(pthread_(mutex|rwlock|cond|barrier|spinlock)_t|sem_t) \w+ ?;`,
	"index from an argument":                   `argv\[|argv \+|atoi\(|strtol\(`,
	"condition in a wait loop":                 `(?s)while ?\([^;]{0,200}pthread_cond_(timed)?wait\(|while \(1\) \{.{0,400}?pthread_cond_wait\(`,
	"barrier in a struct":                      `barrier_wait\(&`,
	"wrapper of allocation":                    `\b(\w+_)?(x|s|safe|e|my|z|must|checked|mem|z_?|w)_?(m|c|re)?alloc\(`,
	"flexible array":                           `\w+\[0?\] ?;`,
	"function pointers in structs":             `(?s)struct \w+ \{[^}]*\(\*\w+\) ?\(`,
	"(void *)-1 and the like":                  `\(void \*\)\(?-1|MAP_FAILED|PTHREAD_CANCELED|\(void \*\)0xf{8,16}`,
	"counts of references":                     `\b(\w*ref_?(s|cnt|count|counter|erences)|refs)\b`,
	"struct in a struct":                       `->\w+\.\w+`,
	"struct assignment":                        `= ?\*\w+ ?;`,
	"timer":                                    `timer_create\(|setitimer\(`,
	"computed addresses, container_of":         `container_of|offsetof|&\(\(struct \w+ \*\)0\)->`,
	"a thread is created":                      `pthread_create\(`,
	"queues of pointers":                       `\b(en|de)?queue\w*\(`,
	"sums and differences of counters":         `\w+ \+= \w+`,
}

// TestConstructs finds each construct in programs of the generator that is said to make it.
func TestConstructs(t *testing.T) {
	long.Only(t)
	seeds := uint64(600)
	texts := map[string][]string{}
	for name, f := range generators {
		for i := range seeds {
			if i >= 60 && name != "randapp" {
				break // they are long, or have everything often
			}
			texts[name] = append(texts[name], f(2_800_000+i))
		}
	}
	for _, c := range constructs {
		re := regexp.MustCompile(c.pattern)
		var by []string
		for _, name := range []string{"randapp", "randc", "randprog", "randrace", "randrel", "randseq", "randstr"} {
			n := 0
			for _, text := range texts[name] {
				if !testing.Verbose() && (name != c.by || n > 0) {
					break
				}
				if re.MatchString(text) {
					n++
				}
			}
			if n > 0 {
				by = append(by, fmt.Sprintf("%s %d %%", name, (100*n+len(texts[name])-1)/len(texts[name])))
			}
			if name == c.by && n == 0 {
				t.Errorf("%s: %s makes it in none of %d programs", c.name, name, len(texts[name]))
			}
		}
		t.Logf("%-40s %s", c.name, strings.Join(by, ", "))
	}
}

var prototypes = regexp.MustCompile(`(?m)^\w[^\n{]*\([^\n{]*;$`)

// TestCorpus counts programs of a folder that have each construct, for COMUS_CORPUS.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("COMUS_CORPUS")
	if dir == "" {
		t.Skip("COMUS_CORPUS is not set")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.c"))
	for _, c := range constructs {
		re := regexp.MustCompile(cmp.Or(written[c.name], c.pattern))
		n := 0
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			// cilly writes "& x", and has a declaration of what is not called, too
			text = prototypes.ReplaceAll(bytes.ReplaceAll(text, []byte("& "), []byte("&")), nil)
			if re.Match(text) {
				n++
			}
		}
		t.Logf("%-40s %d of %d", c.name, n, len(files))
	}
}
