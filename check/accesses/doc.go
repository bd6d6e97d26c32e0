// Package accesses proves, of a whole program, that no access to memory is invalid: none is by a null, indeterminate or made-up pointer, none is outside of its object, or after the
// end of its life, none reads a scalar that was never written, and only what malloc and calloc return is given to free. The package is trusted: it is both the rule that tells what is left, and the checker ([Check]).
//
// Up to the first invalid access of an execution, everything holds that others say of the program: what pointers may lead to (package pointsto), what numbers may be and which pointers
// are not null (package valuecheck, which verifies claims), and which threads may be running (package scancheck, likewise). It is enough to show that an access
// is valid where all of that holds: then there is no first one that is not.
//
// # Where pointers lead
//
// What is known of a pointer ([attr]) is how many bytes of its object there are at least before it, and from it on: a type system with sizes, inferred as the least solution of what each
// instruction, call and store makes of it (Cousot and Cousot 1977). It does not know the order of instructions, except that a load of a local that is accessed by its name
// only finds the stores that reach it. A cell of memory holds what is ever stored there, and what it holds when its object begins: unless all of its readers come after
// a store, which is shown of objects that are made known to others only after they were filled (begun.go). A pointer that was not null is not null when it is loaded again before the
// thread has written memory or synchronised (same.go).
//
// Sizes and indices are often products of numbers that the program gets (rows of a matrix). So what is known of an integer (number.go) is not only an interval, but also which polynomial it is, or is at
// most, over symbols: each symbol stands for a number that has one value in all of an execution, as it is set only once (poly.go). That is inferred in the same way, for registers and for cells
// of memory (cells.go), with what comparisons say of a number that is loaded again (limits.go). How many bytes there are behind a pointer is bounded by such polynomials, too: with room for n * n elements,
// row i < n and column j < n, there is at least one behind i * n + j. Arithmetic counts only where the type holds its result, by the intervals.
//
// A number of bytes within an object is not all: who steps out of an array that is a member is within the object, but not where package pointsto has it. Nothing is
// known of such a pointer (places.go).
//
// # What is read was written
//
// Each scalar of a local, and of memory from malloc, is written before it is read (definite initialisation, as in Java; initialised.go). Of locals that are accessed by their names only, the stores
// that reach a load tell that. Of other objects, the analysis of what is filled before others know it does, which looks at all cells that are loaded anywhere (begun.go, fills.go): members, elements with
// constant numbers, and elements that a loop fills. Copies are no reads: what they write is as initialised as what they are copied from. The library reads strings and times, and surely writes some
// of what it is given. A member that is written only after others know the object is left open.
//
// # How long objects live
//
// Globals always do. What main frees, and its locals, have to be out of use where they end: all threads that access them have ended, and nothing that follows accesses them. Other locals are
// lent to callees only (alive.go). Objects that count their references are freed by who holds all of them, and accessed by who holds one (package counted). Objects that are handed to new threads
// belong to their maker before that, and to the thread then (handed.go).
//
// # Use of locks
//
// Locks and the like have lives, too. That no lock and no thread is misused is shown with the same means (uses.go), together with package waits, which knows what threads hold.
//
// # What is not looked at
//
// Functions of the library are looked at by what they demand of their arguments (library.go), which is less than what their models do; other ones are no proof. So are structs that are passed
// by value, variable arguments of the program's own functions, jumps out of functions, handlers of signals and functions that code outside calls. All that is not understood is left open.
package accesses
