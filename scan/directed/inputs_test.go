package directed_test

import (
	"context"
	"testing"

	"comus/scan"
	"comus/scan/directed"
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
#include <signal.h>
#include <time.h>
enum { IPC_CREAT = 01000, AF_INET = 2, SOCK_STREAM = 1 };
typedef unsigned socklen_t; struct sockaddr; struct sockaddr_in { unsigned short family, port; unsigned addr; char rest[8]; };
int socket(int, int, int), bind(int, const struct sockaddr *, socklen_t), listen(int, int), accept(int, struct sockaddr *, socklen_t *); ssize_t recv(int, void *, size_t, int);
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
		{"a subcommand of a subcommand, and a number", `if (argc > 3 && !strcmp(argv[1], "stress") && !strcmp(argv[2], "threads") && atoi(argv[3]) > 1) start();`, confirmed},
		{"a number that the program compares with", `int n = argc > 1 ? atoi(argv[1]) : 1; if (n > 4710 && n < 4712) start();`, confirmed},
		{"a number between two that follow one another", `int n = argc > 1 ? atoi(argv[1]) : 1; if (n > 4711 && n < 4712) start();`, nothing},
		{"a number of a switch", `switch (argc > 1 ? atoi(argv[1]) : 1) { case 1: puts("1"); break; case 77: start(); }`, confirmed},
		{"a subcommand, and no number", `if (argc > 2 && !strcmp(argv[1], "stress") && strtol(argv[2], 0, 10) > 1 && !strcmp(argv[2], "many")) start();`, nothing},
		{"a table of commands", `static const struct { const char *name; void (*f)(void); } commands[] = {{"list", 0}, {"add", 0}, {"serve", start}};
if (argc > 1) for (int i = 0; i < 3; i++) if (!strcmp(argv[1], commands[i].name) && commands[i].f) commands[i].f();`, confirmed},
		{"a command that is in no table", `static const struct { const char *name; void (*f)(void); } commands[] = {{"list", 0}, {"add", 0}};
if (argc > 1) for (int i = 0; i < 2; i++) if (!strcmp(argv[1], commands[i].name) && commands[i].f) start();`, nothing},
		{"an option that is a character", `for (int i = 1; i < argc; i++) if (argv[i][0] == '-') switch (argv[i][1]) { case 'v': puts("1"); break; case 'j': start(); }`, confirmed},
		{"a command that is a character", `int c; while ((c = getchar()) != EOF) { if (c == '+') puts("more"); else if (c == '!') start(); }`, confirmed},
		{"two characters in a row, of which the second is none", `if (fgets(line, 3, stdin) && line[0] == 'g' && line[2] == 'o') start();`, nothing},
		{"commands of lines", `int open = 0; while (fgets(line, 40, stdin)) { if (!strncmp(line, "open", 4)) open = 1; else if (open && !strncmp(line, "run", 3)) start(); }`, confirmed},
		{"a connection", `int s = socket(AF_INET, SOCK_STREAM, 0), c; struct sockaddr_in a = {AF_INET};
if (s >= 0 && !bind(s, (void *)&a, sizeof a) && !listen(s, 5)) for (int i = 0; i < 9; i++) if ((c = accept(s, 0, 0)) >= 0 && recv(c, line, 39, 0) > 3 && !strncmp(line, "GO", 2)) start();`, confirmed},
		{"a connection without listening", `int s = socket(AF_INET, SOCK_STREAM, 0); struct sockaddr_in a = {AF_INET}; if (s >= 0 && !bind(s, (void *)&a, sizeof a) && accept(s, 0, 0) >= 0) start();`, nothing},
		{"the end of a time", `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; struct timespec t = {0};
pthread_mutex_lock(&m); while (pthread_cond_timedwait(&c, &m, &t) == 0) ; start();`, confirmed},
		{"a signal", `sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigprocmask(SIG_BLOCK, &s, 0); if (!sigwait(&s, &n) && n == SIGUSR1) start();`, confirmed},
		{"another signal", `sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigprocmask(SIG_BLOCK, &s, 0); if (!sigwait(&s, &n) && n == SIGUSR2) start();`, nothing},
		{"shared memory", `int id = shmget(1, 64, IPC_CREAT | 0600); if (id >= 0) { char *p = shmat(id, 0, 0); if (p != (char *)-1 && p[63] == 0) start(); }`, confirmed},
		{"shared memory that is none", `int id = shmget(1, 64, 0600); if (id >= 0 && id != 77) { char *p = shmat(id, 0, 0); if (p == (char *)1) start(); }`, nothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := head + c.main + "\nreturn 0; }\n"
			p := read(t, text)
			s := &scan.Suspect{A: at(t, p, text, "A"), B: at(t, p, text, "B")}
			found, err := directed.Search(context.Background(), p, []*scan.Suspect{s}, directed.Options{Random: 400, Directed: -1})
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
