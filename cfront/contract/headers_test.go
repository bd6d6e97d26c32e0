package contract

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// A prototype is a declaration of a function in a header of the C library.
type prototype struct {
	result     string
	params     []string
	variadic   bool
	attributes []attribute
}

type attribute struct {
	name string
	args []string
}

// headers are the headers that contracts name and this machine has. The others are of
// libraries that need not be installed.
func headers(t *testing.T) []string {
	seen := map[string]bool{}
	var hs []string
	for _, f := range All() {
		h := f.Header
		if h == "" || seen[h] {
			continue
		}
		seen[h] = true
		for _, dir := range []string{"/usr/include", "/usr/include/x86_64-linux-gnu"} {
			if _, err := os.Stat(filepath.Join(dir, h)); err == nil {
				hs = append(hs, h)
				break
			}
		}
	}
	if len(hs) < 80 {
		t.Skipf("only %d of the C library's headers are installed", len(hs))
	}
	sort.Strings(hs)
	return hs
}

// gcc runs gcc on a text and returns its output.
func gcc(t *testing.T, text string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	cmd := exec.Command("gcc", append([]string{"-D_GNU_SOURCE", "-x", "c", "-"}, args...)...)
	cmd.Stdin = strings.NewReader(text)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("gcc: %v\n%s", err, errors.String())
	}
	return string(out)
}

var auxLine = regexp.MustCompile(`^/\* \S+ \*/ (?:extern |static )?(.*?)([A-Za-z_]\w*) \((.*)\);`)

// prototypes asks gcc for what the headers declare.
func prototypes(t *testing.T, include string) map[string]*prototype {
	aux := filepath.Join(t.TempDir(), "aux")
	gcc(t, include, "-w", "-fsyntax-only", "-aux-info", aux)
	text, err := os.ReadFile(aux)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*prototype{}
	for _, line := range strings.Split(string(text), "\n") {
		m := auxLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		p := &prototype{result: strings.TrimSpace(m[1])}
		for _, param := range split(m[3]) {
			switch param {
			case "void":
			case "...":
				p.variadic = true
			default:
				p.params = append(p.params, param)
			}
		}
		all[m[2]] = p
	}
	declaration := regexp.MustCompile(`([A-Za-z_]\w*) \(`)
	for _, d := range declarations(gcc(t, include, "-w", "-E", "-P")) {
		if strings.Contains(d, "gnu_inline") {
			continue // speaks of the parameters of another function
		}
		plain, attributes := strip(d)
		m := declaration.FindStringSubmatch(plain)
		if m != nil && all[m[1]] != nil {
			all[m[1]].attributes = append(all[m[1]].attributes, attributes...)
		}
	}
	return all
}

// split splits at commas outside of parentheses.
func split(s string) []string {
	var parts []string
	depth, from := 0, 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" {
		parts = append(parts, rest)
	}
	return parts
}

// declarations splits a preprocessed text at the semicolons outside of braces.
func declarations(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	var ds []string
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ';' && depth == 0:
			ds = append(ds, text[from:i])
			from = i + 1
		}
	}
	return ds
}

// strip takes the attributes out of a declaration.
func strip(d string) (plain string, as []attribute) {
	for {
		i := strings.Index(d, "__attribute__")
		if i < 0 {
			break
		}
		j, depth := i, 0
		for j < len(d) {
			if d[j] == '(' {
				depth++
			} else if d[j] == ')' {
				if depth--; depth == 0 {
					break
				}
			}
			j++
		}
		inner := strings.TrimSpace(d[i+len("__attribute__") : j])
		inner = strings.TrimSpace(strings.TrimPrefix(inner, "("))
		inner = strings.TrimSuffix(strings.TrimPrefix(inner, "("), ")")
		for _, a := range split(inner) {
			name, args, _ := strings.Cut(a, "(")
			name = strings.Trim(strings.TrimSpace(name), "_")
			args = strings.TrimSuffix(strings.TrimSpace(args), ")")
			as = append(as, attribute{name, split(args)})
		}
		d = d[:i] + d[j+1:]
	}
	return regexp.MustCompile(`(\w)\(`).ReplaceAllString(d, "$1 ("), as
}

// pointers are types that are pointers under another name.
var pointers = map[string]bool{
	"locale_t": true, "__locale_t": true, "iconv_t": true, "nl_catd": true,
	"__compar_fn_t": true, "__compar_d_fn_t": true, "comparison_fn_t": true,
	"thrd_start_t": true, "tss_dtor_t": true, "wctrans_t": true,
	"gcry_cipher_hd_t": true, "__SOCKADDR_ARG": true, "__CONST_SOCKADDR_ARG": true,
}

