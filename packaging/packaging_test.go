// Package packaging tests what make install and make deb do. A new Debian, in which nothing else is installed, is what
// make debcheck tries it in.
package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/internal/long"
)

// run runs a command and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestDeb installs a package in a folder of its own, and uses what is there.
func TestDeb(t *testing.T) {
	long.Only(t)
	for _, tool := range []string{"make", "dpkg", "dpkg-deb", "dpkg-shlibdeps", "strip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%v: apt-get install dpkg-dev binutils make", err)
		}
	}
	out, root := t.TempDir(), t.TempDir()
	run(t, "make", "-s", "-C", "..", "deb", "VERSION=v1.2-3-gabc", "BIN="+filepath.Join(out, "comus"), "DEBS="+out, "DEBFLAGS=-Zgzip -z1")
	packages, err := filepath.Glob(filepath.Join(out, "comus_1.2+3.gabc_*.deb"))
	if err != nil || len(packages) != 1 {
		t.Fatalf("packages %v, %v", packages, err)
	}
	if fields := run(t, "dpkg-deb", "--field", packages[0], "Version", "Depends"); !strings.Contains(fields, "1.2+3.gabc") || !strings.Contains(fields, "libz3-4") {
		t.Errorf("the package says of itself %q", fields)
	}
	for _, d := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "dpkg", "--root="+root, "--force-depends", "--force-not-root", "--force-script-chrootless", "-i", packages[0])
	if text := run(t, "dpkg", "--root="+root, "--verify", "comus"); text != "" {
		t.Errorf("dpkg --verify: %s", text)
	}
	usr := filepath.Join(root, "usr")
	comus := filepath.Join(usr, "bin/comus")
	if text := run(t, comus, "version"); !strings.HasPrefix(text, "comus v1.2-3-gabc (") {
		t.Errorf("version %q", text)
	}
	if text := run(t, comus, "--quiet", filepath.Join(usr, "share/doc/comus/examples/peterson.c")); text != "SAFE\n" {
		t.Errorf("Peterson's algorithm is %q", text)
	}
	manual(t, filepath.Join(usr, "share/man/man1"))
	completes(t, usr)
}

// manual looks for things in the pages.
func manual(t *testing.T, dir string) {
	for page, want := range map[string]string{
		"comus.1.gz":       "UNKNOWN",
		"comus-check.1.gz": "certificate",
		"comus-bench.1.gz": "INDEX.tsv",
		"comus-gen.1.gz":   "Pascal's triangle",
	} {
		if text := run(t, "gzip", "-dc", filepath.Join(dir, page)); !strings.HasPrefix(text, ".nh\n.TH") || !strings.Contains(text, want) {
			t.Errorf("%s is no manual page, or lacks %q", page, want)
		}
	}
}

// completes asks the shells that there are to complete a flag.
func completes(t *testing.T, usr string) {
	t.Setenv("PATH", filepath.Join(usr, "bin")+":"+os.Getenv("PATH"))
	share := filepath.Join(usr, "share")
	for _, shell := range []struct {
		name string
		args []string
		want string
	}{
		{"bash", []string{"-c", `source /usr/share/bash-completion/bash_completion; source ` + share + `/bash-completion/completions/comus
			COMP_WORDS=(comus --strategy mod) COMP_CWORD=2 COMP_LINE="comus --strategy mod" COMP_POINT=20 COMP_TYPE=9
			__start_comus 2>/dev/null; echo "${COMPREPLY[@]}"`}, "modular"},
		{"zsh", []string{"-n", share + "/zsh/vendor-completions/_comus"}, ""},
		{"fish", []string{"-c", `source ` + share + `/fish/vendor_completions.d/comus.fish; complete -C "comus --strategy mod"`}, "modular"},
	} {
		_, err := exec.LookPath(shell.name)
		if _, none := os.Stat("/usr/share/bash-completion/bash_completion"); shell.name == "bash" && err == nil {
			err = none // bash's part in it
		}
		if err != nil {
			t.Logf("completion is not tried: %v", err)
			continue
		}
		if got := strings.TrimSpace(run(t, shell.name, shell.args...)); got != shell.want {
			t.Errorf("%s completes with %q, want %q", shell.name, got, shell.want)
		}
	}
}
