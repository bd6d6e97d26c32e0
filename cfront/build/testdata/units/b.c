#include <stdio.h>
#include "units.h"

static int counter = 200;
static const char *name(void) { return "b"; }
int tentative;
extern int table[];
__attribute__((weak)) int weak_or_not(void) { return 2; }
__attribute__((weak)) int only_weak(void) { return 3; }
int real_name = 77;
_Thread_local int thread_local_value = 10;
extern struct { int x, y; } shared_struct;
__attribute__((constructor(101))) static void first(void) { puts("b: constructor 101"); }
__attribute__((constructor)) static void last(void) { puts("b: constructor"); }
__attribute__((destructor)) static void leave(void) { puts("b: destructor"); }
extern inline int twice(int x);

const char *b_name(void) { return name(); }
int b_counter(void) { return counter; }
void b_add(int n) { tentative += n; table[3] *= n; }
int b_table_size(void) { int n = 0; while (n < 4 && table[n]) n++; return n; }
int b_weak(void) { return weak_or_not() * 10 + only_weak(); }
int b_pointer(int *p) { return p == table + 1 && p[1] == 3; }
int b_struct(void) { return shared_struct.x * shared_struct.y; }
void b_thread_local(void) { thread_local_value += 5; }
int b_callback(int (*f)(void)) { static int counter = 1; return f() + counter++; }