// functions are types that are pointers to functions under another name.
var functions = regexp.MustCompile(`_fn_t$|_func_t$|^thrd_start_t$|^tss_dtor_t$|sighandler_t$|^__action_fn_t$|_start_t$|\(\*\) \(|\(\*`)

func isPointer(c string) bool {
	return strings.Contains(c, "*") || pointers[c] || functions.MatchString(c)
}

func isFunction(c string) bool { return functions.MatchString(c) && !strings.Contains(c, ") *") }

// isConstant tells whether a pointer's object cannot be written through it.
func isConstant(c string) bool {
	if c == "__CONST_SOCKADDR_ARG" {
		return true
	}
	i := strings.LastIndex(c, "*")
	if i < 0 {
		return false
	}
	object := strings.TrimSpace(c[:i])
	if strings.Contains(object, "*") {
		return strings.HasSuffix(object, "const")
	}
	return strings.Contains(" "+object+" ", " const ")
}

// readOnly are parameters that are not written although their type allows it, as
// documentation and source say: function, parameter.
var readOnly = map[string]string{
	"timer_create": "ev", "semop": "ops", "semtimedop": "ops",
	"epoll_ctl": "ev", "lio_listio": "ev", "getaddrinfo_a": "ev", "gai_error": "req",
	"seed48": "x", "lcong48": "x", "seed48_r": "x", "lcong48_r": "x", "__cmsg_nxthdr": "m c",
	"msync":       "addr",
	"sigreturn":   "scp",
	"fopencookie": "cookie",
	"longjmp":     "env", "_longjmp": "env", "siglongjmp": "env", "sem_getvalue": "s", "lfind": "n",
	"alphasort": "a b", "alphasort64": "a b", "versionsort": "a b",
	"_obstack_memory_used": "o",
	"pthread_exit":         "v", "tss_set": "v", "on_exit": "arg", // kept, but not followed
}

// byValue are functions that take a struct or union by value and follow its pointers.
var byValue = map[string]bool{
	"fopencookie": true, "hsearch": true, "hsearch_r": true, "sigqueue": true, "pthread_sigqueue": true, "clone": true,
}

func TestPrototypes(t *testing.T) {
	var include strings.Builder
	hs := headers(t)
	for _, h := range hs {
		fmt.Fprintf(&include, "#include <%s>\n", h)
	}
	declared := prototypes(t, include.String())
	checked, attributes := 0, 0
	for _, f := range All() {
		p := declared[f.Name]
		if p == nil {
			if contains(hs, f.Header) && !undeclared[f.Name] && !strings.HasPrefix(f.Name, "__") {
				t.Errorf("%s:%d: %s is not declared in %s", f.At.File, f.At.Line, f.Name, f.Header)
			}
			continue
		}
		checked++
		attributes += len(p.attributes)
		complain := func(format string, args ...any) {
			t.Errorf("%s:%d: %s: %s; it is %s(%s) %v", f.At.File, f.At.Line, f.Name, fmt.Sprintf(format, args...),
				p.result, strings.Join(p.params, ", "), p.attributes)
		}
		if len(p.params) != len(f.Params) || p.variadic != (f.Variadic != nil) {
			complain("other parameters")
			continue
		}
		checkResult(f, p, complain)
		for i := range f.Params {
			checkParam(f, &f.Params[i], p.params[i], complain)
		}
		for _, a := range p.attributes {
			checkAttribute(f, p, a, complain)
		}
	}
	t.Logf("%d contracts compared with their prototypes and %d attributes", checked, attributes)
	if checked < 1000 {
		t.Errorf("only %d prototypes", checked)
	}
}

// undeclared are functions that glibc 2.36 has, or once had, without a declaration.
var undeclared = map[string]bool{
	"bsd_signal": true, "cfree": true, "gets": true, "sigvec": true,
	"sigsetjmp": true, "res_init": true, // macros
	"strlcpy": true, "strlcat": true, // since 2.38
}

type complaint func(format string, args ...any)

func checkResult(f *Function, p *prototype, complain complaint) {
	if (p.result == "void") != (len(f.Results) == 0) {
		complain("void or not")
	}
	for _, v := range f.Results {
		switch v.Kind {
		case Null, Fresh, Into, Same, BelowParam, Static, ThreadLocal, Kept:
			if !isPointer(p.result) {
				complain("a pointer is returned")
			}
		case Within, Error:
			if isPointer(p.result) && v.Kind == Error {
				complain("no pointer is returned")
			}
		}
	}
}

