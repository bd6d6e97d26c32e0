package scan_test

import (
	"strings"
	"testing"
)

// transferLocal is a queue that is in main's frame, set up by a function, and used by threads that are given its address.
const transferLocal = `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct task { struct task *next; int x; char name[16]; };
struct shop { pthread_mutex_t m; pthread_cond_t c; struct task *head, *tail; int closed; };
static const struct task blank;
static void *serve(void *arg) {
  struct shop *s = arg;
  for (;;) {
    pthread_mutex_lock(&s->m);
    while (!s->head && !s->closed) pthread_cond_wait(&s->c, &s->m);
    struct task *t = s->head;
    if (!t) { pthread_mutex_unlock(&s->m); return 0; }
    s->head = t->next;
    if (!s->head) s->tail = 0;
    pthread_mutex_unlock(&s->m);
    USE
    free(t);
  }
}
static int add(struct shop *s, int x) {
  struct task *t = malloc(sizeof *t);
  if (!t) return -1;
  t->x = x;
  t->next = 0;
  FILL
  pthread_mutex_lock(&s->m);
  if (s->tail) s->tail->next = t; else s->head = t;
  s->tail = t;
  pthread_cond_signal(&s->c);
  pthread_mutex_unlock(&s->m);
  return 0;
}
static void start(struct shop *s) { BEGIN }
static void stop(struct shop *s) {
  pthread_mutex_lock(&s->m); s->closed = 1; pthread_cond_broadcast(&s->c); pthread_mutex_unlock(&s->m);
}
int main(void) {
  struct shop shop;
  pthread_t ids[2];
  BEFORE
  for (int i = 0; i < 2; i++) if (pthread_create(&ids[i], 0, serve, &shop) != 0) return 1;
  AFTER
  for (int i = 0; i < 4; i++) add(&shop, i);
  stop(&shop);
  for (int i = 0; i < 2; i++) pthread_join(ids[i], 0);
  END
  return 0;
}
`

// TestTransferLocal has a queue that is no global.
func TestTransferLocal(t *testing.T) {
	const (
		members = "pthread_mutex_init(&s->m, 0); pthread_cond_init(&s->c, 0); s->head = s->tail = 0; s->closed = 0;"
		zeroes  = "memset(s, 0, sizeof *s); pthread_mutex_init(&s->m, 0); pthread_cond_init(&s->c, 0);"
		some    = "memset(&s->m, 0, sizeof s->m); pthread_mutex_init(&s->m, 0); pthread_cond_init(&s->c, 0); s->closed = 0;"
	)
	shop := func(begin, before, after, fill, use, end string) string {
		return strings.NewReplacer("BEGIN", begin, "BEFORE", before, "AFTER", after, "FILL", fill, "USE", use, "END", end).Replace(transferLocal)
	}
	rest := "while (shop.head) { struct task *t = shop.head; shop.head = t->next; free(t); }"
	checkPairs(t, "", []pair{
		{"set up before", shop(members, "start(&shop);", "", "", "t->x++;", ""), shop(members, "", "start(&shop);", "", "t->x++;", "")},
		{"with memset", shop(zeroes, "start(&shop);", "", "", "t->x++;", ""), shop(some, "start(&shop);", "", "", "t->x++;", "")},
		{"with memset, once", shop(zeroes, "start(&shop);", "", "", "", ""), shop(zeroes, "start(&shop);", "memset(&shop, 0, sizeof shop);", "", "", "")},
		{"with a text", shop(members, "start(&shop);", "", "snprintf(t->name, sizeof t->name, \"%d\", x);", "t->name[0] = 0;", ""),
			shop(members, "start(&shop);", "", "snprintf(t->name, sizeof t->name, \"%d\", x);", "t->name[0] = 0; pthread_mutex_lock(&s->m); s->head = t; pthread_mutex_unlock(&s->m);", "")},
		{"with any text", shop(members, "start(&shop);", "", "char b[16]; snprintf(b, 1 + x % 15, \"%d\", x); memcpy(t->name, b, 1 + x % 15);", "", ""),
			shop(members, "start(&shop);", "", "struct task b = {0}; memcpy(t, &b, x); ", "", "")},
		{"copied", shop(members, "start(&shop);", "", "memcpy(t->name, blank.name, sizeof t->name);", "", ""), shop(members, "start(&shop);", "", "memcpy(t, &blank, sizeof *t); t->next = s->head;", "", "")},
		{"what is left", shop(members, "start(&shop);", "", "", "", rest), shop(members, "start(&shop);", rest, "", "", "")},
	})
}

// TestTransferLinkBehind has objects whose links are behind what the library writes.
func TestTransferLinkBehind(t *testing.T) {
	const more = "struct note { char name[16]; struct note *next; } *notes; "
	program := func(write string) string {
		return transferringBy(more+"static void fill(struct note *n) { "+write+" }",
			"free(j); struct note *n = malloc(sizeof *n); if (!n) return 0; LOCK n->next = notes; fill(n); notes = n; UNLOCK",
			"struct note *n; LOCK n = notes; if (n) notes = n->next; UNLOCK if (n) { n->name[0] = 1; free(n); }", "free(j);")
	}
	checkPairs(t, transferHeader, []pair{
		{"set", program("memset(n->name, 1, sizeof n->name);"), program("memset(n->name, 1, sizeof *n);")},
		{"copied", program("strncpy(n->name, \"abc\", 16);"), program("strncpy(n->name, \"abc\", 17);")},
		{"copied from there", program("struct note b; memcpy(&b, n, sizeof b);"), program("char b[24] = {1}; memcpy(n, b, 24);")},
	})
}
