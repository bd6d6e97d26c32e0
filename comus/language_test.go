package comus_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/comus"
	"comus/internal/long"
	"comus/seqmc"
)

// row is a program of docs/language.md, and what the document says of it.
type row struct {
	part, line int // the part of the document, its line there
	says       string
	src        string
}

const languageDoc = "../docs/language.md"

// languageRows returns the document and the programs in it. A program stands between "```c WHAT COMES OUT" and "```".
func languageRows(t *testing.T) (string, []row) {
	t.Helper()
	text, err := os.ReadFile(languageDoc)
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	var r *row
	part := 0
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case r != nil && line == "```":
			rows, r = append(rows, *r), nil
		case r != nil:
			r.src += line + "\n"
		case strings.HasPrefix(line, "## "):
			part++
		case strings.HasPrefix(line, "```c "):
			r = &row{part: part, line: i + 1, says: line[len("```c "):]}
		}
	}
	return string(text), rows
}

// TestLanguage decides the programs of docs/language.md.
func TestLanguage(t *testing.T) {
	t.Parallel() // with others that take long, when the rest is done
	_, rows := languageRows(t)
	if len(rows) < 60 {
		t.Fatalf("%d programs only", len(rows))
	}
	dir := t.TempDir()
	for _, r := range rows {
		t.Run(fmt.Sprint("line", r.line), func(t *testing.T) {
			long.OneOf(t, 24)
			file := filepath.Join(dir, fmt.Sprintf("line%d.c", r.line))
			if got := whatComes(t, file, r.src, r.says); got != r.says {
				t.Errorf("%s:%d: %q instead of %q", languageDoc, r.line, got, r.says)
			}
			if says, _, _ := strings.Cut(r.says, " "); r.part == 1 && says == "SAFE" {
				// A program whose end is not reached is SAFE, too.
				if got := whatComes(t, file, denied(r.src), "UNSAFE"); got != "UNSAFE" {
					t.Errorf("%s:%d: with the last assertion denied: %q", languageDoc, r.line, got)
				}
			}
			againstCompiler(t, file, r)
		})
	}
}

// whatComes decides a program, of which the document says something, and words what comes out like that.
func whatComes(t *testing.T, file, src, says string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	within := 20 * time.Second
	if strings.HasPrefix(says, "UNKNOWN") { // runs go on for most of the time
		within = 5 * time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	res, err := comus.Verify(ctx, file, comus.Options{})
	var refused *cfront.Error
	switch {
	case errors.As(err, &refused):
		first, _, _ := strings.Cut(err.Error(), "\n")
		return "REFUSED " + withoutPlaces(first)
	case err != nil:
		return err.Error()
	case res.Verdict != seqmc.Unknown:
		return res.Verdict.String()
	case res.Suspected != nil:
		var names []string
		for _, a := range res.Suspected.On {
			if len(names) == 0 || names[len(names)-1] != a.Name {
				names = append(names, a.Name)
			}
		}
		return "UNKNOWN " + strings.Join(names, " and ")
	}
	return "UNKNOWN " + withoutPlaces(others.ReplaceAllString(res.Reason, ""))
}

// others is what a reason says beside why engines have no answer: what a scan has found, and that all executions were run.
var others = regexp.MustCompile(`; (scan: .*|(the only execution|both executions|all \d+ executions) with these inputs .*)$`)

var place = regexp.MustCompile(`( at)? ?\S*line\d+\.c(:\d+:\d+)?:? ?`)

// withoutPlaces returns a message without the places that it names.
func withoutPlaces(s string) string { return strings.TrimSpace(place.ReplaceAllString(s, " ")) }

// denied returns a program whose last assertion says the opposite.
func denied(src string) string {
	i := strings.LastIndex(src, "assert(") + len("assert")
	end, depth := i, 0
	for ; end < len(src); end++ {
		if src[end] == '(' {
			depth++
		} else if src[end] == ')' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	return src[:i] + "(!" + src[i:end+1] + src[end:]
}

// againstCompiler compares with the C compiler of this machine: exact programs that are SAFE run to their end, and it
// refuses what the document says it does.
func againstCompiler(t *testing.T, file string, r row) {
	t.Helper()
	says, _, _ := strings.Cut(r.says, " ")
	if r.part != 1 && says != "REFUSED" || strings.Contains(r.src, "__VERIFIER_") || says == "UNSAFE" {
		return
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	if err := os.WriteFile(file, []byte(r.src), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := strings.TrimSuffix(file, ".c")
	out, err := exec.CommandContext(t.Context(), cc, "-w", "-o", bin, file, "-pthread", "-lm").CombinedOutput()
	if says == "REFUSED" {
		if err == nil {
			t.Errorf("%s:%d: the compiler takes it", languageDoc, r.line)
		}
		return
	}
	if err != nil {
		t.Errorf("%s:%d: %s", languageDoc, r.line, out)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, bin).CombinedOutput(); err != nil {
		t.Errorf("%s:%d: compiled, it says: %v %s", languageDoc, r.line, err, out)
	}
}

// TestLanguageComplete looks for the words that reports show, in the sources that they come from: the document has
// each of them, so that a new approximation, assumption or limit does not stay without a word for users.
func TestLanguageComplete(t *testing.T) {
	doc, _ := languageRows(t)
	doc = strings.Join(strings.Fields(doc), " ")
	goFiles, libc := sources(t, "../specialise/*.go", "../cfront/build/*.go", "../cfront/link/*.go"), sources(t, "../cfront/libc/c/*.c")
	for _, p := range []struct{ sources, pattern, before string }{
		{goFiles, `anything\([^"\n]*"([^"]+)"`, ""},
		{goFiles, `\b(?:a|\.A|\.a)pprox\w* *:?= "([^"]+)"`, ""},
		{goFiles, `havoc\w*\([^"\n]*"([^"]+)"\)`, ""},
		{goFiles, `\b(?:untracked|unsure\w+) *= "([^"]+)"`, ""},
		{libc, `__comus_approximation\("([^"]+)"`, ""},
		{goFiles, `\bassume\w* *(?:=|\() *"([^"]+)"`, "- "},
		{sources(t, "source.go"), `\bassume\w* *= *"([^"]+)"`, "- "},
		{goFiles, `Sentence: "([^"]+)"`, "- "},
		{goFiles, `Sprintf\("(the unknown function [^"]+)"`, "- "},
		{libc, `__comus_assum(?:ed|ption)\((?:\w+, )?"([^"]+)"`, "- "},
		{libc, `__comus_undefined\(.*, "\w+", "([^"]+)"`, "- (no |never used: )"},
		{goFiles, `\.fail\("([^"]+)"`, ""},
		{goFiles, `\bbounded\((?:fmt\.Sprintf\()?"([^"]+)"`, ""},
		{goFiles, `\.full = fmt\.Sprintf\("([^"]+)"`, ""},
	} {
		found := regexp.MustCompile(p.pattern).FindAllStringSubmatch(p.sources, -1)
		if len(found) == 0 {
			t.Errorf("nothing is like %s any more", p.pattern)
		}
		for _, m := range found {
			words := p.before + verbs.ReplaceAllString(regexp.QuoteMeta(m[1]), ".+")
			if !regexp.MustCompile(words).MatchString(doc) {
				t.Errorf("%s does not have %q", languageDoc, m[1])
			}
		}
	}
}

var verbs = regexp.MustCompile(`%[ds]`)

// sources returns the text of the files of some patterns, without tests.
func sources(t *testing.T, patterns ...string) string {
	t.Helper()
	var b strings.Builder
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(f, "_test.go") {
				b.Write(text)
			}
		}
	}
	return b.String()
}
