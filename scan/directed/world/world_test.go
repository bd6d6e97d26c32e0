package world_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
	"comus/scan/directed/world"
)

// exact runs a program with the world, whose choices are all 0, and requires that nothing was approximated.
func exact(t *testing.T, text string, args []string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	zero := func(string, cir.Type) (lo, hi uint64) { return 0, 0 }
	res, err := interp.Run(context.Background(), p.Program, interp.Options{Args: args, External: world.New(zero).Call, Instead: world.Instead, Nondet: zero})
	if err != nil {
		t.Fatal(err)
	}
	if res.Outcome != interp.Exited || res.Approximate {
		t.Errorf("%v: %s, %v", args, res, res.Notes)
	}
	return string(res.Stdout)
}

// real runs it with gcc.
func real(t *testing.T, text string) func(args []string) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-o", exe, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(args []string) string {
		cmd := exec.Command(exe)
		cmd.Args, cmd.Env = args, []string{"TZ=GMT0"}
		out, err := cmd.Output()
		if err != nil {
			t.Error(args, err)
		}
		return string(out)
	}
}

const options = `#include <getopt.h>
#include <stdio.h>
int seen;
static struct option longs[] = {{"verbose", no_argument, 0, 'v'}, {"name", required_argument, 0, 'n'}, {"level", optional_argument, 0, 'l'},
	{"very", no_argument, &seen, 7}, {"nothing", no_argument, 0, 'v'}, {0}};
int main(int argc, char **argv) {
	int c, which = -1;
	while ((c = CALL) != -1)
		printf("%d %s %d %d %d %d\n", c, optarg ? optarg : "-", optind, c == '?' ? optopt : 0, which, seen);
	for (int i = 0; i < argc; i++) printf("%s%s", i == optind ? "| " : "", argv[i]), puts("");
	printf("%d\n", optind);
	return 0;
}
`

// TestGetopt compares getopt with glibc's, the arguments in their new order, too.
func TestGetopt(t *testing.T) {
	lines := []string{"", "-v", "-v -n a b", "a -v b -n c d", "-vn a", "-vna b", "-n", "-x", "-l", "-l3 a", "-l 3", "-- -v", "a -- -v b", "-v -- a", "a b -v c -- -n d",
		"- -v", "--verbose a", "--name=x y", "--name x y", "--name", "--verbose=1", "--level", "--level=2 b", "--ver", "--verb a", "--very b", "--na q -v", "--n a", "--foo -v",
		"a b c -v -n d e -x f", "-nv", "--=a", "-vvv a -v"}
	for _, call := range []string{`getopt(argc, argv, "vn:l::")`, `getopt(argc, argv, "+vn:l::")`, `getopt(argc, argv, "-vn:l::")`, `getopt(argc, argv, ":vn:")`,
		`getopt_long(argc, argv, "vn:l::", longs, &which)`, `getopt_long(argc, argv, "+:vn:", longs, &which)`, `getopt_long(argc, argv, "-v", longs, 0)`} {
		text := strings.Replace(options, "CALL", call, 1)
		run := real(t, text)
		for _, line := range lines {
			args := append([]string{"p"}, strings.Fields(line)...)
			if got, want := exact(t, text, args), run(args); got != want {
				t.Errorf("%s with %q:\n%s\ninstead of\n%s", call, line, got, want)
			}
		}
		if testing.Short() {
			break
		}
	}
}

// TestCalendar compares dates with glibc's.
func TestCalendar(t *testing.T) {
	text := `#include <time.h>
#include <stdio.h>
int main(void) {
	for (long s = 0; s < 1L << 36; s = s * 3 + 12345) {
		struct tm d, g;
		char a[300], b[26];
		localtime_r(&s, &d);
		gmtime_r(&s, &g);
		size_t n = strftime(a, sizeof a, "%Y-%m-%d %H:%M:%S %y %b %B %a %A %e %F %T %D %R %c %x %X %I %p %r %j %% %h|", &d);
		printf("%ld %zu %s %d %d %s %s", s, n, a, g.tm_yday, g.tm_wday, d.tm_zone, asctime_r(&g, b));
	}
	char c[4] = "abc";
	struct tm d;
	long s = 0;
	gmtime_r(&s, &d);
	printf("%zu\n", strftime(c, sizeof c, "%Y", &d));
	return 0;
}
`
	if got, want := exact(t, text, nil), real(t, text)([]string{"p"}); got != want {
		t.Errorf("%s\ninstead of\n%s", got, want)
	}
}

