// Package pointsto finds out what pointers may point to in a whole cir.Program.
//
// The analysis is inclusion-based (Andersen 1994): every register and every cell of memory
// has a set of locations that only grows; an instruction is a rule about these sets, and the rules
// are applied until nothing changes. It does not know the order of instructions. It is field-sensitive:
// a location is an object and an offset in bytes, so p->next and p->data are apart;
// elements of arrays are one (an offset is reduced by the array's stride, known from the object's
// [cir.Shape] or from how it is indexed). Integers of a pointer's size may carry pointers; where a smaller scalar turns out to
// hold a part of one, the analysis begins again and follows those, too.
//
// What is allocated has no type: a first analysis finds for which structs the program takes it, by its paths of members, a second one divides
// it up so (layout.go). What does not fit that, or moves over bytes from one member into another, may point anywhere in the object (fits.go).
//
// Locations are numbered, and sets are sparse sets of bits of which only what is new is propagated; nodes in a cycle of
// edges become one, as do the cells of an object into which something is stored nobody knows where. Bytes
// that are copied go through a buffer, so that n sources and m destinations are n+m flows.
// Where too many offsets of an object turn up, they are not told apart any more.
//
// A pointer may leave its object and come back; nothing is accessed on the way (bounds.go). In a whole program a call through a pointer that may lead
// outside as well as to functions of the program hands out nothing for others to find (calls.go); that is an assumption, which the result tells.
//
// It does not follow a pointer that is taken from an array within a struct and steps out of it into the struct's other members,
// which is undefined.
//
// Functions of the library ([cir.Func.Library]) are analysed once for each call of the
// program's own code ([Context]), as are the objects that they allocate: otherwise all memory of malloc would be
// one object. A function of the program's own that returns what it just allocated is
// treated in the same way, and what it calls for that is told apart by the calls of it, so that wrappers of malloc are no wall (context.go).
//
// Beside the sets, the result tells who calls whom through pointers, which functions begin
// threads, which objects more than one thread may access, and how memory is accessed: everything package
// specialise wants to know before it begins.
package pointsto
