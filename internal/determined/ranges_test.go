package determined

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// translates are the packages that make cir and ir of a program.
var translates = []string{"comus/cfront/...", "comus/cir", "comus/scan/pointsto", "comus/scan/cut", "comus/specialise/...", "comus/ir", "comus/ir/passes", "comus/cutpoints"}

// TestRanges counts where these packages go over maps, whose order is another one each time. Those in testdata/ranges.txt have been
// looked at: the order does not show. A new one is to be looked at, too: sort the keys, or see that the order cannot show, and write the new number there.
func TestRanges(t *testing.T) {
	text, err := os.ReadFile("testdata/ranges.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		file, n, _ := strings.Cut(strings.TrimSpace(line), " ")
		want[file] = n
	}
	got := mapRanges(t)
	for file, n := range got {
		if want[file] != fmt.Sprint(n) {
			t.Errorf("%s goes over maps at %d places, and %q have been looked at", file, n, want[file])
		}
	}
	for file := range want {
		if got[file] == 0 {
			t.Errorf("%s goes over no map any more", file)
		}
	}
}

// mapRanges returns, for each file, how many range statements are over maps.
func mapRanges(t *testing.T) map[string]int {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f",
		"{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{.DepOnly}}\t{{join .GoFiles \" \"}}"}, translates...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports, count, fset := map[string]string{}, map[string]int{}, token.NewFileSet()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, l := range lines {
		f := strings.Split(l, "\t")
		exports[f[0]] = f[1]
	}
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, l := range lines {
		f := strings.Split(l, "\t")
		if f[3] == "true" {
			continue
		}
		var files []*ast.File
		for _, name := range strings.Fields(f[4]) {
			file, err := parser.ParseFile(fset, filepath.Join(f[2], name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if _, err := (&types.Config{Importer: imports}).Check(f[0], fset, files, info); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				if r, ok := n.(*ast.RangeStmt); ok {
					if _, ok := info.TypeOf(r.X).Underlying().(*types.Map); ok {
						count[strings.TrimPrefix(f[0], "comus/")+"/"+filepath.Base(fset.Position(r.Pos()).Filename)]++
					}
				}
				return true
			})
		}
	}
	return count
}
