package world_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
	"comus/scan/hunt/world"
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
