package scan_test

import (
	"strings"
	"testing"

	"comus/check/scancheck"
	"comus/scan"
	"comus/scan/pointsto"
)

// TestLibrary has a thread that gives memory to functions of the library, which access it: by their models, by their contracts, as a format says, or beyond
// what the thread itself gives them; and another thread that writes it, at the same time or before.
func TestLibrary(t *testing.T) {
	const program = `#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int fwprintf(FILE *, const wchar_t *, ...);
int wscanf(const wchar_t *, ...);
struct iovec { void *base; size_t len; };
struct msghdr { void *name; unsigned namelen; struct iovec *msg_iov; size_t msg_iovlen; void *control; size_t controllen; int flags; };
struct sockaddr { unsigned short family; char data[14]; };
struct sockaddr_storage { unsigned short ss_family; char data[126]; };
typedef union { struct sockaddr *a; struct sockaddr_storage *b; } address __attribute__((transparent_union));
ssize_t readv(int, const struct iovec *, int);
ssize_t sendmsg(int, const struct msghdr *, int);
size_t iconv(void *, char **, size_t *, char **, size_t *);
void syslog(int, const char *, ...);
void warnx(const char *, ...);
int accept(int, address, unsigned *);
int bind(int, address, unsigned);
ssize_t recvfrom(int, void *, size_t, int, address, unsigned *);
static char b[64];
static int n;
static struct sockaddr_storage from;
static unsigned length = sizeof from;
static pthread_attr_t attr;
static struct timespec rest;
static sem_t sem;
static void handler(int sig) {}
static void *none(void *p) { return 0; }
static void *f(void *p) {
  pthread_t u;
  THREAD;
  return 0;
}
int main(void) {
  pthread_t t;
  BEFORE;
  pthread_create(&t, 0, f, 0);
  AFTER;
  pthread_join(t, 0);
  return 0;
}
`
	const touch = "b[1] = 1"
	for _, c := range []struct{ thread, touch string }{
		{"struct iovec v = {b, 4}; readv(0, &v, 1)", touch}, // what is reached from an object of the thread's own
		{"struct iovec v = {b, 4}; struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1}; sendmsg(0, &m, 0)", touch},
		{"char *i = b; size_t k = 4, z = 0; iconv(p, &i, &k, 0, &z)", touch},
		{"char *v[] = {b, 0}; execv(\"x\", v)", touch},
		{"char *v[] = {b, 0}; execve(\"x\", v, v)", touch},
		{"execl(\"x\", \"x\", b, (char *)0)", touch},
		{"syslog(3, \"%s\", b)", touch}, // what a format speaks of
		{"warnx(\"%d %s\", 1, b)", touch},
		{"dprintf(1, \"%s\", b)", touch},
		{"fwprintf(stdout, L\"%s\", b)", touch},
		{"wscanf(L\"%d\", &n)", "n = 1"},
		{"accept(0, (struct sockaddr *)&from, &length)", "from.ss_family = 1"}, // a transparent union
		{"bind(0, (struct sockaddr *)&from, sizeof from)", "from.ss_family = 1"},
		{"recvfrom(0, p, 0, 0, (struct sockaddr *)&from, &length)", "from.ss_family = 1"},
		{"pthread_create(&u, &attr, none, 0)", "pthread_attr_setdetachstate(&attr, 0)"}, // beyond the model
		{"struct timespec s = {1, 0}; nanosleep(&s, &rest)", "rest.tv_sec = 1"},
	} {
		for _, free := range []bool{true, false} {
			before, after := "", c.touch
			if free {
				before, after = after, before
			}
			src := strings.NewReplacer("THREAD", c.thread, "BEFORE", before, "AFTER", after).Replace(program)
			if got, certified := judged(t, src); got != free || certified && !free {
				t.Errorf("%s, and %s: free %v, certified %v", c.thread, c.touch, got, certified)
			}
		}
	}
	for _, c := range []struct {
		thread, before, after string
		free                  bool
	}{
		{"syslog(3, \"%s\", b)", "", "int k = b[1]", true}, // both read
		{"syslog(3, \"%d\", n)", "", touch, true},
		{"char *v[] = {b, 0}; execv(\"x\", v)", "", "int k = b[1]", true},
		{"b[0] = 1; sem_post(&sem)", "sem_init(&sem, 0, 0)", "sem_wait(&sem); b[0] = 2", true},
		{"b[0] = 1; sem_post(&sem)", "sem_init(&sem, 0, 0); signal(SIGALRM, handler)", "sem_wait(&sem); b[0] = 2", false}, // which may be interrupted
	} {
		src := strings.NewReplacer("THREAD", c.thread, "BEFORE", c.before, "AFTER", c.after).Replace(program)
		if got, certified := judged(t, src); got != c.free || certified && !c.free {
			t.Errorf("%s, and %s; %s: free %v, certified %v", c.thread, c.before, c.after, got, certified)
		}
	}
}

// judged reports whether a program has no suspects in its own variables, and whether all of these are certified.
func judged(t *testing.T, src string) (free, certified bool) {
	t.Helper()
	p := load(t, text(t, src)).Program
	pts, err := pointsto.AnalyseOpen(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scan.Analyse(t.Context(), p, pts, scan.Options{Certificate: true})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := scancheck.Check(t.Context(), p, pts, r.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	free, certified = true, true
	for i, l := range r.Locations {
		if !l.Hidden {
			free, certified = free && len(l.Suspects) == 0, certified && rep.Certified(i)
		}
	}
	return free, certified
}
