package cfront

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPreprocessed reads a program together with what the host's headers declare.
func TestPreprocessed(t *testing.T) {
	src := `#define _GNU_SOURCE
`
	for _, h := range []string{"stdio", "stdlib", "string", "pthread", "semaphore", "stdatomic", "unistd", "errno", "math", "limits", "assert", "time", "signal", "sys/types", "threads"} {
		src += "#include <" + h + ".h>\n"
	}
	src += `int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(x == 2); return 0; }
`
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("cc", "-E", file).Output() // cgo has one, so it is there
	if err != nil {
		t.Fatal(err)
	}
	out = append(out, "\n"...)
	if err := os.WriteFile(file+".i", out, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := decide(t, file+".i", Options{}); got != "SAFE" {
		t.Error(got)
	}
}
