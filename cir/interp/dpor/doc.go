// Package dpor runs a program in all ways in which its threads may be interleaved, up to equivalence, if those are few enough: dynamic partial order reduction.
//
// # What is equivalent
//
// Two accesses are dependent if they touch a byte in common and one of them writes it. To exchange two neighbouring steps of different threads that are not dependent
// changes nothing: the same state follows. Executions that differ only by such exchanges are equivalent (a class of them is a trace of Mazurkiewicz's); they end alike, have the same races,
// and one of each class is enough. Two threads that each do a thousand steps on memory of their own have one class, and more interleavings than there are atoms.
//
// # How the classes are found
//
// The program is run again and again from its beginning, each time with a prefix of choices that is given; no state is kept (P. Godefroid, Model checking for programming languages using
// VeriSoft, POPL 1997). An event is what a thread does from one choice to the next: steps that no other thread notices, and then one access, or one atomic section, that others may
// notice. A run notes what each event has touched. Whenever an event is dependent on an earlier one of another thread, and nothing else orders the two, the two race: they may come in the other
// order, and before the earlier one another thread has to be tried (C. Flanagan and P. Godefroid, Dynamic partial order reduction for model checking software, POPL 2005). Which
// thread: one that can begin what comes between the two without the first one, a source set (P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Optimal dynamic partial order reduction, POPL 2014); if there is one among those
// that are tried anyway, nothing has to be done. Where all choices that were noted have been tried, the last ones first, all classes have been run.
//
// A thread whose next event was tried at a state need not be tried again as long as nothing happens on which that event depends: it sleeps (Godefroid, Partial-order methods for
// the verification of concurrent systems, LNCS 1032). A run in which all threads sleep is one that there was before, and is cut off. So no class is run twice.
//
// # Threads that wait
//
// A thread that tries to take a lock, and has to wait, changes nothing. So this is no event: the thread sleeps until somebody writes what it has read. What it has read counts for races all the same, as the
// other thread, which holds the lock, may come later. A thread that is to be tried before an event, and has to wait there, cannot come before it. If what it would have to read then is more
// than what it has read when it could go on, somebody else might have let it go on, and all threads are tried.
//
// # What others may notice
//
// Most accesses are of memory that one thread alone uses, or that nobody writes any more. Which those are is learned: a word (eight bytes) is shared when two threads have touched it, of which one has written it. If
// a run finds one more, all begins again, with more events. In the end no run has found any: then all were right about it. (If there were an execution with another shared word, take the shortest
// one: all of it but the last access is equivalent to one that was run, and there the thread makes that access next.)
//
// What is no memory has addresses as well ([interp.Observer]): the end of a thread, the numbers of threads, what is read, and what only orders accesses, as atomic sections of the program do, so that equivalent
// executions have the same races. The life of an object is a byte behind it, which free writes. What is not known
// better is dependent on everything: calls of functions without a body, and how the program ends, as nothing comes behind that.
//
// # What it says
//
// That all executions were run holds for the inputs that the runs were given, and for choices of the library (whether a wait ends by itself) as they were given. Runs that do not end, more than a number of runs or
// events, handlers of signals, copies of the process: then it ends without having tried all.
package dpor
