package confirm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/comus/confirm"
	"comus/report/execution"
	"comus/scan/directed"
	"comus/specialise"
)

// shop is a program in which clerks take orders from a list. Its parts are replaced: without, nothing is wrong with it.
const shop = `#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
enum state { NEW, PACKED, SOLD };
struct order { struct order *next; enum state state; char grade; int left; };
struct shop { pthread_mutex_t lock; pthread_cond_t some; struct order *first; bool closed; int sold; };
static struct { int n; unsigned on : 3, off : 2; } bits;
static struct shop *the;
static struct order *take(struct shop *s) {
	pthread_mutex_lock(&s->lock);
	while (!s->first && !s->closed) pthread_cond_wait(&s->some, &s->lock);
	struct order *o = s->first;
	if (o) s->first = o->next;
	pthread_mutex_unlock(&s->lock);
	return o;
}
static void *clerk(void *arg) {
	struct shop *s = arg;
	struct order *o;
	while ((o = take(s)) != NULL) {
		pthread_mutex_lock(&s->lock);
		COUNT
		pthread_mutex_unlock(&s->lock);
		USE
		free(o);
	}
	return NULL;
}
int main(void) {
	struct shop *s = calloc(1, sizeof *s);
	pthread_t t[2];
	the = s;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->some, NULL);
	for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, clerk, s);
	for (int i = 0; i < 4; i++) {
		struct order *o = calloc(1, sizeof *o);
		o->grade = 'a';
		pthread_mutex_lock(&s->lock);
		o->next = s->first;
		s->first = o;
		pthread_cond_signal(&s->some);
		pthread_mutex_unlock(&s->lock);
	}
	pthread_mutex_lock(&s->lock);
	s->closed = true;
	WAKE
	pthread_mutex_unlock(&s->lock);
	for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
	END
	return 0;
}
`

// TestStories runs programs until something is wrong, and looks at what reports have of the run: values as C writes them, in few steps. The same program without that has no such run.
func TestStories(t *testing.T) {
	const wake, use = "pthread_cond_broadcast(&s->some);", "o->state = SOLD; assert(o->state == SOLD && o->grade == 'a');"
	for _, c := range []struct {
		name, property        string
		count, use, wake, end string
		want                  []string // of the rows
	}{
		{name: "race", property: specialise.Race, use: "s->sold++;", want: []string{
			`^main: pthread_create\(&t\[i\], NULL, clerk, s\)$`, `^clerk: s->sold\+\+ \| s->sold: \d -> \d$`, `^clerk: data race at s->sold\+\+ \| s->sold is \d$`}},
		{name: "two locks", property: specialise.Race, use: "static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}; static _Atomic int n; static _Thread_local int mine = -1; if (mine < 0) mine = n++; pthread_mutex_lock(&own[mine]); s->sold++; pthread_mutex_unlock(&own[mine]);",
			want: []string{`takes own\[0\]`, `takes own\[1\]`, `s->sold\+\+.* \| s->sold`}},
		{name: "enumerator", property: specialise.Assert, use: "o->state = SOLD; assert(o->state == PACKED);", want: []string{
			`^clerk: o->state = SOLD \| o->state: NEW -> SOLD$`, `^clerk: assert\(o->state == PACKED\) \| o is memory of line \d+.*, o->state is SOLD$`}},
		{name: "char and local", property: specialise.Assert, use: "o->grade++;\nbool fine = o->grade == 'a';\nassert(fine);", want: []string{`^clerk: assert\(fine\) \| fine is false$`, `o->grade: 'a' -> 'b'`}},
		{name: "pointer", property: specialise.Assert, end: "assert(the == NULL && s->first == NULL);", want: []string{`^main: assert\(.*\) \| the is memory of line 31$`, `the: NULL -> memory of line 31$`}},
		{name: "bit-field", property: specialise.Assert, count: "bits.off = 2; bits.on = 5;", end: "assert(bits.on == 4);", want: []string{`bits\.on is 5$`, `bits\.on = 5 \| bits\.on: \d -> 5$`}},
		{name: "who wrote", property: specialise.Assert, count: "s->sold++;", end: "assert(s->sold == 3);", want: []string{`^clerk: s->sold\+\+ \| s->sold: 3 -> 4$`, `^main: assert\(s->sold == 3\) \|.* s->sold is 4$`}},
		{name: "deadlock", property: specialise.Deadlock, wake: "pthread_cond_signal(&s->some);", want: []string{
			`^main: s->closed = true \| s->closed: false -> true$`, `^main: waits in pthread_join\(t\[i\], NULL\)$`, `pthread_cond_wait\(&s->some, &s->lock\) \| .*s->first is NULL.*s->closed is true`}},
		{name: "freed", property: specialise.Memory, use: "static struct order *old; if (old) old->left++; old = o;", want: []string{
			`^clerk: free\(o\)$`, `^clerk: invalid access in old->left\+\+: the memory allocated at line \d+ was freed at line \d+`}},
		{name: "leak", property: specialise.Leak, use: "if (o->left == 0) continue;", want: []string{`^main: memory allocated by calloc at line 38 is lost$`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.wake == "" {
				c.wake = wake
			}
			text := strings.NewReplacer("COUNT", c.count, "USE", c.use, "WAKE", c.wake, "END", c.end).Replace(shop)
			a := confirmed(t, text, c.property)
			if a == nil {
				t.Fatal("no run violates it")
			}
			x := execution.New(a.Trace(), nil)
			var rows []string
			for i, r := range x.Rows {
				row := r.Thread.Name + ": " + r.Statement()
				if e := x.Effects(i); e != "" {
					row += " | " + e
				}
				rows = append(rows, row)
			}
			all := strings.Join(rows, "\n")
			for _, w := range c.want {
				if !slices.ContainsFunc(rows, regexp.MustCompile(w).MatchString) {
					t.Errorf("no row is as %s:\n%s", w, all)
				}
			}
			if len(rows) > 30 {
				t.Errorf("%d rows:\n%s", len(rows), all)
			}
			right := strings.NewReplacer("COUNT", "s->sold++;", "USE", use, "WAKE", wake, "END", "free(the);").Replace(shop)
			if confirmed(t, right, c.property) != nil {
				t.Error("the program without what is wrong violates it, too")
			}
		})
	}
}

// confirmed returns the answer about the first run that violates a property, nil if there is none among a few.
func confirmed(t *testing.T, text, property string) (answer *confirm.Answer) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(t.Context(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	w := &confirm.Whole{Program: p.Program, ID: check.Program{Atomic: "step", Check: []string{property}}}
	if property == specialise.Assert {
		w.ID.Check = nil
	}
	_, err = directed.For(t.Context(), p.Program, []directed.Target{confirm.TargetOf(property, false)}, directed.Options{Seed: 1, Random: 300, Directed: -1, Grow: true, Time: 20 * time.Second,
		Confirmed: func(ex *directed.Execution) (counts, enough bool) {
			a, err := w.Executed(context.Background(), ex)
			if err != nil {
				t.Log(fmt.Errorf("not confirmed: %w", err))
				return false, false
			}
			answer = &a
			return true, true
		}})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
