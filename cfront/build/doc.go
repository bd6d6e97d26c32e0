// Package build makes the cir of a translation unit from its checked tree.
//
// # The idea
//
// A function is walked once, from top to bottom, and instructions are emitted into the current block;
// clang's CodeGen is the model for what each construct means. Everything that outlives an
// expression lives in memory: parameters are stored into locals at the entry, and no register
// crosses a statement (the address of a variable length array apart, whose scope nobody may
// jump into). So labels, switches and goto need no care about registers, and the analyses
// that come later turn memory that nobody points to into values themselves.
//
// # Values
//
// An expression's value ([val]) is one operand for a scalar; several for complex
// numbers and vectors, which are taken apart into their elements everywhere but in
// memory; the address of its bytes for a struct or union, which is read where the value is
// used. An lvalue ([lval]) is an address, a displacement that is known, the type and, of a
// bit-field, the bits. Conditions are registers of type Bool or, where they lead a branch,
// only control flow; comparisons become int where C's int is asked for.
//
// # Scopes
//
// The variables of a block live from its beginning to its end. A scope ([scope]) is a block, the
// declaration of a variable length array (its storage is given back at the end of the block
// and by a jump back before the declaration) or of a variable with a cleanup function. Leaving a
// scope, by running into its end or by break, goto or return, ends its lives from the innermost
// outward. Jumping into a scope begins the lives: what a goto enters is only known at the label, so
// a goto to a label not seen yet leads to an empty block of its own that is filled at the function's end.
//
// The address of a label is a number, and goto *x a switch over the numbers of the function's labels, so that it ends
// and begins lives like any other jump (label.go).
//
// # Order of evaluation
//
// Where C leaves the order of two operands open, it is gcc's, found by experiments (testdata/order*.c):
// binary operators from left to right, but a plain variable that gcc would rather have on the right is read
// last, and so is a local variable that nobody points to; arguments from right to left; of
// assignments the right side first, unless it is a call, but an object on the right is read after the left
// side; of compound assignments the right side first; initialisers in the order of their places. Where
// the order can matter, because one operand changes what another one reads or changes (effects.go
// summarises what the unit's functions do), an Assumption says so.
//
// # What is not exact
//
// Instructions with [cir.Info].Approx:
//
//   - "inline assembly": outputs get any value, and with a "memory" clobber everything reachable from the inputs may
//     change. Exact are statements without instructions, barriers, and the instructions of asmx86.go.
//   - "complex multiplication or division" of floats: without the recovery of infinities from NaNs that C's Annex G asks for.
//   - "decimal floating point": what is computed with it is any value; copies are exact (decimal.go).
//   - "frame or return address": any pointer.
//
// Assumed, by name: the order of evaluation; that a nested function called through a pointer runs for the
// activation that took its address last (nested.go); that a memory order that is no constant is sequential consistency.
//
// # What is refused
//
// Arguments of variable size (GNU's structs with such members; copies are fine); __builtin_apply and its relatives and
// __builtin_va_arg_pack, which mean what the calling convention or the inliner does; atomic comparisons
// of more than 4096 bytes; conversions of decimal floating constants in static initialisers. An asm statement outside of functions is
// ignored, with a warning.
package build
