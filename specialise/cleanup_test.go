package specialise_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// counted counts what is allocated and not freed, and says so where the program ends.
const counted = `#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>
void *__real_malloc(size_t n); void *__real_calloc(size_t n, size_t m); void __real_free(void *p);
static atomic_int live;
void *__wrap_malloc(size_t n) { live++; return __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t m) { live++; return __real_calloc(n, m); }
void __wrap_free(void *p) { if (p) { usleep(40000); live--; } __real_free(p); }
__attribute__((destructor)) static void end(void) { usleep(10000); if (live) _exit(99); }
`

// TestCleanupCompiled: gcc's programs keep memory to their end where that is expected. A thread that lives on may free its memory, before
// or after the end, or never allocate it: that one is run several times.
func TestCleanupCompiled(t *testing.T) {
	if !hasHost {
		t.Skip("no compiler")
	}
	dir := t.TempDir()
	count := filepath.Join(dir, "count.c")
	if err := os.WriteFile(count, []byte(counted), 0o666); err != nil {
		t.Fatal(err)
	}
	programs(t, "cleanup", func(t *testing.T, file string) {
		exe := filepath.Join(dir, filepath.Base(file)+".exe")
		if out, err := exec.Command("gcc", "-w", "-O0", "-pthread", "-Wl,--wrap=malloc,--wrap=calloc,--wrap=free", "-o", exe, file, count).CombinedOutput(); err != nil {
			t.Fatalf("gcc: %s", out)
		}
		want, _ := expectation(t, file)
		kept := false
		for i := 0; i < 20 && !kept; i++ {
			err := exec.Command(exe).Run()
			kept = err != nil && strings.HasSuffix(err.Error(), "99")
			if want == "SAFE" && i == 2 {
				break
			}
		}
		if kept != (want == "UNSAFE") {
			t.Errorf("gcc's program keeps memory: %t", kept)
		}
	})
}
