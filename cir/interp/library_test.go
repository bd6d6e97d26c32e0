package interp_test

import (
	"regexp"
	"strings"
	"testing"

	"comus/cfront/libc"
	"comus/cir/interp"
)

var head = regexp.MustCompile(`^[A-Za-z_].*?(\w+)\([^;]*\{`)

// functions calls f for each function of a model with its lines.
func functions(text string, f func(name string, lines []string)) {
	name, lines := "", []string(nil)
	for l := range strings.Lines(text) {
		if m := head.FindStringSubmatch(l); m != nil {
			name, lines = m[1], nil
		}
		lines = append(lines, l)
		if name != "" && (strings.HasPrefix(l, "}") || head.MatchString(l) && strings.HasSuffix(strings.TrimSpace(l), "}")) {
			f(name, lines)
			name = ""
		}
	}
}

// TestSections checks that it is known of all atomic sections of the models what they order, and of
// all functions that work on objects that synchronise that their accesses are not the program's.
func TestSections(t *testing.T) {
	objects := regexp.MustCompile(`^(pthread_(mutex|cond|barrier|rwlock|once|spin)|semaphore)\.c$`)
	for file, text := range libc.Sources() {
		if !strings.HasSuffix(file, ".c") || file == "verifier.c" {
			continue
		}
		functions(text, func(name string, lines []string) {
			body := strings.Join(lines, "")
			if strings.Contains(body, "__comus_atomic_begin()") && !interp.HasSection(name) {
				t.Errorf("%s: no rule for the sections of %s", file, name)
			}
			own := strings.Contains(name, "attr") || strings.HasSuffix(name, "_of")
			if objects.MatchString(file) && !own && strings.Contains(body, "->") && !interp.HasRole(name) {
				t.Errorf("%s: not known how the accesses of %s count", file, name)
			}
		})
	}
}
