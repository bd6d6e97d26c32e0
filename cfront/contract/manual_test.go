package contract

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// safeEnough are functions that manual pages call unsafe, with reason.
var safeEnough = map[string]string{
	"sleep":     "only where SIGCHLD is ignored, on old kernels",
	"valloc":    "only its first call, and only in documentation",
	"pvalloc":   "only its first call, and only in documentation",
	"sethostid": "no state of the library: a file",
}

// TestManual compares what the manual pages of Linux say about threads.
func TestManual(t *testing.T) {
	pages, _ := filepath.Glob("/usr/share/man/man[23]/*.gz")
	if len(pages) < 1000 {
		t.Skip("no manual pages; apt-get install manpages-dev")
	}
	attributes := regexp.MustCompile(`(?ms)^\.SH ATTRIBUTES\n(.*?)^\.SH `)
	safety := regexp.MustCompile(`Thread safety\s+(?:T\{\s+)?MT-(Safe|Unsafe)`)
	name := regexp.MustCompile(`(?m)^\.(?:BR|B) (\w+)`)
	said := map[string]bool{} // that a function is unsafe
	for _, page := range pages {
		m := attributes.FindStringSubmatch(unzip(t, page))
		if m == nil {
			continue
		}
		from := 0
		for _, at := range safety.FindAllStringSubmatchIndex(m[1], -1) {
			for _, n := range name.FindAllStringSubmatch(m[1][from:at[0]], -1) {
				said[n[1]] = said[n[1]] || m[1][at[2]:at[3]] == "Unsafe"
			}
			from = at[1]
		}
	}
	compared := 0
	for _, f := range All() {
		unsafe, ok := said[f.Name]
		if ok {
			compared++
		}
		if unsafe && !f.Unsafe && safeEnough[f.Name] == "" {
			t.Errorf("%s:%d: %s is unsafe, says its manual page", f.At.File, f.At.Line, f.Name)
		}
	}
	t.Logf("%d functions compared", compared)
}

func unzip(t *testing.T, name string) string {
	f, err := os.Open(name)
	if err != nil {
		return "" // a dangling link
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
