package libc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The types of libc.h, and members that the models or glibc's macros use.
var (
	layoutTypes = strings.Fields(`pthread_t pthread_mutex_t pthread_cond_t pthread_rwlock_t pthread_barrier_t
		pthread_spinlock_t pthread_once_t pthread_key_t pthread_attr_t pthread_mutexattr_t pthread_condattr_t
		pthread_rwlockattr_t pthread_barrierattr_t sem_t mtx_t cnd_t thrd_t tss_t once_flag cpu_set_t sigset_t siginfo_t
		sigjmp_buf jmp_buf __pthread_unwind_buf_t FILE time_t clock_t clockid_t off_t pid_t mode_t uid_t useconds_t suseconds_t
		ssize_t div_t ldiv_t lldiv_t imaxdiv_t intmax_t locale_t`)
	layoutStructs = strings.Fields(`timespec timeval tm sched_param sigaction iovec option _pthread_cleanup_buffer __pthread_cleanup_frame`)
	layoutMembers = strings.Fields(`FILE:_flags FILE:_IO_read_ptr FILE:_IO_write_end FILE:_fileno FILE:_cur_column FILE:_mode FILE:_unused2
		siginfo_t:si_signo siginfo_t:si_code __pthread_unwind_buf_t:__pad`)
)

var enumerator = regexp.MustCompile(`\b([A-Z][A-Z_0-9]+|thrd_\w+|mtx_(?:plain|recursive|timed))\b`)

// constants returns the constants that libc.h defines for the models, but for those of our own.
func constants() []string {
	text := uncommented(Sources()["libc.h"])
	_, text, _ = strings.Cut(text, "#else")
	text, _, _ = strings.Cut(text, "\nvoid abort(")
	own := map[string]bool{"WORDS": true, "FILE": true, "MB_CUR_MAX": true}
	var list []string
	for _, m := range regexp.MustCompile(`(?s)enum \{.*?\};|#define [A-Z_]+ .*?\n`).FindAllString(text, -1) {
		for _, c := range enumerator.FindAllString(m, -1) {
			if !own[c] && !strings.Contains(c, "__") && !strings.HasPrefix(c, "U") && c != "LL" && c != "L" {
				own[c] = true
				list = append(list, c)
			}
		}
	}
	return list
}

// TestLayout compares sizes, offsets and constants of libc.h with those of glibc's headers, for both
// data models.
func TestLayout(t *testing.T) {
	needHost(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var b strings.Builder
	b.WriteString("#include \"libc.h\"\nconst int values[] = {\n")
	add := func(name, value string) {
		names = append(names, name)
		fmt.Fprintf(&b, "  (int)(%s) ^ %#x,\n", value, mask) // no zeros, which the compiler puts together
	}
	for _, s := range layoutTypes {
		add("size of "+s, "sizeof("+s+")")
		add("alignment of "+s, "_Alignof("+s+")")
	}
	for _, s := range layoutStructs {
		add("size of struct "+s, "sizeof(struct "+s+")")
	}
	for _, s := range layoutMembers {
		add("offset of "+s, "__builtin_offsetof("+strings.Replace(s, ":", ",", 1)+")")
	}
	for _, s := range constants() {
		add(s, s)
	}
	b.WriteString("};\n")
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	file := write("layout.c", b.String())
	write("gnu/stubs-32.h", "") // all that the headers for ILP32 lack
	values := func(args ...string) []int64 {
		gcc(t, dir, append(args, "-w", "-std=gnu11", "-I", dir, "-I", here, "-idirafter", "/usr/include/x86_64-linux-gnu", "-S", file, "-o", "layout.s")...)
		text, err := os.ReadFile(filepath.Join(dir, "layout.s"))
		if err != nil {
			t.Fatal(err)
		}
		var list []int64
		for _, m := range regexp.MustCompile(`\.long\s+(-?\d+)`).FindAllStringSubmatch(string(text), -1) {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			list = append(list, int64(int32(n))^mask)
		}
		return list
	}
	for _, m := range []string{"-m64", "-m32"} {
		ours, theirs := values(m), values(m, "-DCOMUS_HOST", "-D_GNU_SOURCE")
		if len(ours) != len(names) || len(theirs) != len(names) {
			t.Fatalf("%s: %d names, %d values of ours, %d of glibc's", m, len(names), len(ours), len(theirs))
		}
		for i, name := range names {
			if ours[i] != theirs[i] {
				t.Errorf("%s: %s is %d, and %d in glibc", m, name, ours[i], theirs[i])
			}
		}
	}
}

// mask is in no value of the test.
const mask = 0x5a5a5a5a