// TestDescriptors compares what programs see of descriptors, shared memory and addresses with Linux, where that is the same on all machines.
func TestDescriptors(t *testing.T) {
	text := `#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <netinet/in.h>
#include <unistd.h>
static void tell(const char *what, long r) { printf("%s %s %d\n", what, r < 0 ? "fails" : "does", r < 0 ? errno : 0); }
int main(void) {
	int s = socket(AF_INET, SOCK_DGRAM, 0), u = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	struct sockaddr_in a = {.sin_family = AF_INET};
	tell("socket", s);
	tell("stream", u);
	tell("option", setsockopt(u, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one));
	tell("bind", bind(s, (struct sockaddr *)&a, sizeof a));
	tell("bind", bind(u, (struct sockaddr *)&a, sizeof a));
	tell("listen", listen(u, 5));
	tell("flags", fcntl(u, F_SETFL, fcntl(u, F_GETFL, 0) | O_NONBLOCK));
	int e = epoll_create(10), f = epoll_create1(0);
	struct epoll_event v = {.events = EPOLLIN}, got[4];
	tell("epoll", e);
	tell("add", epoll_ctl(e, EPOLL_CTL_ADD, s, &v));
	tell("change", epoll_ctl(e, EPOLL_CTL_MOD, s, &v));
	printf("%d\n", epoll_wait(e, got, 4, 0));
	tell("remove", epoll_ctl(e, EPOLL_CTL_DEL, s, 0));
	printf("%d\n", epoll_wait(e, got, 4, 1));
	tell("event", eventfd(0, 0));
	tell("close", close(f));
	int m = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	tell("shmget", m);
	int *p = shmat(m, 0, 0);
	printf("%d %d\n", p != (void *)-1, p[1023]);
	p[1023] = 1;
	shmctl(m, IPC_RMID, 0);
	const char *texts[] = {"1.2.3.4", "1.2.3", "01.2.3.4", "1.2.3.256", "::1", "1::2:ffff", "::ffff:1.2.3.4", "", "a", "1.2.3.4 ", "fe80::1%lo", "0.0.0.0", "12::34::56"};
	for (int i = 0; i < sizeof texts / sizeof *texts; i++)
		for (int k = 0; k < 2; k++) {
			unsigned char b[16] = {0};
			printf("%s %d:", texts[i], inet_pton(k ? AF_INET6 : AF_INET, texts[i], b));
			for (int j = 0; j < 16; j++) printf(" %d", b[j]);
			puts("");
		}
	struct utsname n;
	char host[256];
	tell("uname", uname(&n));
	tell("host", gethostname(host, sizeof host));
	printf("%s %d %d\n", n.sysname, n.release[0] >= '3', strcmp(host, n.nodename));
	FILE *no = fopen("no such file", "r");
	printf("%d %d\n", !no, errno);
	tell("open", open("no such file", O_RDONLY));
	printf("%d\n", getenv("NO_SUCH_VARIABLE") == 0);
	return 0;
}
`
	if got, want := exact(t, text, nil), real(t, text)([]string{"p"}); got != want {
		t.Errorf("%s\ninstead of\n%s", got, want)
	}
}

// TestFiles reads files and variables that are there, and learns of those that are not, of options and of comparisons.
func TestFiles(t *testing.T) {
	text := `#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <getopt.h>
int main(int argc, char **argv) {
	char line[8], b[5] = "";
	FILE *f = fopen("a", "r");
	while (fgets(line, sizeof line, f)) printf("<%s>", line);
	printf("%d%d ", feof(f), fgetc(f) == EOF);
	fclose(f);
	int fd = open("a", O_RDONLY);
	while (read(fd, b, 4) > 0) { printf("(%s)", b); memset(b, 0, 5); }
	close(fd);
	printf("%s %d %d", getenv("V"), getenv("W") == 0, fopen("b", "r") == 0);
	if (strcmp(argv[1], "secret") == 0 || strncmp(argv[1], "other word", 5) == 0) puts("found");
	return getopt(argc, argv, "x:y");
}
`
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	zero := func(string, cir.Type) (lo, hi uint64) { return 0, 0 }
	w := world.New(zero)
	w.Outside = world.Outside{Files: map[string]string{"a": "one\ntwo and three\nfour"}, Env: map[string]string{"V": "value"}}
	res, err := interp.Run(context.Background(), p.Program, interp.Options{Args: []string{"p", "word"}, External: func(m *interp.Machine, name string, args []interp.Value) (interp.Value, bool, error) {
		return w.Call(m, name, args)
	}, Instead: world.Instead, Nondet: zero})
	if err != nil || res.Approximate {
		t.Fatal(res, err)
	}
	if got, want := string(res.Stdout), "<one\n><two and>< three\n><four>11 (one\n)(two )(and )(thre)(e\nfo)(ur)value 1 1"; got != want {
		t.Errorf("%s instead of %s", got, want)
	}
	got := fmt.Sprintf("%q %q %q %q", w.Wanted.Files, w.Wanted.Env, w.Wanted.Compared, w.Wanted.Options)
	for _, want := range []string{`"b"`, `"W"`, `"word" "secret"`, `"word" "other"`, `"-x" "-y"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not wanted: %s", want, got)
		}
	}
}
