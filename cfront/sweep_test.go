package cfront
import ("testing";"os";"fmt";"path/filepath")
func TestSweep(t *testing.T) {
	fs,_ := filepath.Glob(os.Getenv("SWEEP"))
	for _, f := range fs {
	r, err := ParseFile(f, Options{DataModel:DataModel(len(os.Getenv("ILP32")))})
	if err!=nil {fmt.Println("ERR ",err);continue}
	n:=0; for _,t := range r.Program.Threads {n+=len(t.Locs)}
	fmt.Println("ok  ", f, "threads", len(r.Program.Threads), "locs", n, "vars", len(r.Program.Vars), "check", r.Program.Check(), r.HasAssertions, r.Program.Bounded, r.Warnings)
	}
}
