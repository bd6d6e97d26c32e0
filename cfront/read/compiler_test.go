package read

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"comus/cfront/syntax"
	"comus/internal/long"
)

// inputs returns what a unit's file is read as with the host's headers, by us and by gcc; nil if gcc is asked anyway.
func inputs(t *testing.T, file string) (ours, gccs *syntax.Input) {
	t.Helper()
	inv := parseOne(t, file)
	text := readAll(t, file)
	s := ownWithHost(t.Context(), []string{"gcc"}, text, &inv, Options{MaxFileSize: 1 << 30})
	if s == nil {
		return nil, nil
	}
	u := &Preprocessed{inv: inv, opts: Options{MaxFileSize: 1 << 30}, done: s}
	ours, _, err := u.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	out, err := preprocess(t.Context(), []string{"gcc"}, &inv, text, Options{})
	if err != nil {
		t.Errorf("%s: gcc refuses it: %v", file, err)
		return nil, nil
	}
	u = &Preprocessed{inv: inv, opts: Options{MaxFileSize: 1 << 30}, out: out, users: text}
	if gccs, _, err = u.Tokens(); err != nil {
		t.Fatal(err)
	}
	return ours, gccs
}

// TestHostHeaders compares the tokens of units that we preprocess with the host's headers with those that gcc makes: their texts, their places, and what the
// user wrote for them.
func TestHostHeaders(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	units, count, left := 0, 0, 0
	n := 0
	for _, glob := range []string{"testdata/cpp/*.c", "testdata/places/*.c", "../../examples/*.c", "../testdata/*/*.c", "../build/testdata/*.c", os.Getenv("COMUS_CPP")} {
		files, _ := filepath.Glob(glob)
		for _, f := range files {
			if n++; !long.Turn(n, 100) {
				continue
			}
			ours, gccs := inputs(t, f)
			if ours == nil {
				left++
				continue
			}
			units, count = units+1, count+len(ours.Tokens)
			if !reflect.DeepEqual(ours.System, gccs.System) {
				t.Errorf("%s: headers of the system: %v, not %v", f, ours.System, gccs.System)
			}
			for i := range min(len(ours.Tokens), len(gccs.Tokens)) {
				a, b := ours.Tokens[i], gccs.Tokens[i]
				b.Space = a.Space // gcc writes blanks that keep what macros make apart
				if a != b {
					t.Errorf("%s: token %d is %+v; gcc has %+v", f, i, a, b)
					break
				}
				last := min(i+5, len(ours.Tokens)-1, len(gccs.Tokens)-1)
				if a, b := ours.Text(i, last), gccs.Text(i, last); a != b && ours.Tokens[i].Pos.Col > 0 && ours.Tokens[last].Pos.Col > 0 {
					t.Errorf("%s: token %d, %q, is written %q; by gcc %q", f, i, ours.Tokens[i].Text, a, b)
					break
				}
			}
			if len(ours.Tokens) != len(gccs.Tokens) {
				t.Errorf("%s: %d tokens, not %d", f, len(ours.Tokens), len(gccs.Tokens))
			}
		}
	}
	t.Logf("%d units, %d tokens; %d units are gcc's", units, count, left)
	if units == 0 {
		t.Error("we preprocess no unit")
	}
}

// TestAskCompiler lists what is left to the compiler.
func TestAskCompiler(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("once.h", "#pragma once\nint once;\n")
	write("plain.h", "int plain;\n")
	write("odd.h", "int odd??(1??);\n")
	for text, ours := range map[string]bool{
		"#include <stdio.h>\n#include \"plain.h\"\nint x;\n":             true,
		"#define D __DATE__\nint x;\n":                                   true,
		"char d[] = __DATE__;\n":                                         false,
		"#include \"once.h\"\n":                                          false,
		"#include \"odd.h\"\n":                                           false,
		"#pragma omp parallel\nint x;\n":                                 false,
		"_Pragma(\"pack(1)\") int x;\n":                                  false,
		"??=define X\n":                                                  false,
		"#define A \\ \nint x;\n":                                        false,
		"int x;\r\n":                                                     false,
		"#if __has_attribute(no_such_attribute)\n#endif\n":               false,
		"#if __has_attribute(__noreturn__)\n#endif\nint x;\n":            true,
		"#if __has_include_next(<stdio.h>)\n#endif\n":                    false,
		"#ifdef __has_feature\nint feature;\n#else\nint none;\n#endif\n": true,
		"#ifndef __has_feature\n#define __has_feature(x) 1\n#endif\n#if defined __has_feature\nint x;\n#endif\n": true,
		"#include_next <stdio.h>\n":     false,
		"#import \"plain.h\"\n":         false,
		"#line 7\nint x;\n":             false,
		"#warning \"x\"\n":              false,
		"#error x\n":                    false,
		"#include <no_such_header.h>\n": false,
		"int x = __COUNTER__ + __LINE__;\nconst char *f = __FILE__;\n": true,
	} {
		file := write("unit.c", text)
		inv := parseOne(t, file)
		if got := ownWithHost(t.Context(), []string{"gcc"}, []byte(text), &inv, Options{MaxFileSize: 1 << 30}) != nil; got != ours {
			t.Errorf("%q: we preprocess it: %v", text, got)
		} else if ours {
			if ours, gccs := inputs(t, file); len(ours.Tokens) != len(gccs.Tokens) || !reflect.DeepEqual(ours.Tokens[len(ours.Tokens)-1], gccs.Tokens[len(gccs.Tokens)-1]) {
				t.Errorf("%q: %d tokens, by gcc %d", text, len(ours.Tokens), len(gccs.Tokens))
			}
		}
	}
}

