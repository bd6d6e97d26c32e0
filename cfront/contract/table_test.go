package contract

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"
)

// TestDefault parses our own table.
func TestDefault(t *testing.T) {
	table, err := Parse(nil, files()...)
	if err != nil {
		t.Fatal(err)
	}
	models, places := 0, map[Place]bool{}
	for _, f := range table.All() {
		if f.Model {
			models++
		}
		places[f.At] = true
		if f.Threads {
			t.Logf("%s calls functions of the program from another thread", f.Name)
		}
	}
	t.Logf("%d contracts, %d of functions with a model, %d states", len(table.All()), models, len(table.states))
	used := map[State]bool{"errno": true}
	for _, f := range table.All() {
		for _, s := range append(append([]State{}, f.Reads...), f.Writes...) {
			used[s] = true
		}
	}
	for s := range table.states {
		if !used[s] {
			t.Errorf("no function touches the state %s", s)
		}
	}
}

// notThreadSafe is the list of POSIX.1-2017, 2.9.1, and what C11 adds to it.
const notThreadSafe = `asctime basename catgets crypt ctime dirname dlerror drand48 endgrent endpwent
endutxent getc_unlocked getchar_unlocked getdate getenv getgrent getgrgid getgrnam gethostent
getlogin getnetbyaddr getnetbyname getnetent getopt getprotobyname getprotobynumber getprotoent
getpwent getpwnam getpwuid getservbyname getservbyport getservent getutxent getutxid getutxline
gmtime hcreate hdestroy hsearch inet_ntoa l64a lgamma lgammaf lgammal localeconv localtime lrand48
mrand48 nftw nl_langinfo ptsname putc_unlocked putchar_unlocked putenv pututxline rand readdir
setenv setgrent setpwent setutxent strerror strsignal strtok system ttyname unsetenv
wcstombs wctomb ctermid tmpnam mbrlen mbrtowc mbsnrtowcs mbsrtowcs wcrtomb wcsnrtombs wcsrtombs
mblen mbtowc setlocale srand srand48 seed48 lcong48 sethostent endhostent setnetent endnetent
setprotoent endprotoent setservent endservent getgrgid getopt_long`

func TestThreadSafety(t *testing.T) {
	for _, name := range strings.Fields(notThreadSafe) {
		f, ok := Lookup(name)
		if !ok || !f.Unsafe {
			t.Errorf("%s is not said to be unsafe", name)
		}
	}
	for _, name := range strings.Fields(`strtok_r localtime_r gmtime_r rand_r random getpwnam_r malloc
		printf strlen qsort gethostbyname_r strerror_r ttyname_r mmap pthread_create inet_ntop getaddrinfo`) {
		if f, ok := Lookup(name); !ok || f.Unsafe {
			t.Errorf("%s is said to be unsafe", name)
		}
	}
}

// TestTypes compares the sizes of types with those of gcc's target.
func TestTypes(t *testing.T) {
	var include strings.Builder
	for _, h := range headers(t) {
		if f := filepath.Join("/usr/include", h); !strings.Contains(f, "openssl") {
			fmt.Fprintf(&include, "#include <%s>\n", h)
		}
	}
	dir := t.TempDir() // the headers of 32-bit programs, as far as they matter
	if err := os.MkdirAll(filepath.Join(dir, "gnu"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gnu", "stubs-32.h"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	types := Default().Types()
	var text strings.Builder
	for i, x := range types {
		fmt.Fprintf(&text, "int s%d = sizeof(%s);\n", i, x.Spelling)
	}
	sizes := func(args ...string) map[string]string {
		out := gcc(t, include.String()+text.String(), append([]string{"-w", "-S", "-o", "-"}, args...)...)
		m := map[string]string{}
		for _, s := range regexp.MustCompile(`(?m)^(s\d+):\n\s+\.long\s+(\d+)`).FindAllStringSubmatch(out, -1) {
			m[s[1]] = s[2]
		}
		return m
	}
	check := func(model DataModel, exact bool, got map[string]string) {
		for i, x := range types {
			var n int64
			fmt.Sscan(got[fmt.Sprintf("s%d", i)], &n)
			if n > x.Size[model] || n == 0 || exact && n != x.Size[model] {
				t.Errorf("%s:%d: %s has %d bytes, not %d", x.At.File, x.At.Line, x.Name, n, x.Size[model])
			}
		}
	}
	check(LP64, true, sizes())
	include.Reset()
	for _, h := range headers(t) {
		if !strings.Contains(h, "/") || strings.HasPrefix(h, "sys/") {
			fmt.Fprintf(&include, "#include <%s>\n", h)
		}
	}
	small := []string{"-m32", "-I", dir, "-idirafter", "/usr/include/x86_64-linux-gnu"}
	check(ILP32, false, sizes(small...))
	check(ILP32, false, sizes(append(small, "-D_FILE_OFFSET_BITS=64", "-D_TIME_BITS=64")...))
}

// TestPrograms: what real programs take from the C library has a contract.
func TestPrograms(t *testing.T) {
	text, err := os.ReadFile("testdata/externals.txt")
	if err != nil {
		t.Fatal(err)
	}
	libc := map[string]bool{}
	for _, lib := range []string{"libc.so.6", "libm.so.6"} {
		f, err := elf.Open(filepath.Join("/lib/x86_64-linux-gnu", lib))
		if err != nil {
			t.Skip(err)
		}
		defer f.Close()
		symbols, err := f.DynamicSymbols()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range symbols {
			libc[s.Name] = libc[s.Name] || s.Section != elf.SHN_UNDEF
		}
	}
	var ours, others, variables, without []string
	for _, name := range strings.Fields(string(text)) {
		_, function := Lookup(name)
		_, variable := Default().Variable(name)
		switch {
		case function && libc[name]:
			ours = append(ours, name)
		case function:
			others = append(others, name)
		case variable:
			variables = append(variables, name)
		default:
			without = append(without, name)
			if libc[name] {
				t.Errorf("no contract for %s of the C library", name)
			}
		}
	}
	sort.Strings(without)
	t.Logf("of the programs' externals %d are the C library's, %d other libraries', %d variables; %d have no contract: %s",
		len(ours), len(others), len(variables), len(without), strings.Join(without, " "))
}

// TestLazy compares the table that reads contracts when they are asked for with one that has read all.
func TestLazy(t *testing.T) {
	table, err := Parse(nil, files()...)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Default().All(), table.All(); !reflect.DeepEqual(got, want) {
		for i := range min(len(got), len(want)) {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%d: %+v, not %+v", i, got[i], want[i])
			}
		}
		t.Fatalf("%d contracts, not %d", len(got), len(want))
	}
	grown, err := Parse(Default(), File{"more.txt", "state more a state\nmine(a, b) = any pure\n"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(grown.All()), len(table.All())+1; got != want {
		t.Errorf("%d contracts with one more, not %d", got, want)
	}
	if f, ok := grown.Lookup("printf"); !ok || len(f.Params) == 0 {
		t.Error("no printf any more")
	}
}
