package cfront

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What one file may take, whatever is in it.
const (
	fuzzTime   = 2 * time.Second // of the processor
	fuzzMemory = 1 << 30
)

// seedFolders have the C programs that fuzzing starts from.
var seedFolders = []string{"testdata/run", "testdata/language", "../examples", "../comus/testdata/fuzz"}

// FuzzParse gives the front end arbitrary bytes. It must not panic, not run for more
// than fuzzTime, not hold more than fuzzMemory, and either make a program that is
// sound in itself or say in one line what is wrong.
func FuzzParse(f *testing.F) {
	for _, dir := range seedFolders {
		files, err := filepath.Glob(filepath.Join(dir, "*.c"))
		if err != nil {
			f.Fatal(err)
		}
		for _, n := range files {
			src, err := os.ReadFile(n)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src)
		}
	}
	f.Setenv("COMUS_CFRONT_PANIC", "1") // panics get here
	f.Fuzz(func(t *testing.T, src []byte) {
		if err := limited(func() error { return parseBytes(src) }, fuzzTime, fuzzMemory); err != nil {
			t.Fatal(err)
		}
	})
}

// parseBytes reports what is wrong about how the front end takes src.
func parseBytes(src []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if where := panicked(string(debug.Stack())); !strings.HasPrefix(where, "modernc.org/") {
				err = fmt.Errorf("panic in %s: %v", where, r)
			}
		}
	}()
	res, err := Parse("t.c", src, Options{})
	if err == nil {
		return res.Program.Check()
	}
	if msg := err.Error(); strings.Contains(msg, "\n") || strings.Contains(msg, "internal error") {
		return err
	}
	return nil
}

// panicked returns the function that a stack says has panicked first. The bugs of the
// C parser are not ours: what it panics about becomes an error.
func panicked(stack string) string {
	_, after, _ := strings.Cut(stack[max(0, strings.LastIndex(stack, "\npanic(")):], "panic(")
	for l := range strings.Lines(after) {
		if strings.Contains(l, "(") && !strings.HasPrefix(l, "\t") && !strings.HasPrefix(l, "{") && !strings.HasPrefix(l, "runtime.") {
			return strings.TrimSpace(l)
		}
	}
	return "?"
}

func TestPanicked(t *testing.T) {
	for _, tt := range []struct{ name, src string }{
		{"fine", "int main(void) { return 0; }"},
		{"refused", "int main(void) { return 1.5 + x; }"},
	} {
		if err := parseBytes([]byte(tt.src)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	where := make(chan string, 1)
	func() {
		defer func() { recover(); where <- panicked(string(debug.Stack())) }()
		defer func() { panic(recover()) }()
		var list []int
		list[len(os.Args)] = 1
	}()
	if got := <-where; !strings.HasPrefix(got, "comus/cfront.TestPanicked.func") {
		t.Errorf("panicked in %s", got)
	}
}

// limited runs f and returns its error, or which limit it went over: f is then still
// running. Processor time is that of the whole process, so that others on the
// machine do not matter.
func limited(f func() error, most time.Duration, memory uint64) error {
	done := make(chan error, 1)
	start := processTime()
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
		}()
		done <- f()
	}()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			if used := processTime() - start; used > most {
				return fmt.Errorf("more than %v", most)
			}
			if heldMemory() <= memory {
				continue
			}
			runtime.GC() // garbage of earlier inputs does not count
			if held := heldMemory(); held > memory {
				return fmt.Errorf("%d MiB of memory", held>>20)
			}
		}
	}
}

// processTime returns the processor time that this process has used.
func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// heldMemory returns the size of the objects and stacks of this process.
func heldMemory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}

func TestLimited(t *testing.T) {
	tests := []struct {
		name string
		f    func() error
		want string
	}{
		{"fine", func() error { return nil }, ""},
		{"error", func() error { return fmt.Errorf("wrong") }, "wrong"},
		{"panic", func() error { panic("oh") }, "panic: oh"},
		{"time", func() error {
			for end := time.Now().Add(time.Second); time.Now().Before(end); {
			}
			return nil
		}, "more than 100ms"},
		{"memory", func() error {
			held := make([]byte, 64<<20)
			time.Sleep(time.Second)
			runtime.KeepAlive(held)
			return nil
		}, "MiB of memory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := limited(tt.f, 100*time.Millisecond, 64<<20)
			if got := fmt.Sprint(err); tt.want == "" && err != nil || tt.want != "" && !strings.Contains(got, tt.want) {
				t.Errorf("%s instead of %s", got, tt.want)
			}
		})
	}
}
