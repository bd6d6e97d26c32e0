package scan_test

import (
	"strings"
	"testing"
)

// TestBorrowed has objects that a thread gives to functions of the library before another one knows them, and to that one then; and what is only done where
// pthread_create fails, which is assumed not to be.
func TestBorrowed(t *testing.T) {
	const program = `#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int accept(int fd, struct sockaddr *a, unsigned *n);
#include <unistd.h>
struct conn { int fd; char buf[32]; struct conn *self; };
int other(void);
char *end, *kept;
pthread_key_t key;
jmp_buf env;
pthread_t id;
static int compare(const void *a, const void *b) { kept = (char *)a; return 0; }
static void *serve(void *arg) {
  struct conn *c = arg;
  c->fd++;
  c->buf[3] = 1;
  return 0;
}
static void *reads(void *arg) { if (kept) *kept = 1; return 0; }
int main(void) {
  int rc = 0;
  pthread_key_create(&key, 0);
  struct conn *c = malloc(sizeof *c);
  unsigned len = sizeof c->buf;
  DO
  return 0;
}
`
	const create = "pthread_create(&id, 0, serve, c)"
	for _, c := range []struct {
		do   string
		free bool
	}{
		{"read(0, c->buf, 8); c->fd = 1; " + create + ";", true},
		{create + "; read(0, c->buf, 8);", false},
		{"accept(0, (struct sockaddr *)c->buf, &len); c->fd = 1; " + create + ";", true},
		{create + "; accept(0, (struct sockaddr *)c->buf, &len);", false},
		{"snprintf(c->buf, 8, \"%d\", c->fd); c->fd = 1; " + create + ";", true},
		{"memset(c, 0, sizeof *c); c->fd = 1; " + create + ";", true},
		{create + "; memset(c, 0, sizeof *c);", false},
		{"setvbuf(stdout, c->buf, _IOFBF, 32); c->fd = 1; " + create + "; printf(\"%d\", 1);", false},
		{"strtol(c->buf, &end, 10); " + create + "; *end = 1;", false},
		{"pthread_setspecific(key, c); " + create + "; ((struct conn *)pthread_getspecific(key))->fd = 1;", false},
		{"pthread_create(&id, 0, reads, 0); qsort(c->buf, 8, 1, compare); c->buf[1] = 2;", false},
		{"c->self = c; memcpy(&kept, &c->self, sizeof kept); pthread_create(&id, 0, reads, 0); c->fd = 1;", false},
		{"if (c->fd == 7) free(c); else " + create + ";", true},
		{create + "; free(c);", false},
		{"if (" + create + ") c->fd = 1;", true},
		{"if (!" + create + ") c->fd = 1;", false},
		{"if (" + create + " != 0) { free(c); return 1; }", true},
		{"if (" + create + " == 0) { free(c); return 1; }", false},
		{"rc = " + create + "; if (rc) { perror(\"x\"); free(c); }", true},
		{"rc = " + create + "; rc = other(); if (rc) free(c);", false},
		{"rc = other(); if (rc) " + create + "; if (rc) c->fd = 1;", false},
		{"rc = " + create + "; int *p = &rc; *p = other(); if (rc) c->fd = 1;", false},
		{"int on = " + create + " ? 0 : 1; if (on) c->fd = 1;", false},
		{"pthread_mutex_t m; " + create + "; if (pthread_mutex_init(&m, 0)) c->fd = 1;", false},
		{create + "; volatile int again = 0; setjmp(env); if (again) c->fd = 1; else { again = 1; longjmp(env, 1); }", false},
		{"switch (" + create + ") { case 0: c->fd = 1; }", false},
	} {
		p := load(t, text(t, strings.Replace(program, "DO", c.do, 1))).Program
		if _, suspects := analyse(t, p).RaceFree(); (suspects == 0) != c.free {
			t.Errorf("%s: %d suspects", c.do, suspects)
		}
	}
}