func checkParam(f *Function, q *Param, c string, complain complaint) {
	pointer := isPointer(c)
	switch {
	case strings.Contains(c, "va_list"):
		if !q.VaList {
			complain("%s is a va_list", q.Name)
		}
		return
	case byValue[f.Name] && !pointer:
		return
	case !pointer && !q.Inert():
		complain("%s is no pointer", q.Name)
		return
	case pointer && q.Inert() && !q.Ignored:
		complain("nothing said about the pointer %s", q.Name)
		return
	case pointer && isFunction(c):
		if len(q.Calls) == 0 {
			complain("%s is not called", q.Name)
		}
		return
	}
	if !pointer || q.Handle != "" || q.Passed || q.Ignored {
		return
	}
	if isConstant(c) {
		for _, a := range q.Accesses {
			if a.Writes && !reviewed[f.Name+" write "+q.Name] && !(len(a.Extent) == 1 && (a.Extent[0].Kind == Below || a.Extent[0].Kind == Deep)) {
				complain("%s is constant", q.Name)
			}
		}
	} else if !q.Writes() && !kept(q) && !contains(strings.Fields(readOnly[f.Name]), q.Name) {
		complain("%s is not constant, is it not written?", q.Name)
	}
}

func kept(q *Param) bool {
	for _, k := range q.Retains {
		if len(k.Accesses) > 0 {
			return true
		}
	}
	return q.Frees
}

func checkAttribute(f *Function, p *prototype, a attribute, complain complaint) {
	number := func(i int) int { n, _ := strconv.Atoi(a.args[i]); return n }
	nullable := func(i int) bool { return f.Params[i].Nullable }
	switch a.name {
	case "nonnull":
		for i := range f.Params {
			if isPointer(p.params[i]) && (len(a.args) == 0 || contains(a.args, strconv.Itoa(i+1))) && nullable(i) && !reviewed[f.Name+" null "+f.Params[i].Name] {
				complain("%s must not be null", f.Params[i].Name)
			}
		}
	case "pure":
		if f.Purity == Impure && !reviewed[f.Name+" pure"] {
			complain("it is pure")
		}
	case "const":
		if f.Purity != Const && !reviewed[f.Name+" const"] {
			complain("it is const")
		}
	case "noreturn":
		if !f.NoReturn {
			complain("it does not return")
		}
	case "returns_twice":
		if !f.Twice {
			complain("it returns twice")
		}
	case "leaf":
		for _, q := range f.Params {
			for _, c := range q.Calls {
				if c.When == Now && !reviewed[f.Name+" leaf"] {
					complain("it does not call %s", q.Name)
				}
			}
		}
	case "format":
		if number(1) > len(f.Params) {
			complain("%v", a)
			return
		}
		q := &f.Params[number(1)-1]
		want := map[string]Format{"printf": Printf, "scanf": Scanf}[strings.Trim(a.args[0], "_")]
		if q.Format != want && want != NoFormat {
			complain("%s is a format", q.Name)
		}
	case "malloc":
		for _, v := range f.Results {
			if len(a.args) == 0 && v.Kind != Null && v.Kind != Fresh && !reviewed[f.Name+" malloc"] {
				complain("the result is new")
			}
		}
	case "returns_nonnull":
		for _, v := range f.Results {
			if v.Kind == Null || v.Kind == Any {
				complain("the result is not null")
			}
		}
	case "access":
		checkAccess(f, a, complain)
	}
}

func checkAccess(f *Function, a attribute, complain complaint) {
	i, _ := strconv.Atoi(a.args[1])
	q := &f.Params[i-1]
	if reviewed[f.Name+" access "+q.Name] {
		return
	}
	bounded := len(a.args) < 3
	if !bounded {
		n, _ := strconv.Atoi(a.args[2])
		for _, x := range q.Accesses {
			for _, l := range x.Extent {
				for _, factor := range l.Bytes {
					bounded = bounded || factor.Kind == ParamValue && factor.Param == n-1
				}
			}
		}
	}
	if !bounded {
		complain("%s is not bounded as its attribute says", q.Name)
	}
	reads, writes := false, false // the object itself
	for _, x := range q.Accesses {
		if x.Extent[0].Kind != Below {
			reads, writes = reads || x.Reads, writes || x.Writes
		}
	}
	switch strings.Trim(a.args[0], "_") {
	case "read_only":
		if writes || !reads {
			complain("%s is only read", q.Name)
		}
	case "write_only":
		if reads || !writes {
			complain("%s is only written", q.Name)
		}
	case "read_write":
		if !reads || !writes {
			complain("%s is read and written", q.Name)
		}
	}
}

// reviewed are differences from attributes that were looked into, with reasons beside.
var reviewed = map[string]bool{
	"iconv_open malloc":           true, // -1 on failure
	"poll access fds":             true, // events are read
	"ppoll access fds":            true,
	"getopt write argv":           true, // it permutes argv, which POSIX' prototype does not tell
	"getopt_long write argv":      true,
	"getopt_long_only write argv": true,
}
