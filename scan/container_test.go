package scan_test

import (
	"strings"
	"testing"
)

// TestContainers has a thread that gets from the address of a member, or of an element of an array that is one, to the struct around, and writes another member of it.
func TestContainers(t *testing.T) {
	const program = `#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
struct box { int a, b, c; struct { int k; } in[4]; struct { int k; } last; } s, list[3], *heap;
static void *f(void *p) {
  struct box *q = (struct box *)((char *)p - offsetof(struct box, MEMBER));
  q->b = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  heap = malloc(sizeof *heap);
  pthread_create(&t, 0, f, &OBJECT.MEMBER);
  OBJECT.OTHER = 2;
  pthread_join(t, 0);
  return 0;
}
`
	for _, member := range []string{"in[0]", "in[2]", "in[3]", "last"} {
		for _, object := range []string{"s", "list[1]", "(*heap)"} {
			for other, free := range map[string]bool{"b": false, "c": true} {
				src := strings.NewReplacer("MEMBER", member, "OBJECT", object, "OTHER", other).Replace(program)
				if got, certified := judged(t, src); !free && (got || certified) || free && member == "last" && !got {
					t.Errorf("%s of %s, and %s: free %v, certified %v", member, object, other, got, certified)
				}
			}
		}
	}
}
