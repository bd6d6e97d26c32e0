package sample_test

import (
	"context"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cir/interp/sample"
)

// TestStreams has what threads do to one stream: functions that lock it do not race, those that do not lock it race with everybody who does not hold its lock.
func TestStreams(t *testing.T) {
	const text = `#include <pthread.h>
		#include <stdio.h>
		FILE *g; char a[8];
		void *f(void *p) { FIRST; return 0; }
		int main(void) { pthread_t t; g = fopen("x", "r+"); if (!g) return 0; pthread_create(&t, 0, f, 0); SECOND;
		pthread_join(t, 0); return 0; }`
	for _, x := range []struct {
		first, second string
		race          bool
	}{
		{`putchar('a')`, `printf("b")`, false},
		{`putchar('a')`, `putchar_unlocked('b')`, true},
		{`fputs("a", stdout)`, `putchar_unlocked('b')`, true}, // of the same stream by another name
		{`fputs("a", stderr)`, `putchar_unlocked('b')`, false},
		{`fputs("a", g)`, `fputc_unlocked('b', stdout)`, false},
		{`fputs("a", g)`, `fputc_unlocked('b', g)`, true},
		{`feof(g)`, `feof_unlocked(g)`, false},
		{`fgetc(g)`, `feof_unlocked(g)`, true},
		{`feof(g)`, `fclose(g)`, true},
		{`feof(g)`, `pthread_join(t, 0); fclose(g); return 0`, false},
		{`flockfile(g); fputc_unlocked('a', g); funlockfile(g)`, `fputs("b", g)`, false},
		{`flockfile(g); fputc_unlocked('a', g); fputs("a", g); fputc_unlocked('a', g); funlockfile(g)`, `fputs("b", g); fprintf(g, "c")`, false},
		{`flockfile(g); funlockfile(g); fputc_unlocked('a', g)`, `fputs("b", g)`, true},
		{`flockfile(g); fputs("a", g); funlockfile(g)`, `fputc_unlocked('b', g)`, true}, // it holds the lock already
		{`flockfile(g); fputc_unlocked('a', g); funlockfile(g)`, `feof(g)`, false},
		{`flockfile(stdout); putchar_unlocked('a'); funlockfile(stdout)`, `printf("b")`, false},
		{`flockfile(stderr); putchar_unlocked('a'); funlockfile(stderr)`, `printf("b")`, true},
	} {
		checkRace(t, strings.NewReplacer("FIRST", x.first, "SECOND", x.second).Replace(text), x.race, true)
	}
}

// TestLocale has functions that the locale matters to while it is set.
func TestLocale(t *testing.T) {
	const text = `#include <pthread.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <locale.h>
		char a[8];
		void *f(void *p) { FIRST; return 0; }
		int main(void) { pthread_t t; BEFORE; pthread_create(&t, 0, f, 0); SECOND; pthread_join(t, 0); return 0; }`
	for _, x := range []struct {
		before, first, second string
		race                  bool
	}{
		{``, `snprintf(a, 8, "%d", 1)`, `setlocale(LC_ALL, "C")`, true},
		{``, `strtod("1", 0)`, `setlocale(LC_ALL, "C")`, true},
		{`setlocale(LC_ALL, "C")`, `strtod("1", 0)`, `atof("1")`, false},
		{``, `abs(1)`, `setlocale(LC_ALL, "C")`, false},
		{``, `snprintf(a, 8, "%d", 1)`, `setlocale(LC_ALL, 0)`, false}, // which asks
		{``, `setlocale(LC_ALL, 0)`, `setlocale(LC_ALL, "C")`, true},
	} {
		checkRace(t, strings.NewReplacer("BEFORE", x.before, "FIRST", x.first, "SECOND", x.second).Replace(text), x.race, true)
	}
}

// TestExact has races of runs that depend on what a variable holds that is defined nowhere: those before anybody read it are exact.
func TestExact(t *testing.T) {
	const text = `#include <pthread.h>
		extern int n; int x;
		void *f(void *p) { FIRST; return 0; }
		int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); SECOND; pthread_join(t, 0); return n; }`
	for _, x := range []struct {
		first, second string
		race, exact   bool
	}{
		{`x = 1`, `x = 2`, true, true},
		{`x = n`, `x = 2 + n`, true, false},
		{`if (!n) x = 1`, `x = 2`, true, false},
		{`n = 1`, `n = 2`, true, true},
		{`x = n`, `n + 1`, false, false},
	} {
		checkRace(t, strings.NewReplacer("FIRST", x.first, "SECOND", x.second).Replace(text), x.race, x.exact)
	}
}

// checkRace samples a program: whether a run has a race, and all of them are exact.
func checkRace(t *testing.T, text string, race, exact bool) {
	t.Helper()
	p := load(t, text, cfront.Options{})
	r, err := sample.Run(context.Background(), p.Program, sample.Options{Races: true, Runs: 60, MaxSteps: 20000})
	if err != nil {
		t.Fatal(err)
	}
	if race != (len(r.Races) > 0) {
		t.Errorf("%d races in %d runs %v of %s", len(r.Races), r.Runs, r.Outcomes, text)
	}
	for _, x := range r.Races {
		if x.What.Exact != exact {
			t.Errorf("exact %v: %+v of %s", x.What.Exact, x.What, text)
		}
	}
}
