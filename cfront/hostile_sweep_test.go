package cfront
import ("testing";"fmt";"path/filepath";"time")
func TestHostileSweep(t *testing.T) {
	fs,_ := filepath.Glob("/tmp/h/*.c")
	fs = append(fs, "/tmp/h/missing.c", "/dev/zero")
	for _, f := range fs {
	st := time.Now()
	r, err := ParseFile(f, Options{})
	d := time.Since(st).Round(time.Millisecond)
	if err!=nil {fmt.Println(d, err);continue}
	fmt.Println(d, "ok", f, r.Program.Check(), r.Warnings)
	}
}
