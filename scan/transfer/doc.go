// Package transfer proves ownership transfer (as in concurrent separation logic, O'Hearn 2007): objects whose ownership threads transfer through containers
// under a lock (queues, stacks and mailboxes) are accessed by one thread at a time.
//
// One object is followed, any of those that are allocated at some places: which variables and which memory hold its address is known exactly at
// each step, and of all other objects only that they are others. At any time the object belongs to a thread, or to a container, or to nobody. It begins with the
// thread that allocates it. Where a lock is given back, it belongs to the lock's container if the container's cells lead to it, by links of objects that belong there,
// too; otherwise to the thread, if it has been that thread's, or the container's since the lock was taken. An access is allowed to the thread that it belongs
// to, and to one that holds the lock of the container that it belongs to. If all accesses are allowed, no two of them are made at the same time: the
// lock is held by one thread, and the object changes hands while it is.
//
// Threads are looked at one by one (explore.go), path by path, with calls entered, as far as that matters for the objects. What they learn of
// each other are the states that a container is found in when its lock is free ([State]): which cells hold null, the object's address or that of another one,
// whether it belongs to the container, what its link holds, and whether the link of another one leads to it. That holds of each object, which is how something is known
// of the others: what cells hold then are objects that each are in such a state as the followed one might be, in the same container (region.go). All other objects
// that a thread finds on its way get a name when it does; with links that nobody looked at yet it is only known how many lead to an object. The name of an object that a list
// only leads through is forgotten again. A list without names belongs to whom the object belongs to that it begins with: so the thread gets it if that is taken out,
// and the container if that is put in.
//
// Cells of a container are scalars that there is one of each (globals, members of an object that there is one of); one member of the objects may be a link. A cell
// either owns what it leads to, as the head of a list does, or does not, as a pointer to the last element: both are tried. Memory that is neither may hold any address
// at any time. While the first thread is alone, it counts as one that holds all locks. It alone finds containers as the program begins, with anything in those that are no globals.
//
// Arrays of addresses in a container (array.go, element.go) own what their used elements lead to: all of them, the first ones, as many as a number under the same lock tells, or in
// a ring (ring.go) so many from a head on. They may be allocated, once (heap.go). Other elements may hold any address, and own nothing. Elements are told by symbols for constants, these numbers, and values that are not known. With
// arrays there are no links, so nothing has to be known of other objects than the followed one.
//
// Containers of one kind (kind.go, raw.go) are the elements of an array of structs, each with its own lock: what is found out of one of them holds of each. A thread may hold two of them at a time. Which elements these
// are is known by symbols: an address that is computed again from the same parts is that of the same element. So objects may go from one to another, also while a thread holds both.
//
// What a thread keeps in memory that no other one knows (private.go) is followed as locals are.
//
// Not proved: arrays of objects with links, arrays that grow, binary heaps, rings without a number of their own for how many elements are used, a scalar that is empty by a flag or counter and still holds the
// address, lists of which a counter tells the length, circles, objects that are given to a thread as its argument, what the objects own in turn, kinds of containers with arrays, and containers that are allocated one by one.
package transfer
