// Package cgen writes parts of programs in IR as C: what the translators of package
// sequentialize and the backends of package seqmc have in common.
//
// The terms of the IR are over mathematical integers. Each expression is written so
// that C computes the same: [Names.Expr] bounds every part of a term by the ranges of
// the variables in it, and if some part does not fit an int, the variables are cast to
// long long or __int128 first. Quotients and remainders that may have negative operands
// become calls of functions that round as the IR does.
//
// A [Layout] puts the locations of a thread in an order in which control falls through
// from each to the next where possible, and gives numbers to those at which a context
// switch has to be considered: the visible ones, where the next step touches shared
// memory (Inverso et al., section 3), and those from which the thread may never come to
// such a step although others see what it has done.
package cgen

import "fmt"

// Target is the kind of verifier that the C is for: how it spells what C does not have.
type Target int

// The targets.
const (
	// Generic is for the verifiers of SV-COMP: its functions are only declared, but for
	// reach_error, which fails an assertion for those that look for that.
	Generic Target = iota
	CBMC
	SeaHorn
)

// TargetNames are the names of the targets, in the order of their values.
var TargetNames = []string{"generic", "cbmc", "seahorn"}

// TargetNamed returns the target with a name.
func TargetNamed(name string) (Target, error) {
	for i, n := range TargetNames {
		if n == name {
			return Target(i), nil
		}
	}
	return 0, fmt.Errorf("no target is called %q", name)
}

// Header returns the declarations that all translations for a target begin with:
// assume(c), error() and the functions nondet_T.
func (t Target) Header() string {
	switch t {
	case CBMC:
		return `#define assume(C) __CPROVER_assume(C)
#define error() __CPROVER_assert(0, "an assertion of the program fails")
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
`
	case SeaHorn:
		return `extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void) __attribute__((noreturn));
#define assume(C) __VERIFIER_assume(C)
#define error() __VERIFIER_error()
`
	}
	return `extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
extern void __VERIFIER_assume(int);
void reach_error(void) { __assert_fail("0", "comus", 0, "reach_error"); }
#define assume(C) __VERIFIER_assume(C)
#define error() do { reach_error(); abort(); } while (0)
`
}
