package hunt_test

import (
	"context"
	"testing"

	"comus/scan"
	"comus/scan/hunt"
)

// TestInputs has races behind what a program is given from outside. Runs find out what that is: by what the program asks for, and what it compares. Beside each is one
// that no input leads to.
func TestInputs(t *testing.T) {
	head := `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
enum { IPC_CREAT = 01000 };
int shmget(int, size_t, int); void *shmat(int, const void *, int);
int getopt(int, char *const *, const char *); extern char *optarg;
int x;
void *f(void *arg) { x = 1; /*A*/
return 0; }
static void start(void) { pthread_t t; pthread_create(&t, 0, f, 0);
x = 2; /*B*/
pthread_join(t, 0); }
int main(int argc, char **argv) {
char line[40] = "";
`
	for _, c := range []struct{ name, main, want string }{
		{"a file", `FILE *f = fopen("conf", "r"); while (f && fgets(line, 40, f)) if (!strcmp(line, "threads: yes\n")) start();`, confirmed},
		{"two lines of a file", `int on = 0; FILE *f = fopen("conf", "r"); while (f && fgets(line, 40, f)) { line[strcspn(line, "\n")] = 0; if (!strcmp(line, "first")) on = 1; else if (on && !strcmp(line, "second")) start(); }`, confirmed},
		{"a file by its descriptor", `int fd = open("conf", O_RDONLY); if (fd >= 0 && read(fd, line, 39) > 0 && !strncmp(line, "magic", 5)) start();`, confirmed},
		{"a line that no file has", `FILE *f = fopen("conf", "r"); if (f && fgets(line, 40, f) && strlen(line) > 60) start();`, nothing},
		{"the environment", `char *e = getenv("THREADS"); if (e && !strcmp(e, "manifold")) start();`, confirmed},
		{"an empty name in the environment", `if (getenv("")) start();`, nothing},
		{"an option", `int c; while ((c = getopt(argc, argv, "vt")) != -1) if (c == 't') start();`, confirmed},
		{"an option's argument", `int c; while ((c = getopt(argc, argv, "vm:")) != -1) if (c == 'm' && !strcasecmp(optarg, "parallel")) start();`, confirmed},
		{"no such option", `int c; while ((c = getopt(argc, argv, "v")) != -1) if (c == 't') start();`, nothing},
		{"an argument, then the file that it names", `FILE *f = argc > 1 ? fopen(argv[1], "r") : 0; if (f && fgets(line, 40, f) && !strncmp(line, "#!go", 4)) start();`, confirmed},
		{"the standard input", `if (fgets(line, 40, stdin) && !strncmp(line, "begin", 5)) start();`, confirmed},
		{"shared memory", `int id = shmget(1, 64, IPC_CREAT | 0600); if (id >= 0) { char *p = shmat(id, 0, 0); if (p != (char *)-1 && p[63] == 0) start(); }`, confirmed},
		{"shared memory that is none", `int id = shmget(1, 64, 0600); if (id >= 0 && id != 77) { char *p = shmat(id, 0, 0); if (p == (char *)1) start(); }`, nothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := head + c.main + "\nreturn 0; }\n"
			p := read(t, text)
			s := &scan.Suspect{A: at(t, p, text, "A"), B: at(t, p, text, "B")}
			found, err := hunt.Search(context.Background(), p, []*scan.Suspect{s}, hunt.Options{Random: 400, Directed: -1})
			if err != nil {
				t.Fatal(err)
			}
			got := nothing
			switch {
			case found[0].Execution != nil:
				got = confirmed
				replayed(t, p, s, found[0].Execution)
			case len(found[0].On) > 0:
				got = seen
			}
			if got != c.want {
				t.Errorf("%s instead of %s (%v)", got, c.want, found[0].On)
			}
		})
	}
}
