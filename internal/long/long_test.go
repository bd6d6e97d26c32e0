package long_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of docs/testing.md anew")

const (
	root     = "../.."
	document = root + "/docs/testing.md"
	begin    = "<!-- the table: go test ./internal/long -update -->\n"
	end      = "<!-- its end -->\n"
)

// TestTable compares the table in docs/testing.md with what the tests say.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		t.Fatal("no table in", document)
	}
	table := table(t)
	if strings.Count(table, "\n") < 50 {
		t.Error("the table has hardly any rows")
	}
	if old == table {
		return
	}
	if !*update {
		t.Fatalf("%s is not up to date: go test ./internal/long -update", document)
	}
	if err := os.WriteFile(document, []byte(before+begin+table+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// table returns what runs where, a row for each test or script that is not whole in `make test`.
func table(t *testing.T) string {
	rows := []string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		dir, _ := filepath.Rel(root, filepath.Dir(path))
		switch {
		case strings.HasSuffix(path, "_test.go") && dir != "internal/long":
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			for _, decl := range f.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok {
					if what := said(f); what != "" {
						rows = append(rows, fmt.Sprintf("| %s | %s | %s |\n", dir, f.Name.Name, what))
					}
				}
			}
		case strings.HasSuffix(path, ".txtar"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if bytes.Contains(text, []byte("[short] skip")) {
				rows = append(rows, fmt.Sprintf("| %s | %s | nothing |\n", strings.TrimSuffix(dir, "/testdata/script"), filepath.Base(path)))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(rows)
	return "| package | test | in `make test` |\n|---|---|---|\n" + strings.Join(rows, "")
}

// said returns what a function says of itself: the calls of package long, and of testing.Short.
func said(f *ast.FuncDecl) string {
	var list []string
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of := ""
		if x, ok := s.X.(*ast.Ident); ok {
			of = x.Name + "." + s.Sel.Name
		}
		what := ""
		switch of {
		case "long.Only":
			what = "nothing"
		case "long.OneOf":
			what = "a case in " + source(call.Args[1])
		case "long.Turn":
			what = "a round in " + source(call.Args[1])
		case "long.N":
			what = source(call.Args[1]) + " instead of " + source(call.Args[0])
		case "testing.Short":
			what = "a part"
		}
		if what != "" && !slices.Contains(list, what) {
			list = append(list, what)
		}
		return true
	})
	if len(list) > 1 { // what the others are is in the code
		list = slices.DeleteFunc(list, func(s string) bool { return s == "a part" })
	}
	return strings.Join(list, "; ")
}

// source returns an expression as it is written.
func source(e ast.Expr) string {
	var b strings.Builder
	_ = printer.Fprint(&b, token.NewFileSet(), e)
	return b.String()
}
