package interp

import (
	"fmt"
	"strings"
	"testing"
)

// TestScan compares inputs and formats with sscanf. Each argument is 64 bytes of which the program prints all.
func TestScan(t *testing.T) {
	th := testThread(t)
	formats := []string{"%lf%n", "%f%s", "%d", "%d %d", "%i,%i", "%u", "%x", "%o", "%hhd", "%hd%n", "%ld", "%lld", "%2d%3d", "%*d %d", "%f", "%lf", "%Lf", "%5lf|%n", "%s", "%3s%s", "%c", "%3c", "%[a-z]",
		"%[^,],%d", "%[]x]", "%[^]x]", "%d%%", "a%db", "%p", "%s %d %lf", "%n", " %c", "%d%c", "%*s%n", "%[0-9.]%s", "%zu", "%jd%td", "%q", "%5[a-f]%n", "%ls", "%"}
	inputs := append([]string{"", " ", "12 34", "-5", "0x1f,010", "99999999999999999999", "-99999999999999999999", "4294967296", "12345678", "abc", "abc,7", "a5b", "a 5b", "hello 3 2.5e1",
		"7%", "7 %", "7 x", "]]x", "1.2.3", "(nil)", "0x7f", "-", "+", "- 1", "0", "00", "a", "\n\t x", "ffeeaaxx"}, numerals...)
	var src strings.Builder
	src.WriteString(`#include <stdio.h>
#include <string.h>
static const char *f[] = {`)
	for _, f := range formats {
		fmt.Fprintf(&src, "%q,", f)
	}
	src.WriteString("0}, *s[] = {")
	for _, s := range inputs {
		fmt.Fprintf(&src, "%q,", s)
	}
	src.WriteString(`0};
static unsigned char a[4][64];
int main(void) { for (int i = 0; f[i]; i++) for (int j = 0; s[j]; j++) { memset(a, 0xee, sizeof a); int n = sscanf(s[j], f[i], a[0], a[1], a[2], a[3]);
  printf("%d ", n); for (int k = 0; k < 4*64; k++) if (a[k/64][k%64] != 0xee) printf("%d:%x ", k, a[k/64][k%64]); puts(""); } return 0; }`)
	want := strings.Split(gcc(t, src.String()), "\n")
	i, bad := 0, 0
	for _, f := range formats {
		for _, s := range inputs {
			o := th.m.newObject("a", 4*64, 16, false)
			th.m.fill(o, 0, 4*64, 0xee, false)
			k := 0
			n, ok := th.scan(s, f, func() (Value, bool) {
				k++
				return Value{Type: th.m.prog.Model.Pointer(), Obj: o, Lo: uint64(k-1) * 64}, true
			})
			got := fmt.Sprint(n, " ")
			for i, b := range o.data {
				if b != 0xee {
					got += fmt.Sprintf("%d:%x ", i, b)
				}
			}
			if !ok || got != want[i] {
				if bad++; bad <= 40 {
					t.Errorf("sscanf(%q, %q): %s instead of %s", s, f, got, want[i])
				}
			}
			i++
		}
	}
	t.Logf("%d scans, %d differ", i, bad)
}
