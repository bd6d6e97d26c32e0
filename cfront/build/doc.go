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
// # Order of evaluation
//
// Where C leaves the order of two operands open, it is gcc's: binary operators from left to right, but a
// plain variable is read last; arguments from right to left; of assignments the right side
// first, unless it is a call; of compound assignments always. Where the order can
// matter, because one operand changes what the other one reads or changes (package-wide summaries of
// functions tell, effects.go), an Assumption says so.
//
// # What is not exact
//
// Inline assembly ([cir.Info].Approx says so), frame and return addresses. A nested function that is called
// through a pointer runs in the activation that took its address last, which is an assumption.
package build
