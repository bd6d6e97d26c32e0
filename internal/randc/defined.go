package randc

import (
	"fmt"
	"strings"
	"time"
)

// ways are the flags of compilers that agree about a program without undefined
// behaviour. Those with a sanitizer find it, those that initialise variables with a
// pattern differ if a variable is read before it is written.
var ways = []struct {
	flags []string
	env   []string
}{
	{flags: []string{"-O0"}},
	{flags: []string{"-O2"}},
	{flags: []string{"-O0", "-ftrivial-auto-var-init=pattern"}, env: []string{"MALLOC_PERTURB_=85"}},
	{flags: []string{"-O0", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize-recover=all"}},
}

// definedLimit is how long a program may run that is looked at for undefined behaviour.
const definedLimit = 20 * time.Second

// Defined compiles a program in several ways and returns what it does, or an error if
// it is none, if it writes to standard error, or if it has undefined behaviour as far
// as compilers notice.
func (j *Judge) Defined(src string) (Result, error) {
	var first Result
	for i, w := range ways {
		exe, err := j.Compile([]string{src}, w.flags...)
		if err != nil {
			return first, err
		}
		r, err := run("", exe, "", definedLimit, w.env...)
		j.Forget([]string{src}, w.flags...)
		if err != nil {
			return first, err
		}
		if i == 0 {
			first = r
		}
		if r.TimedOut || r.Stderr != "" || !r.Same(first) {
			return first, fmt.Errorf("%s: %v%s\nwithout optimisation: %v", strings.Join(w.flags, " "), r, r.Stderr, first)
		}
	}
	return first, nil
}
