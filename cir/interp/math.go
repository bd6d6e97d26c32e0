package interp

import (
	"math"
	"strings"

	"comus/cir"
)

// exactMath are the functions of <math.h> of one or two arguments whose result is exact or rounded as IEEE 754 says.
var exactMath = map[string]func(x, y float64) float64{
	"sqrt": func(x, _ float64) float64 { return math.Sqrt(x) }, "fabs": func(x, _ float64) float64 { return math.Abs(x) },
	"floor": func(x, _ float64) float64 { return math.Floor(x) }, "ceil": func(x, _ float64) float64 { return math.Ceil(x) },
	"trunc": func(x, _ float64) float64 { return math.Trunc(x) }, "round": func(x, _ float64) float64 { return math.Round(x) },
	"rint": func(x, _ float64) float64 { return math.RoundToEven(x) }, "nearbyint": func(x, _ float64) float64 { return math.RoundToEven(x) },
	"roundeven": func(x, _ float64) float64 { return math.RoundToEven(x) },
	"fmod":      math.Mod, "remainder": math.Remainder, "drem": math.Remainder, "copysign": math.Copysign, "nextafter": math.Nextafter,
	"fmin": fmin, "fmax": fmax, "logb": func(x, _ float64) float64 { return math.Logb(x) },
	"ilogb": ilogb, "ldexp": scale, "scalbn": scale, "scalbln": scale, "scalb": scale, "frexp": frexp, "frexp_exp": frexpExp, "modf": modf,
	"fdim": func(x, y float64) float64 {
		if x <= y {
			return 0
		}
		return x - y
	},
}

// nearMath are those whose last bit may differ from glibc's.
var nearMath map[string]func(x, y float64) float64

func init() {
	nearMath = map[string]func(x, y float64) float64{
		"sin": one(math.Sin), "cos": one(math.Cos), "tan": one(math.Tan), "asin": one(math.Asin), "acos": one(math.Acos),
		"atan": one(math.Atan), "sinh": sinh, "cosh": cosh, "tanh": tanh, "asinh": one(math.Asinh),
		"acosh": one(math.Acosh), "atanh": one(math.Atanh), "exp": one(math.Exp), "exp2": one(math.Exp2), "expm1": one(math.Expm1),
		"exp10": func(x, _ float64) float64 { return math.Pow(10, x) }, "log": one(math.Log), "log2": one(math.Log2), "log10": log10,
		"log1p": one(math.Log1p), "cbrt": one(math.Cbrt), "erf": one(math.Erf), "erfc": one(math.Erfc), "tgamma": one(math.Gamma),
		"lgamma": func(x, _ float64) float64 { r, _ := math.Lgamma(x); return r }, "gamma": func(x, _ float64) float64 { r, _ := math.Lgamma(x); return r },
		"j0": one(math.J0), "j1": one(math.J1), "y0": one(math.Y0), "y1": one(math.Y1),
		"pow": math.Pow, "atan2": math.Atan2, "hypot": math.Hypot,
	}
}

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

// Math returns the value of the function of <math.h> of this name, with an f or l behind it or not; of the
// functions of one argument, y is ignored. single rounds to 32 bits. It reports whether the
// result is exact, that is, glibc's, and whether there is the function.
func Math(name string, x, y float64, single bool) (r float64, exact, ok bool) {
	for _, n := range []string{name, strings.TrimSuffix(name, "f"), strings.TrimSuffix(name, "l")} {
		if single && n == "nextafter" {
			if x == y {
				return y, true, true
			}
			return float64(math.Nextafter32(float32(x), float32(y))), true, true
		}
		f, exact := exactMath[n]
		if !exact {
			f = nearMath[n]
		}
		if f == nil {
			continue
		}
		r = f(x, y)
		if !exact {
			r = better(n, x, y, r, single)
		} else if single {
			r = float64(float32(r))
		}
		if r != r { // as the processor would have it
			switch {
			case x != x:
				r = x
			case y != y && two[n]:
				r = y
			case plusNaN[n]:
				r = math.Float64frombits(default64 &^ (1 << 63))
			case n != "fabs" && n != "copysign":
				r = math.Float64frombits(default64)
			}
			if n == "fabs" {
				r = math.Abs(r)
			} else if n == "copysign" {
				r = math.Copysign(r, y)
			}
		}
		return r, exact || r != r || math.IsInf(x, 0) || x == 0 && !two[n], true
	}
	return 0, false, false
}

