package scan_test

import "testing"

// TestConstructor has an object with a lock that a function makes, and that several threads use by their arguments: what struct it is says the size that the
// innermost call is given.
func TestConstructor(t *testing.T) {
	r := analyse(t, load(t, text(t, `#include <pthread.h>
#include <stdlib.h>
struct entry { int value; struct entry *chain, *prev, *next; };
struct cache { pthread_mutex_t lock; struct entry *table[16]; struct entry *first, *last; int size, limit; long hits, misses; };
static struct cache *cache_new(int limit) {
  struct cache *c = calloc(1, sizeof *c);
  pthread_mutex_init(&c->lock, NULL);
  c->limit = limit;
  return c;
}
void cache_put(struct cache *c, int value) {
  pthread_mutex_lock(&c->lock);
  struct entry *e = malloc(sizeof *e);
    c->first = e; c->size++;
  e->value = value;
  pthread_mutex_unlock(&c->lock);
}
struct client { struct cache *cache; int id; unsigned seed; long sum; };
static void *client(void *arg) {
  struct client *me = arg;
  for (int i = 0; i < 1000; i++) {
    cache_put(me->cache, i);
  }
  return NULL;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4;
  struct cache *c = cache_new(32);
  pthread_t *ids = calloc(n, sizeof *ids);
  struct client *cl = calloc(n, sizeof *cl);
  for (int i = 0; i < n; i++) { cl[i].cache = c; pthread_create(&ids[i], NULL, client, &cl[i]); }
  for (int i = 0; i < n; i++) { pthread_join(ids[i], NULL); }
  return 0;
}
`)).Program)
	for _, l := range r.Locations {
		for _, s := range l.Suspects {
			t.Errorf("%s: %s and %s", l.Name, line(s.A.Site), line(s.B.Site))
		}
	}
	if len(r.Locations) < 4 {
		t.Error("only", len(r.Locations), "locations")
	}
}
