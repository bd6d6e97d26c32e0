package libc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"comus/internal/long"
)

// gcc runs the C compiler in a folder.
func gcc(t *testing.T, folder string, args ...string) {
	t.Helper()
	cmd := exec.Command("gcc", args...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("gcc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// needHost skips the test where there is no gcc with glibc's headers.
func needHost(t *testing.T) {
	for _, tool := range []string{"gcc", "objcopy"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	if _, err := os.Stat("/usr/include/pthread.h"); err != nil {
		t.Skip(err)
	}
}

// unit writes all models as one file and returns its name.
func unit(t *testing.T, folder string) string {
	var all strings.Builder
	var names []string
	for name := range Sources() {
		if strings.HasSuffix(name, ".c") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&all, "#line 1 %q\n%s", name, Sources()[name])
	}
	file := filepath.Join(folder, "all.c")
	if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestCompiled has gcc compile the models with glibc's headers and with libc.h alone, for both data
// models, with and without the parts that only some programs need.
func TestCompiled(t *testing.T) {
	long.Only(t)
	needHost(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	all := unit(t, dir)
	common := []string{"-std=gnu11", "-fsyntax-only", "-fno-builtin", "-Wall", "-Wextra", "-Werror", "-I", here}
	var features_ []string
	for f := range features {
		features_ = append(features_, "-D"+f)
	}
	own, err := exec.Command("gcc", "-print-file-name=include").Output()
	if err != nil {
		t.Fatal(err)
	}
	gcc(t, dir, append(common, "-include", filepath.Join(here, "testdata/host.h"), all)...)
	for _, m := range []string{"-m64", "-m32"} {
		alone := append(common, m, "-nostdinc", "-isystem", strings.TrimSpace(string(own)), all)
		gcc(t, dir, append(alone, features_...)...)
		gcc(t, dir, append(alone, "-DCOMUS_WAKEUPS", "-DCOMUS_MALLOC_MAY_FAIL", "-DCOMUS_PTHREAD_CREATE_MAY_FAIL", "-DCOMUS_THRD_CREATE_MAY_FAIL", "-Wno-unused-function")...)
	}
	for name := range Sources() {
		if strings.HasSuffix(name, ".c") {
			gcc(t, dir, append(common, "-nostdinc", "-isystem", strings.TrimSpace(string(own)), filepath.Join(here, "c", name))...)
		}
	}
}

var mentioned = regexp.MustCompile(`\bmodel_(\w+)|\b(?:CALL|VOID|NULLNESS|SIGN|PARSE|CLASS|OPENED|EXEC|ONE|TWO|ONE_FLOAT|TWO_FLOAT|INT|CLASSIFY)\((\w+)|\b(?:OUTCOME|CALL_TYPE|MATH)\(\w+, (\w+)|\b(?:SET_GET)\(\w+, (\w+), (\w+)`)

// compared returns the models' functions that the drivers call.
func compared(t *testing.T) []string {
	t.Helper()
	var names []string
	drivers, _ := filepath.Glob("testdata/compare*.c")
	for _, d := range drivers {
		text, err := os.ReadFile(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mentioned.FindAllStringSubmatch(string(text), -1) {
			for _, name := range m[1:] {
				if Index()[name] != "" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// TestCompared asks for a comparison of each function and variable.
func TestCompared(t *testing.T) {
	names := compared(t)
	for name := range Index() {
		if !slices.Contains(names, name) && !strings.HasPrefix(name, "__comus_") && name != "errno" && name != "environ" && !strings.HasPrefix(name, "__v") && Index()[name] != "verifier.c" {
			t.Errorf("no driver in testdata calls %s", name)
		}
	}
}

// undeclared are the types of functions that glibc's headers do not declare.
var undeclared = map[string]string{
	"__assert": "void (const char *, const char *, int) __attribute__((noreturn))", "__longjmp_chk": "void (jmp_buf, int) __attribute__((noreturn))",
	"__xpg_strerror_r": "int (int, char *, size_t)", "__register_atfork": "int (void (*)(void), void (*)(void), void (*)(void), void *)",
	"_pthread_cleanup_push": "void (struct _pthread_cleanup_buffer *, void (*)(void *), void *)",
	"_pthread_cleanup_pop":  "void (struct _pthread_cleanup_buffer *, int)",
	"__comus_cleanup_push":  "void (void (*)(void *), void *)", "__comus_cleanup_pop": "void (int)", "__comus_any_errno": "void (void)",
	"__comus_raise_abort": "void (void)", "__comus_start": "void (int (*)(int, char **, char **), int, char **, char **)",
	"__pthread_cleanup_routine": "void (struct __pthread_cleanup_frame *)", "gets": "char *(char *)",
	"__memcpy_chk":         "void * (void *, const void *, size_t, size_t)",
	"__mempcpy_chk":        "void * (void *, const void *, size_t, size_t)",
	"__memmove_chk":        "void * (void *, const void *, size_t, size_t)",
	"__memset_chk":         "void * (void *, int, size_t, size_t)",
	"__explicit_bzero_chk": "void (void *, size_t, size_t)",
	"__strcpy_chk":         "char * (char *, const char *, size_t)",
	"__stpcpy_chk":         "char * (char *, const char *, size_t)",
	"__strncpy_chk":        "char * (char *, const char *, size_t, size_t)",
	"__stpncpy_chk":        "char * (char *, const char *, size_t, size_t)",
	"__strcat_chk":         "char * (char *, const char *, size_t)",
	"__strncat_chk":        "char * (char *, const char *, size_t, size_t)",
	"__vsnprintf_chk":      "int (char *, size_t, int, size_t, const char *, va_list)",
	"__vsprintf_chk":       "int (char *, int, size_t, const char *, va_list)",
	"__vfprintf_chk":       "int (FILE *, int, const char *, va_list)",
	"__vprintf_chk":        "int (int, const char *, va_list)",
	"__vasprintf_chk":      "int (char **, int, const char *, va_list)",
	"__vdprintf_chk":       "int (int, int, const char *, va_list)",
	"__snprintf_chk":       "int (char *, size_t, int, size_t, const char *, ...)",
	"__sprintf_chk":        "int (char *, int, size_t, const char *, ...)",
	"__fprintf_chk":        "int (FILE *, int, const char *, ...)",
	"__printf_chk":         "int (int, const char *, ...)",
	"__asprintf_chk":       "int (char **, int, const char *, ...)",
	"__dprintf_chk":        "int (int, int, const char *, ...)",
	"__fgets_chk":          "char * (char *, size_t, int, FILE *)",
	"__fread_chk":          "size_t (void *, size_t, size_t, size_t, FILE *)",
	"__read_chk":           "ssize_t (int, void *, size_t, size_t)",
	"__xpg_basename":       "char *(char *)", "dirname": "char *(char *)",
	"__isnan": "int (double)", "__isinf": "int (double)", "__finite": "int (double)", "__isnanf": "int (float)", "__isinff": "int (float)",
	"__finitef":                       "int (float)",
	"__pthread_register_cancel_defer": "void (__pthread_unwind_buf_t *)", "__pthread_unregister_cancel_restore": "void (__pthread_unwind_buf_t *)",
}

// renamed compiles the models with macros to an object whose symbols begin with model_.
func renamed(t *testing.T, dir, object string, macros ...string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var symbols strings.Builder
	for name := range Index() {
		from := name
		if strings.HasSuffix(name, "scanf") { // glibc's headers give it this name
			from = "__isoc99_" + name
		}
		fmt.Fprintf(&symbols, "%s model_%s\n", from, name)
	}
	list := filepath.Join(dir, "symbols")
	if err := os.WriteFile(list, []byte(symbols.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append(macros, "-c", "-g", "-std=gnu11", "-fno-builtin", "-I", here, "-include", filepath.Join(here, "testdata/host.h"), unit(t, dir), "-o", object)
	gcc(t, dir, args...)
	if out, err := exec.Command("objcopy", "--redefine-syms="+list, filepath.Join(dir, object)).CombinedOutput(); err != nil {
		t.Fatalf("objcopy: %v\n%s", err, out)
	}
}

// runs links the drivers with the models' object and runs the program.
func runs(t *testing.T, dir, object string, drivers ...string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(here, "testdata")
	args := []string{"-g", "-std=gnu11", "-fno-builtin", "-w", "-D_GNU_SOURCE", "-D__NO_CTYPE", "-I", dir, "-I", data, "-I", here,
		"-o", "driver", object, filepath.Join(data, "host.c")}
	cmd := exec.Command("gcc", append(append(args, drivers...), "-lm")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil { // the linker warns
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "driver")).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

// TestAgainstGlibc runs random calls of the models and of glibc's functions.
func TestAgainstGlibc(t *testing.T) {
	needHost(t)
	dir := t.TempDir()
	var types strings.Builder
	for _, name := range compared(t) {
		own, ok := undeclared[name]
		if !ok {
			fmt.Fprintf(&types, "extern __typeof__(%s) model_%[1]s __asm__(\"model_%[1]s\");\n", name)
			continue
		}
		own, attribute, found := strings.Cut(own, " __attribute__")
		if found {
			attribute = " __attribute__" + attribute
		}
		fmt.Fprintf(&types, "extern __typeof__(%s) model_%s%s;\n", own, name, attribute)
		if !strings.HasPrefix(name, "__comus_") {
			fmt.Fprintf(&types, "extern __typeof__(%s) %s%s;\n", own, name, attribute)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "models.h"), []byte(types.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	renamed(t, dir, "models.o")
	drivers, _ := filepath.Glob("testdata/compare*.c")
	for i := range drivers {
		drivers[i], _ = filepath.Abs(drivers[i])
	}
	runs(t, dir, "models.o", drivers...)
}

// TestWakeups runs condition variables whose waits end with signals only.
func TestWakeups(t *testing.T) {
	needHost(t)
	dir := t.TempDir()
	renamed(t, dir, "models.o", "-DCOMUS_WAKEUPS")
	driver, _ := filepath.Abs("testdata/wakeups.c")
	runs(t, dir, "models.o", driver)
}

// TestInitialisers compares where the models look for the kinds of mutexes and read-write locks with
// where glibc's static initialisers put them, for both data models.
func TestInitialisers(t *testing.T) {
	needHost(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text := `#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t m;
pthread_rwlock_t l;
struct cut { char before[__builtin_offsetof(pthread_mutex_t, __data.__kind)]; };
struct cut_lock { char before[__builtin_offsetof(pthread_rwlock_t, __data.__flags)]; };
` + "#include \"libc.h\"\n" + Sources()["pthread_rwlock.c"] + `
_Static_assert(__builtin_offsetof(struct mutex, kind) == sizeof(struct cut), "kind of a mutex");
_Static_assert(__builtin_offsetof(struct rwlock, kind) == sizeof(struct cut_lock), "kind of a read-write lock");
`
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "gnu"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"kinds.c": text, "gnu/stubs-32.h": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []string{"-m64", "-m32"} {
		gcc(t, dir, m, "-w", "-std=gnu11", "-fsyntax-only", "-I", dir, "-I", here, "-include", filepath.Join(here, "testdata/host.h"), "-idirafter", "/usr/include/x86_64-linux-gnu", "kinds.c")
	}
}
