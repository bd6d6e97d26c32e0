package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"comus/cir"
)

// TestMath compares the functions of <math.h> with glibc's on 1000 numbers. The exact ones are the same for all; of the others, those
// that are rounded to nearest, or follow glibc's algorithm, differ in at most 3.
func TestMath(t *testing.T) {
	near := strings.Fields("acos acosh asin asinh atan atan2 atanh cos cosh exp exp2 expm1 hypot log log10 log1p log2 pow sin sinh tan tanh")
	names := slices.Concat(near, strings.Fields("cbrt erf erfc exp10 lgamma tgamma j0 j1 y0 y1"),
		strings.Fields("sqrt fabs floor ceil trunc round rint nearbyint roundeven fmod remainder copysign nextafter fmin fmax fdim logb"))
	r := rand.New(rand.NewPCG(5, 5))
	var xs []float64
	for range 500 {
		xs = append(xs, randomFloat(r), r.Float64()*4-2)
	}
	var src strings.Builder
	src.WriteString("#define _GNU_SOURCE\n#include <stdio.h>\n#include <string.h>\n#include <math.h>\nstatic unsigned long v[] = {")
	for _, x := range xs {
		fmt.Fprintf(&src, "%#xul,", math.Float64bits(x))
	}
	src.WriteString("};\nint main(void) { double d[1000]; memcpy(d, v, sizeof v); unsigned long u; unsigned w; double q; float fq;\n")
	for _, n := range names {
		a, f := "d[i]", "(float)d[i]"
		if two[n] {
			a += ", d[(i*7+3)%1000]"
			f += ", (float)d[(i*7+3)%1000]"
		}
		fmt.Fprintf(&src, "for (int i = 0; i < 1000; i++) { q = %s(%s); memcpy(&u, &q, 8); fq = %sf(%s); memcpy(&w, &fq, 4); printf(\"%%lx %%x\\n\", u, w); }\n", n, a, n, f)
	}
	src.WriteString("return 0; }\n")
	out := strings.Split(gcc(t, src.String(), "-fno-builtin"), "\n")
	for k, n := range names {
		bad, badSingle := 0, 0
		for i, x := range xs {
			y := xs[(i*7+3)%1000]
			d, _, _ := Math(n, x, y, false)
			f, _, _ := Math(n, float64(float32(x)), float64(float32(y)), true)
			single := pack(softFloat(f), cir.F32).lo
			a, b, _ := strings.Cut(out[1000*k+i], " ")
			bad += int(truth(a != fmt.Sprintf("%x", math.Float64bits(d))))
			badSingle += int(truth(f == f && b != fmt.Sprintf("%x", single)))
		}
		_, exact := exactMath[n]
		if exact && bad+badSingle > 0 || slices.Contains(near, n) && bad > 3 {
			t.Errorf("%s: %d of 1000 differ, %d with float", n, bad, badSingle)
		} else if bad+badSingle > 0 {
			t.Logf("%s: %d of 1000 differ, %d with float", n, bad, badSingle)
		}
	}
}
