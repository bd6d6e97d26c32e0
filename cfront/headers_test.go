package cfront

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront/command"
)

// headerTypes are types of the library, with the header that has them.
var headerTypes = []struct{ header, types string }{
	{"pthread.h", "pthread_t, pthread_mutex_t, pthread_cond_t, pthread_rwlock_t, pthread_barrier_t, pthread_once_t, pthread_spinlock_t, pthread_key_t, pthread_attr_t, pthread_mutexattr_t, pthread_condattr_t, pthread_rwlockattr_t, pthread_barrierattr_t"},
	{"threads.h", "thrd_t, mtx_t, cnd_t, once_flag, tss_t"},
	{"semaphore.h", "sem_t"},
	{"stdio.h", "FILE"},
	{"stdlib.h", "div_t, ldiv_t, lldiv_t"},
	{"time.h", "time_t, clock_t, clockid_t, struct timespec, struct tm"},
	{"sys/time.h", "struct timeval, struct timezone"},
	{"sys/types.h", "ssize_t, off_t, pid_t, uid_t, gid_t, mode_t, useconds_t, suseconds_t"},
	{"signal.h", "sigset_t, siginfo_t, sig_atomic_t, struct sigaction, union sigval"},
	{"setjmp.h", "jmp_buf, sigjmp_buf"},
	{"sched.h", "struct sched_param"},
}

// initialisers are objects whose bytes the library's models rely on.
const initialisers = `pthread_mutex_t mutexes[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rwlocks[] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP};
pthread_once_t once = PTHREAD_ONCE_INIT;
once_flag flag = ONCE_FLAG_INIT;
`

// TestHeaders compares the layout of the types in the headers for machines without a compiler
// with that of the host's, which is what the library's models are made for.
func TestHeaders(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	var head, body, asserts strings.Builder
	for _, h := range headerTypes {
		fmt.Fprintf(&head, "#include <%s>\n", h.header)
		for _, typ := range strings.Split(h.types, ", ") {
			fmt.Fprintf(&body, "printf(\"_Static_assert(sizeof(%s) == %%zu && _Alignof(%s) == %%zu, \\\"%s\\\");\\n\", sizeof(%s), _Alignof(%s));\n", typ, typ, typ, typ, typ)
		}
	}
	for name, kinds := range map[string]string{"int": "PTHREAD_MUTEX_RECURSIVE PTHREAD_CANCEL_DISABLE PTHREAD_PRIO_PROTECT EBUSY ETIMEDOUT EOWNERDEAD SEEK_END _IONBF SIGUSR1 SIGCHLD SIG_SETMASK CLOCK_MONOTONIC TIME_UTC thrd_nomem thrd_timedout mtx_timed O_CREAT SCHED_RR"} {
		for _, k := range strings.Fields(kinds) {
			fmt.Fprintf(&body, "printf(\"_Static_assert(%s == %%d, \\\"%s\\\");\\n\", (%s)%s);\n", k, k, name, k)
		}
	}
	head.WriteString("#include <errno.h>\n#include <fcntl.h>\n")
	body.WriteString("const unsigned char *p = (void *)mutexes; for (unsigned i = 0; i < sizeof mutexes; i++) printf(\"/* %d */\", p[i]);\n")
	fmt.Fprintf(&asserts, "#define _GNU_SOURCE\n%s%s", head.String(), initialisers)
	dir := t.TempDir()
	src := filepath.Join(dir, "sizes.c")
	text := fmt.Sprintf("#define _GNU_SOURCE\n#include <stdio.h>\n%s%s\nint main(void) {\n%s}\n", head.String(), initialisers, body.String())
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "sizes")
	if out, err := exec.Command(gcc, "-o", exe, src, "-pthread").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	uses := "int main(void) { return (int)(sizeof mutexes + sizeof cond + sizeof rwlocks + once + flag.__data) + (int)((char *)mutexes)[0] + (int)((char *)rwlocks)[0] + (int)*(char *)&cond; }\n"
	all := asserts.String() + string(out) + "\n" + uses
	file := filepath.Join(dir, "headers.c")
	if err := os.WriteFile(file, []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	load := func(noHost bool) *Program {
		p, err := Load(context.Background(), []command.Invocation{{File: file}}, Options{NoHost: noHost})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	own, host := load(true), load(false)
	for _, g := range host.Globals {
		for _, h := range own.Globals {
			if g.Name == h.Name && strings.TrimRight(string(g.Data), "\x00") != strings.TrimRight(string(h.Data), "\x00") {
				t.Errorf("%s: %v, not %v", g.Name, h.Data, g.Data)
			}
		}
	}
}
