package scan_test

import (
	"strings"
	"testing"

	"comus/internal/long"
	"comus/scan"
)

// TestExtents has accesses of parts of objects by two threads, which overlap or do not.
func TestExtents(t *testing.T) {
	long.Only(t)
	const src = `
struct e { int x, y; } v[4];
struct { int head; char name[8]; int tail; } s;
struct { unsigned a : 3, b : 5; int c; unsigned d : 4; } f;
union { int i; float r; struct { short low, high; } w; } u;
struct { struct e in[2]; int n; } deep;
int k;
char other[64];
`
	for _, c := range []struct {
		one, two string // statements of two threads
		race     bool
	}{
		{"v[k].x = 1;", "v[2].y = 1;", false},
		{"v[k].x = 1;", "v[2].x = 1;", true},
		{"memset(&v[1].y, 0, 4);", "v[2].x = 1;", false},
		{"memset(&v[1].y, 0, 4);", "v[2].y = 1;", true},
		{"memset(&v[1].y, 0, 8);", "v[2].x = 1;", true},
		{"memset(&v[1].y, 0, 8);", "v[1].y = 1;", true},
		{"memset(&v[1], 0, 8);", "v[1].y = 1;", true},
		{"memset(v, 0, sizeof v);", "v[3].y = 1;", true},
		{"memset(v, 0, k);", "v[3].y = 1;", true},
		{"memcpy(other, &v[1].y, 8);", "v[2].x = 1;", true},
		{"memcpy(other, &v[1].y, 8);", "k = v[2].x;", false},
		{"v[1] = v[2];", "v[3].y = 1;", true},
		{"v[1] = *(struct e *)other;", "k = v[3].y;", true},
		{"*(struct e *)other = v[1];", "k = v[3].y;", false},
		{"memset(s.name, 0, 8);", "s.tail = 1;", false},
		{"memset(s.name, 0, 8);", "s.head = 1;", false},
		{"memset(s.name, 0, 8);", "s.name[7] = 1;", true},
		{"memset(&s.head, 0, 12);", "s.tail = 1;", false},
		{"memset(&s.head, 0, 12);", "s.name[3] = 1;", true},
		{"memset(&s.head, 0, 13);", "s.tail = 1;", true},
		{"memset(&s, 0, sizeof s);", "s.tail = 1;", true},
		{"memset(&s, 0, k);", "s.tail = 1;", true},
		{"strcpy(s.name, other);", "s.tail = 1;", false},
		{"strcpy(s.name, other);", "s.name[1] = 1;", true},
		{"sprintf(s.name, \"%d\", 1);", "printf(\"%s\", s.name);", true},
		{"printf(\"%s\", s.name);", "printf(\"%s\", s.name);", false},
		{"fprintf(stderr, \"%d %s\", 1, s.name);", "fprintf(stdout, \"%s\", s.name);", false},
		{"fprintf(stderr, \"%d %s\", 1, s.name);", "s.name[0] = 1;", true},
		{"fprintf(stderr, \"%d%n\", 1, &s.tail);", "fprintf(stderr, \"%d%n\", 1, &s.tail);", true},
		{"fprintf(stderr, \"%d %p\", 1, (void *)s.name);", "s.name[0] = 1;", false},
		{"sscanf(other, \"%7s\", s.name);", "s.name[0] = 1;", true},
		{"sscanf(other, \"%7s\", s.name);", "s.tail = 1;", false},
		{"f.a = 1;", "f.b = 1;", true},
		{"f.a = 1;", "f.c = 1;", false},
		{"f.a = 1;", "f.d = 1;", false},
		{"f.d = 1;", "f.d = 2;", true},
		{"u.i = 1;", "u.r = 1;", true},
		{"u.w.low = 1;", "u.w.high = 1;", false},
		{"u.w.high = 1;", "u.i = 1;", true},
		{"deep.in[k].y = 1;", "deep.in[0].x = 1;", false},
		{"deep.in[k].y = 1;", "deep.n = 1;", false},
		{"memset(&deep.in[0].y, 0, 8);", "deep.in[1].x = 1;", true},
		{"memset(deep.in, 0, sizeof deep.in);", "deep.n = 1;", false},
		{"memset(&deep, 0, sizeof deep);", "deep.n = 1;", true},
		{"*(long *)&v[1] = 0;", "v[2].y = 1;", true},
	} {
		program := header + src + "static void *one(void *p) { " + c.one + " return p; }\n" +
			"int main(void) { pthread_create(&a, 0, one, 0); " + c.two + " return 0; }\n"
		race := false
		for _, l := range analyse(t, load(t, text(t, program)).Program).Locations {
			name, _, _ := strings.Cut(strings.TrimLeft(l.Name, "("), ".")
			name, _, _ = strings.Cut(name, "[")
			switch name {
			case "v", "s", "f", "u", "deep":
				race = race || l.Why == scan.Suspected
			}
		}
		if race != c.race {
			t.Errorf("%s beside %s: race: %t", c.one, c.two, race)
		}
	}
}