// better returns what a function that Go computes approximately as r is, rounded to nearest.
func better(name string, x, y, r float64, single bool) float64 {
	if r != 0 && r == r && !math.IsInf(r, 0) && !math.IsInf(x, 0) && x != 0 && (!two[name] || !math.IsInf(y, 0)) && math.Abs(r) > 1e-300 {
		if a, ok := accurate(name, x, y); ok {
			r = a
		}
	}
	if single {
		return float64(float32(r))
	}
	return r
}

// plusNaN are the functions that glibc gives an operand outside of the domain a NaN without sign.
var plusNaN = map[string]bool{"acos": true, "asin": true, "log10": true, "y0": true, "y1": true}

// two are the functions of two floats.
var two = map[string]bool{"fmod": true, "remainder": true, "drem": true, "copysign": true, "nextafter": true, "fmin": true, "fmax": true,
	"fdim": true, "pow": true, "atan2": true, "hypot": true}

func fmin(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y || x < y:
		return x
	}
	return y
}

func fmax(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y || x > y:
		return x
	}
	return y
}

func ilogb(x, _ float64) float64 {
	switch {
	case x == 0 || x != x:
		return math.MinInt32
	case math.IsInf(x, 0):
		return math.MaxInt32
	}
	return float64(math.Ilogb(x))
}

func scale(x, y float64) float64 { return math.Ldexp(x, int(max(min(y, 1<<20), -1<<20))) }

func frexp(x, _ float64) float64 {
	r, _ := math.Frexp(x)
	return r
}

func frexpExp(x, _ float64) float64 {
	_, e := math.Frexp(x)
	return float64(e)
}

func modf(x, _ float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(0, x)
	}
	return math.Copysign(x-math.Trunc(x), x)
}

// softMath is Math for types wider than 64 bits: only what is exact.
func softMath(name string, x, y soft, ty cir.Type) (soft, bool) {
	name = strings.TrimSuffix(name, "l")
	integral := x.class != finite || x.exp >= 0
	switch name {
	case "sqrt":
		return softSqrt(x), true
	case "fabs":
		x.neg = false
		return x, true
	case "copysign":
		x.neg = y.neg
		return x, true
	case "fmin", "fmax":
		switch {
		case x.class == nan:
			return y, true
		case y.class == nan:
			return x, true
		}
		if c := softCmp(x, y); c < 0 == (name == "fmin") {
			return x, true
		}
		return y, true
	case "trunc", "floor", "ceil", "round", "rint", "nearbyint", "roundeven":
		if integral {
			return x, true
		}
		return softRound(name, x), true
	}
	return soft{}, false
}

// softRound returns a neighbouring integer.
func softRound(name string, x soft) soft {
	n := x.truncate()
	rest := x.signed(min(x.exp, 0))
	whole := softInt(n).signed(min(x.exp, 0))
	rest.Sub(rest, whole).Abs(rest)
	half := softCmp(soft{class: finite, mant: rest.Add(rest, rest), exp: x.exp}, softInt(bigOne))
	up := false
	if rest.Sign() == 0 {
		half = -1
	}
	switch name {
	case "floor":
		up = x.neg && rest.Sign() != 0
	case "ceil":
		up = !x.neg && rest.Sign() != 0
	case "round":
		up = half >= 0
	case "trunc":
	default:
		up = half > 0 || half == 0 && n.Bit(0) != 0
	}
	if up {
		if x.neg {
			n.Sub(n, bigOne)
		} else {
			n.Add(n, bigOne)
		}
	}
	r := softInt(n)
	r.neg = x.neg
	return r
}
