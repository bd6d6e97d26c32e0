package replay

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"comus/cir"
	"comus/cir/cgen"
)

const makeText = `# %[4]s: make builds the program, make run runs the execution.
# SANITIZE=thread, address, undefined or leak builds it with that sanitizer, as ./replay-SANITIZE.
# The library has no debugging information, so that a debugger steps over it. Nothing is optimised: what an access is for
# ThreadSanitizer has to be one of the program's.
FLAGS = %[2]s -pthread
ifneq ($(filter-out thread address undefined leak,$(SANITIZE)),)
$(error SANITIZE is none of thread, address, undefined, leak)
endif
ifneq ($(SANITIZE),)
WITH = -$(SANITIZE)
CHECKS = -g -fno-omit-frame-pointer -fsanitize=$(SANITIZE) -DCOMUS_SANITIZED
endif
ifeq ($(SANITIZE),undefined)
CHECKS += -fno-wrapv -fno-sanitize-recover=all
endif
ifeq ($(SANITIZE),thread)
LINK = %[3]s
endif

replay$(WITH): %[1]s$(WITH).o %[1]s_library$(WITH).o comus_cir$(WITH).o %[5]s$(WITH).o comus_real$(WITH).o schedule$(WITH).o
	gcc -pthread $(addprefix -fsanitize=,$(SANITIZE)) $(LINK) -o $@ $^ -lm

run: replay$(WITH)
	./replay$(WITH)

%[1]s$(WITH).o: %[1]s.c %[1]s.h comus_cir.h
	gcc $(FLAGS) -g $(CHECKS) -c -o $@ $<

%[1]s_library$(WITH).o: %[1]s_library.c %[1]s.h comus_cir.h
	gcc $(FLAGS) $(filter-out -fno-wrapv -fsanitize=undefined,$(CHECKS)) -c -o $@ $<

%%$(WITH).o: %%.c %[1]s.h comus_cir.h comus_replay.h
	gcc $(FLAGS) $(addprefix -DCOMUS_SANITIZED=COMUS_,$(SANITIZE)) -c -o $@ $<

clean:
	rm -f replay replay-* *.o

.PHONY: clean run
`

// makefile returns the Makefile for a program, which a file of the runtime plays.
func makefile(name string, p *cir.Program, runtime string) string {
	return fmt.Sprintf(makeText, name, strings.Join(cgen.Flags, " "), strings.Join(wraps(p), " "), Marker, runtime)
}

// wraps returns what the linker is told of the functions that comus_real.c has wrappers of.
func wraps(p *cir.Program) []string {
	var list []string
	for _, f := range p.Funcs {
		if f.Library && slices.Contains(wrapped, f.Source) {
			list = append(list, "-Wl,--wrap=comus_lib_"+f.Source)
		}
	}
	return list
}

// wrapped are the functions that comus_real.c has wrappers of: by them ThreadSanitizer sees how the program synchronises.
var wrapped = strings.Fields(`pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_timedlock
	pthread_mutex_clocklock pthread_mutex_unlock mtx_lock mtx_trylock mtx_timedlock mtx_unlock pthread_cond_wait pthread_cond_timedwait
	pthread_cond_clockwait cnd_wait cnd_timedwait pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock
	pthread_rwlock_trywrlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_unlock pthread_spin_lock
	pthread_spin_trylock pthread_spin_unlock sem_init sem_post sem_wait sem_trywait sem_timedwait pthread_barrier_wait pthread_once
	call_once pthread_join pthread_tryjoin_np pthread_timedjoin_np thrd_join`)

// synchronises reports whether a function of the library makes threads wait for one another, or is thread-safe by other means: its
// accesses are none of the program's.
func synchronises(f *cir.Func) bool {
	if !f.Library || slices.Contains(results, f.Source) {
		return false
	}
	name := filepath.Base(f.Pos.File)
	return slices.ContainsFunc(synchronising, func(s string) bool { return strings.HasPrefix(name, s) })
}

// synchronising are the beginnings of names of files of the library.
var synchronising = []string{"pthread", "semaphore", "threads.c", "exit.c", "process.c", "sched.c", "signal.c", "malloc.c"}

// results are functions there that write results to the program's memory.
var results = []string{"pthread_create", "sem_getvalue", "pthread_key_create", "pthread_attr_init", "pthread_mutexattr_init", "thrd_create", "tss_create"}
