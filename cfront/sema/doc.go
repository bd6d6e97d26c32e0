// Package sema gives a syntax tree its meaning: it resolves names, computes types, layouts and
// constants, makes every implicit conversion a node, flattens initialisers, and refuses
// what gcc refuses. The outcome is a [tree.Unit].
//
// The judge is gcc 12 with -std=gnu17 -w: what it compiles must be taken, with the same
// types, sizes, offsets and values; what it refuses is refused with one line that says where
// and why. Where gcc only warns, nothing is said.
//
// A [checker] goes through the unit once, in the order of the source, as a C compiler does. Its state
// is the scopes, the function it is in, and the statements it is adding to. The files go by
// what they check: specs.go and declarator.go make types of specifiers and declarators, record.go
// and enum.go define them, decl.go and linkage.go declare, init.go and initlist.go initialise;
// expr.go dispatches to the kinds of expressions; convert.go makes conversions; fold.go and
// consteval.go compute constants; stmt.go and label.go check statements; builtin….go know the builtins.
//
// An error is a panic with a *syntax.Error, recovered in [Check]: the first error ends the unit.
//
// # Builtins
//
// A [tree.Builtin] has the builtin's name without "__builtin_" or "__"; the sized variants
// (__atomic_load_4, __sync_fetch_and_add_8) have the name without their size, so that the type of what the first
// argument points to tells it. Arguments are values (Loads, Decays, Converts are made), but for
//
//   - va_start(ap, last), va_end(ap), va_copy(dst, src): the lists are as in [tree.VaArg].
//   - atomic_load(p, ret, order), atomic_store(p, v, order), atomic_exchange(p, v, ret, order),
//     atomic_compare_exchange(p, expected, desired, weak, success, failure): all by pointers, as
//     gcc has them; the _n variants take and return values.
//   - add_overflow(a, b, res) and the like: a and b of any integer types, res a pointer. add_overflow_p(a, b, c):
//     c's type is the one that counts. sadd_overflow and the others with types in their names are add_overflow
//     with arguments converted.
//
// constant_p, types_compatible_p, choose_expr, offsetof, classify_type, object_size (where it is known or
// not to be known) and has_attribute are constants and never appear.
package sema