// TestVariants has a text that standards read in different ways: only where they read it as gcc does without a flag is it preprocessed here.
func TestVariants(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const text = "#define f(...) g(1, ## __VA_ARGS__)\nint a = 8 //* x */ 2\n;\nint b = f();\n"
	file := filepath.Join(t.TempDir(), "x.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for flag, ours := range map[string]bool{"": true, "-std=gnu11": true, "-std=gnu17": true, "-O2": true, "-std=c90": false, "-ansi": false, "-std=c99": false, "-std=c11": false, "-std=gnu89": false, "-std=c2x": false,
		"-fpreprocessed": false, "-traditional-cpp": false} {
		inv := parseOne(t, file)
		if inv.Preprocess = nil; flag != "" {
			inv.Preprocess = []string{flag}
		}
		if s := ownWithHost(t.Context(), []string{"gcc"}, []byte(text), &inv, Options{MaxFileSize: 1 << 30}); (s != nil) != ours {
			t.Errorf("%s: we preprocess it: %v", flag, s != nil)
		}
	}
	t.Setenv("C_INCLUDE_PATH", "inc")
	inv := parseOne(t, file)
	if ownWithHost(t.Context(), []string{"gcc"}, []byte(text), &inv, Options{MaxFileSize: 1 << 30}) != nil {
		t.Error("we preprocess it with folders of the environment")
	}
}

// TestOwnAtomics has a <stdatomic.h> of the user's before the compiler's.
func TestOwnAtomics(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{"x.c": "#include <stdatomic.h>\nint x;\n", "inc/stdatomic.h": "int mine;\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for flag, ours := range map[string]bool{"-Iinc": false, "-isysteminc": false, "-Iother": true} {
		inv := parseOne(t, filepath.Join(dir, "x.c"))
		inv.Dir, inv.File, inv.Preprocess = dir, "x.c", []string{flag}
		if flag == "-isysteminc" {
			inv.Preprocess = []string{"-isystem", "inc"}
		}
		if s := ownWithHost(t.Context(), []string{"gcc"}, readAll(t, filepath.Join(dir, "x.c")), &inv, Options{MaxFileSize: 1 << 30}); (s != nil) != ours {
			t.Errorf("%s: we preprocess it: %v", flag, s != nil)
		}
	}
}

// TestFactsHold changes what the facts of a compiler depend on.
func TestFactsHold(t *testing.T) {
	cache, dir := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	cc := filepath.Join(dir, "mycc")
	script := func(flags string) {
		if err := os.WriteFile(cc, []byte("#!/bin/sh\nexec gcc "+flags+" \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	known := func(want ...string) {
		t.Helper()
		f := factsOf(t.Context(), []string{cc}, nil)
		for _, w := range want {
			if f == nil || !strings.Contains(f.Macros, w) {
				t.Errorf("no %q among the macros", w)
			}
		}
	}
	script("-DFIRST=1")
	known("#define FIRST 1")
	known("#define FIRST 1", "#define __GNUC__ ")
	script("-DSECOND=22")
	known("#define SECOND 22")
	f := factsOf(t.Context(), []string{cc}, nil)
	f.Absent = append(f.Absent, filepath.Join(dir, "later"))
	if !f.hold() {
		t.Error("nothing has changed")
	}
	if err := os.Mkdir(filepath.Join(dir, "later"), 0o755); err != nil {
		t.Fatal(err)
	}
	if f.hold() {
		t.Error("there is a folder that was not")
	}
	if a, b := factsOf(t.Context(), []string{"gcc"}, []string{"-O2"}), factsOf(t.Context(), []string{"gcc"}, nil); strings.Contains(b.Macros, "#define __OPTIMIZE__") || !strings.Contains(a.Macros, "#define __OPTIMIZE__") {
		t.Error("flags make no difference")
	}
	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cache, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if factsOf(t.Context(), []string{"gcc"}, nil) != nil {
		t.Error("facts that cannot be kept are used")
	}
}
