package command

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestParse reads command lines.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		line, pre string
		files     string
		flags     Flags
		warnings  string
		err       string
	}{
		{line: "a.c b.c", files: "a.c b.c"},
		{line: "-Ix -I y -DA -D B=1 -UC a.c", pre: "-I x -I y -D A -D B=1 -U C", files: "a.c"},
		{line: "-isystem x -isystemy -iquote z -idirafter w -include h.h -imacros m.h a.c", pre: "-isystem x -isystem y -iquote z -idirafter w -include h.h -imacros m.h", files: "a.c"},
		{line: "-std=c99 a.c", pre: "-std=c99", files: "a.c", flags: Flags{Std: "c99"}},
		{line: "-ansi a.c", pre: "-ansi", files: "a.c", flags: Flags{Std: "c90"}},
		{line: "-m32 -funsigned-char -fshort-enums -fwrapv -pthread a.c", pre: "-funsigned-char -pthread", files: "a.c", flags: Flags{ILP32: true, CharUnsigned: true, ShortEnums: true, Wrapv: true, Pthread: true}},
		{line: "-m32 -m64 -funsigned-char -fsigned-char -fwrapv -fno-wrapv a.c", pre: "-funsigned-char -fsigned-char", files: "a.c", flags: Flags{LP64: true}},
		{line: "-fpack-struct=4 a.c", files: "a.c", flags: Flags{PackStruct: 4}},
		{line: "-fno-strict-overflow -fms-extensions a.c", pre: "-fms-extensions", files: "a.c", flags: Flags{Wrapv: true, MSExtensions: true}},
		{line: "-nostdinc -undef a.c", pre: "-nostdinc -undef", files: "a.c"},
		{line: "-O2 -Wall -Wextra -g -ggdb3 -o out -c -MD -MF dep -MT t -MQq -Lz -L z -lm -l pthread -fPIC -mavx2 -Wl,-rpath -Xlinker x -pipe -s a.c", files: "a.c"},
		{line: "-Wp,-D_FORTIFY_SOURCE=2 -D_FORTIFY_SOURCE=3 -Wp,-MD,dep -Wp,-DX a.c", pre: "-DX", files: "a.c"},
		{line: "a.o b.a a.c", files: "a.c", warnings: "a.o is ignored: it is no C source; b.a is ignored: it is no C source"},
		{line: "--frob -qwerty -fopenmp a.c", files: "a.c", warnings: "unknown flag --frob is ignored; unknown flag -qwerty is ignored; flag -fopenmp is ignored"},
		{line: "-- -x.c", files: "-x.c"},
		{line: "-x c++ a.c", err: "a.c: -x c++: comus reads C only"},
		{line: "-I", err: "flag -I needs an argument"},
		{line: "@none", err: "none: no such file or directory"},
		{line: "-fpack-struct=3", err: "wrong alignment in -fpack-struct=3"},
	} {
		invs, warnings, err := Parse(strings.Fields(c.line), "")
		if err != nil || c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: %v, not %s", c.line, err, c.err)
			}
			continue
		}
		var files, warn []string
		for _, i := range invs {
			files = append(files, i.File)
			if got := strings.Join(i.Preprocess, " "); got != c.pre || i.Flags != c.flags {
				t.Errorf("%s: %q %+v, not %q %+v", c.line, got, i.Flags, c.pre, c.flags)
			}
		}
		for _, w := range warnings {
			warn = append(warn, w.String())
		}
		if strings.Join(files, " ") != c.files || strings.Join(warn, "; ") != c.warnings {
			t.Errorf("%s: %v %v", c.line, files, warn)
		}
	}
}

// TestResponse reads @files within @files.
func TestResponse(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"one": "-DA='x y' \"-DB=1 2\"\n@two", "two": "-D C=\\\"q\\\" a.c", "self": "@self"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	invs, _, err := Parse([]string{"@one"}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"-D", "A=x y", "-D", "B=1 2", "-D", `C="q"`}; !reflect.DeepEqual(invs[0].Preprocess, want) {
		t.Errorf("%q", invs[0].Preprocess)
	}
	if _, _, err := Parse([]string{"@self"}, dir); err == nil || !strings.Contains(err.Error(), "nested") {
		t.Error(err)
	}
}

// TestDatabase reads a compile_commands.json.
func TestDatabase(t *testing.T) {
	dir := t.TempDir()
	text := `[
 {"directory": "/src", "file": "a.c", "command": "gcc -DX='a b' -Iinc -O2 -c -o a.o a.c"},
 {"directory": "sub", "file": "../b.c", "arguments": ["ccache", "/usr/bin/cc", "-m32", "-c", "../b.c"]},
 {"directory": "/src", "file": "a.c", "command": "gcc -DX='a b' -Iinc -O0 -c -o a2.o a.c"},
 {"directory": "/src", "file": "x.cpp", "command": "g++ -c x.cpp"},
 {"directory": "/src", "file": "/abs/c.c", "command": "clang --weird -c /abs/c.c"}
]`
	file := filepath.Join(dir, "compile_commands.json")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, file} {
		invs, warnings, err := Database(path)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range invs {
			got = append(got, i.Path()+" "+strings.Join(i.Preprocess, ","))
		}
		want := []string{"/src/a.c -D,X=a b,-I,inc", filepath.Join(dir, "b.c") + " ", "/abs/c.c "}
		if !reflect.DeepEqual(got, want) || !invs[1].Flags.ILP32 {
			t.Errorf("%q", got)
		}
		if len(warnings) != 2 || warnings[0].String() != "x.cpp: is ignored: it is no C source" || warnings[1].String() != "/abs/c.c: unknown flag --weird is ignored" {
			t.Error(warnings)
		}
	}
	for text, want := range map[string]string{
		`[{"file":]`:                       ":1:10: invalid character ']' looking for beginning of value",
		`{"file": 1}`:                      "cannot unmarshal object",
		"[\n{\"file\": 1}]":                ":2:",
		`[{"file": "a.c"}]`:                ": entry 1: neither command nor arguments",
		`[{"command": "gcc -c"}]`:          ": entry 1: it names no file",
		`[{"command": "gcc -c 'a.c"}]`:     ": entry 1: a quote is not closed",
		`[{"file":"a","command":"cc -I"}]`: ": entry 1: flag -I needs an argument",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Database(dir); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, _, err := Database(filepath.Join(dir, "none")); err == nil || !strings.HasSuffix(err.Error(), "none: no such file (hint: bear -- make writes one)") {
		t.Error(err)
	}
}
