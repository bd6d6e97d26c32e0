package cache

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/digest"
	"comus/report/scanreport"
	"comus/scan"
)

// TestMover has places that are replaced by others.
func TestMover(t *testing.T) {
	at := func(text string) (places []cir.Pos) {
		for _, f := range strings.Fields(text) {
			var p cir.Pos
			name, rest, _ := strings.Cut(f, ":")
			if _, err := fmt.Sscanf(rest, "%d:%d", &p.Line, &p.Col); err != nil {
				t.Fatal(err)
			}
			p.File = name
			places = append(places, p)
		}
		return places
	}
	for _, test := range []struct{ from, to, text, want string }{
		{"d/a.c:3:1 d/a.c:5:2", "d/a.c:4:1 d/a.c:9:3", "x at d/a.c:5:2, (y at a.c:3) and b.c:3", "x at d/a.c:9:3, (y at a.c:4) and b.c:3"},
		{"a.c:3:1", "a.c:3:1", "a.c:3", "a.c:3"},
		{"a.c:3:1", "a.c:4:1", "a.c:7", ""},                                          // which line is that now?
		{"a.c:3:1", "a.c:4:1", "a.c:3:2", ""},                                        // and which column?
		{"a.c:3:1 a.c:4:1", "a.c:4:1 a.c:3:1", "", ""},                               // the order has changed
		{"a.c:3:1 a.c:4:1", "a.c:3:1 a.c:3:1", "", ""},                               // two are one
		{"a.c:3:1 a.c:4:1", "a.c:3:1 a.c:3:9", "", ""},                               // two lines are one
		{"a.c:3:1 a.c:3:1", "a.c:3:1 a.c:3:2", "", ""},                               // one is two
		{"a.c:3:1 a.c:3:5", "a.c:3:1 a.c:4:5", "", ""},                               // one line is two
		{"a.c:3:1 b.c:3:1", "a.c:3:1 c.c:3:1", "", ""},                               // of another file
		{"a.c:3:1 a.c:4:1", "a.c:3:1", "", ""},                                       // there is less
		{"d/a.c:3:1 e/a.c:3:1", "d/a.c:3:1 e/a.c:4:1", "", ""},                       // a.c:3 is two
		{"d/a.c:3:1 e/a.c:4:1", "d/a.c:4:1 e/a.c:4:1", "", ""},                       // two are a.c:4
		{"d/a.c:3:1 e/b.c:3:1", "d/a.c:3:1 e/b.c:4:1", "b.c:3", "b.c:4"},             // files are independent
		{"a.c:3:1 a.c:3:5", "a.c:3:1 a.c:3:7", "x ? a:3 a.c:3:5", "x ? a:3 a.c:3:7"}, // not all that has a colon is a place
	} {
		from, to := at(test.from), at(test.to)
		if back, err := pack(from).unpack(); err != nil || !slices.Equal(back, from) {
			t.Errorf("%v is packed as %v, %v", from, back, err)
		}
		got := ""
		if m := moverOf(from, to); m != nil {
			if got = m.text(test.text); m.failed {
				got = ""
			}
		}
		if got != test.want {
			t.Errorf("%s to %s: %q becomes %q, want %q", test.from, test.to, test.text, got, test.want)
		}
	}
}

const moving = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; char *name; int used; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *list;
static int hits, locked, quiet;
void unknown(struct item *);
static void put(const char *name) {
  struct item *i = malloc(sizeof *i);
  i->name = strdup(name);
  i->used = 0;
  pthread_mutex_lock(&lock);
  i->next = list;
  list = i;
  locked++;
  pthread_mutex_unlock(&lock);
  hits++;
}
static void *serve(void *p) {
  int *own = calloc(1, sizeof *own);
  for (;;) {
    pthread_mutex_lock(&lock);
    struct item *i = list;
    if (i) { list = i->next; }
    locked--;
    pthread_mutex_unlock(&lock);
    if (!i) break;
    i->used++;
    hits++;
    (*own)++;
    unknown(i);
    free(i);
  }
  free(own);
  return p;
}
int main(int argc, char **argv) {
  pthread_t id[2];
  quiet = argc > 1;
  for (int k = 0; k < 2; k++) { pthread_create(&id[k], 0, serve, 0); }
  for (int k = 0; k < argc; k++) { put(argv[k]); }
  for (int k = 0; k < 2; k++) { pthread_join(id[k], 0); }
  return hits + quiet;
}
`

// TestMoved puts lines, spaces and comments into a program, and compares what was kept of it with what an analysis finds out.
func TestMoved(t *testing.T) {
	analyse := func(text string) (*scanreport.Program, digest.Sum, []cir.Pos) {
		t.Helper()
		r, err := cfront.LoadText(t.Context(), command.Invocation{File: "dir/p.c"}, []byte(text), cfront.Options{NoHost: true})
		if err != nil {
			t.Fatal(err)
		}
		res, err := scan.Analyse(t.Context(), r.Program, nil, scan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum, places, err := digest.Of(r.Program)
		if err != nil {
			t.Fatal(err)
		}
		p := scanreport.Of("p", nil, res, nil)
		p.Phases = nil
		for _, f := range p.Findings {
			f.Suspects = nil
		}
		return p, sum, places
	}
	first, sum, places := analyse(moving)
	if len(first.Findings) < 3 {
		t.Fatalf("%d findings", len(first.Findings))
	}
	data, err := encode("key", first, Where{Places: places})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	moved := 0
	for range 24 {
		var text strings.Builder
		for _, line := range strings.SplitAfter(moving, "\n") {
			switch random.IntN(8) {
			case 0:
				line = "\n" + line
			case 1:
				line = "/* some\nlines */\n" + line
			case 2:
				line = strings.Replace(line, "  ", "      ", 1)
			case 3:
				line = strings.Replace(line, "; ", "; /* why */ ", 1)
			case 4:
				if random.IntN(4) == 0 {
					line = strings.Replace(line, "; ", ";\n", 1)
				}
			}
			text.WriteString(line)
		}
		want, s, at := analyse(text.String())
		if s != sum {
			t.Fatalf("another digest:\n%s", text.String())
		}
		got, err := decode("key", data, Where{Places: at})
		if err != nil {
			continue
		}
		moved++
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v:\n%s", got, want, text.String())
		}
	}
	if moved < 12 {
		t.Errorf("only %d are found", moved)
	}
}
