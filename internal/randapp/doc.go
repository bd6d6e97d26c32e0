// Package randapp writes random C programs as people write them, of 30 to 190 lines: structs on the heap, in arrays and in
// one another, with locks and what they protect inside, functions that are given a pointer to such a struct or to a member, wrappers
// of allocation and locking, indexes that depend on the program's arguments, lists, strings, counts of references, conditions in
// wait loops, threads created in loops. Two threads, rarely three, do a few steps each, so that they end and can be decided.
//
// A program consists of one or two idioms (see [IdiomNames]), each with an object, its functions and its threads' steps. It is
// independent of the idiom where the object lies (in a static variable, on the heap, in main, in an array, in another object), how it
// was allocated, in which order its members are, what kind of lock it has, and how the threads are told of it.
//
// What is right is known by the way a program is made: it has no undefined behaviour, data race, deadlock or leak, and its
// assertions hold, but for one bug, in about every second program. [Program.Claim] says what is known. Package observe runs
// programs, to find out more, and its tests compare verdicts with both.
//
// # What programs are made of
//
// The table has constructs of programs, in how many of 25 real programs, which cilly has merged (so that some look otherwise),
// and of 87 ordinary ones they are, and in how many of 100 programs of which generator, as measured by TestConstructs, which fails
// if the generator that is said to make one does not:
//
//	construct                                real ordinary  generators
//	a thread is created                        23       87  randapp 100, randprog 100, randrace 100, randrel 100, randstr 75
//	threads created in a loop                   6       38  randapp 61, randrace 52, randprog 7, randrel 4
//	ids in an array                             8       71  randapp 79, randprog 50
//	ids in an array of structs                  0        6  randapp 22, randrace 7
//	a number as the argument                    0        0  randrace 22, randapp 20, randprog 10
//	an argument that the thread frees           2        3  randapp 20
//	results of threads                          3        0  randapp 4, randprog 2
//	lock in a struct, &p->lock                 15       68  randapp 68, randrace 39, randprog 2
//	&p->lock given to the program's function   15       68  randapp 10
//	lock in an array of structs                 3        6  randapp 9, randrace 7
//	struct on the heap with a lock             22       83  randapp 77, randrace 75, randc 30, randprog 12
//	array in a struct with a lock               8       26  randapp 51, randrace 14
//	index from an argument                     21       74  randapp 48, randrace 40, randc 35
//	pointer to a member                        16       15  randapp 12, randc 4, randrace 2
//	trylock                                     4        0  randrace 27, randprog 24, randapp 3
//	recursive or error-checking mutex           1        0  randrace 14, randprog 12, randapp 5
//	condition in a wait loop                    8       26  randrace 17, randapp 16, randprog 12
//	readers and writers                         1        5  randprog 20, randrace 14, randapp 6
//	semaphore in a struct                       1        0  randapp 14
//	barrier in a struct                         2        6  randrace 10, randapp 4
//	spin lock                                   2        0  randrace 9, randapp 5
//	pthread_once                                3        0  randrace 10, randprog 7, randapp 2
//	data of each thread                         1        3  randprog 7, randapp 2
//	__thread                                   13        0  randprog 55, randapp 2
//	cancellation                                5        0  randapp 1
//	cleanup handlers                            0        0  randapp 1
//	C11 atomics                                 0       20  randc 22, randprog 19, randapp 18, randrace 9
//	__sync and __atomic                         2        1  randprog 30, randc 22, randapp 15
//	realloc                                    12        3  randapp 10, randc 5
//	aligned allocation                          3        0  randapp 13
//	wrapper of allocation                       1        0  randapp 12
//	flexible array                             14       11  randc 17, randapp 1
//	memset, memcpy                             21       13  randstr 84, randc 57, randrace 47, randprog 22, randapp 21, randseq 20
//	strcpy, strcat, strlen                     20       15  randstr 100, randc 49, randseq 47, randapp 15, randprog 5
//	snprintf                                   18       35  randstr 70, randc 25, randapp 6
//	strcmp, memcmp                             22       17  randseq 50, randc 27, randapp 4, randprog 2
//	function pointers in structs               17        0  randapp 2
//	(void *)-1 and the like                     6        0  randapp 2
//	limits of types                             0        0  randc 92, randapp 2
//	linked list                                11       40  randrace 20, randprog 10, randapp 9, randc 5
//	list by a pointer to a pointer             24       75  randc 69, randapp 58, randrace 35, randprog 9
//	counts of references                       10       11  randapp 5
//	static variables of functions               0        3  randc 69, randapp 14
//	struct in a struct                         21        6  randapp 20
//	bit-fields                                  4        3  randc 100, randseq 100, randprog 54, randapp 5
//	tagged unions, switch                      22        0  randc 62, randseq 4, randapp 3
//	struct assignment                          17        9  randapp 3
//	signal handler                              6        2  randapp 2
//	timer                                       0        0  randapp 1
//	fork                                        6        0  randapp 1
//	pipe                                        4        0  randapp 2
//	goto                                       21        4  randseq 87, randc 54, randapp 2
//	variable arguments                         17        3  randc 35, randapp 4
//	floats                                     18        5  randc 100, randseq 94, randapp 19
//	variable-length arrays, alloca             13        3  randc 14
//	qsort, bsearch                             14        0  randc 9
//	sscanf, strtol                             19        0  randc 7
//	setjmp                                      2        0  randrace 12, randc 10
//	computed addresses, container_of            2        0  randapp 3
//	recursion                                  14        9  randseq 94, randc 32, randprog 4
//	detached threads                            4        4  randapp 4
//	timed waits                                 5        6  randapp 2
//	sums and differences of counters           22       65  randrel 100, randapp 99, randprog 50, randc 5
//	strncpy, strnlen                           14        2  randstr 100, randseq 22, randc 7, randapp 2
//	queues of pointers                          0        3  randrace 14
package randapp
