package main

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"comus/internal/child"
)

// jsonTool is another program that comus can make use of.
type jsonTool struct {
	Name string `json:"name"`
	For  string `json:"for"`
	// Path is "" if it is not installed, and Version if it does not tell.
	Path    string `json:"path"`
	Version string `json:"version"`
}

// optional are the programs that comus calls where they are installed.
var optional = []jsonTool{
	{Name: "cc", For: "preprocessing with the headers of this machine"},
	{Name: "gcc", For: "comus replay"},
	{Name: "clang", For: "nothing by itself: a compiler that CC may name"},
	{Name: "cvc5", For: "checking proofs beside Z3"},
	{Name: "cbmc", For: "--seqmc cbmc"},
	{Name: "sea", For: "--seqmc seahorn"},
	{Name: "bear", For: "recording a build for -p"},
	{Name: "make", For: "comus replay"},
	{Name: "gdb", For: "looking at what comus replay writes"},
	{Name: "sbatch", For: "comus bench --executor slurm"},
}

// sanitizers are those that programs of comus replay can be built with.
var sanitizers = []string{"thread", "address", "undefined", "leak"}

// toolTime bounds how long a program may take to tell its version.
const toolTime = 10 * time.Second

// findTools looks for the programs that comus can make use of, and for the sanitizers of the compiler.
func findTools(ctx context.Context) (tools []jsonTool, found []string) {
	tools = append(tools, optional...)
	works := make([]bool, len(sanitizers))
	var all sync.WaitGroup
	for i := range tools {
		all.Go(func() { tools[i].find(ctx) })
	}
	for i, s := range sanitizers {
		all.Go(func() { works[i] = links(ctx, s) })
	}
	all.Wait()
	found = []string{}
	for i, s := range sanitizers {
		if works[i] {
			found = append(found, s)
		}
	}
	return tools, found
}

// find looks for a program and asks it for its version.
func (t *jsonTool) find(ctx context.Context) {
	command := t.Name
	if words := strings.Fields(os.Getenv("CC")); t.Name == "cc" && len(words) > 0 {
		command = words[0]
	}
	path, err := exec.LookPath(command)
	if err != nil {
		return
	}
	t.Path = path
	ask := child.Filter{Argv: []string{path, "--version"}, Timeout: toolTime, Memory: 4 << 30, Output: 1 << 16}
	if stdout, stderr, exit, err := ask.Run(ctx); err == nil && exit == 0 {
		t.Version = versionIn(cmp.Or(string(stdout), string(stderr)))
	}
}

var versionNumber = regexp.MustCompile(`\b\d+(\.\d+)+[-+~.\w]*`)

// versionIn finds a version in what a program says of itself, in its first line that has one. What is in parentheses is
// about the package that it came in.
func versionIn(text string) string {
	for line := range strings.Lines(text) {
		for _, part := range []string{parenthesised.ReplaceAllString(line, ""), line} {
			if v := versionNumber.FindString(part); v != "" {
				return v
			}
		}
	}
	return ""
}

var parenthesised = regexp.MustCompile(`\([^)]*\)`)

// links reports whether the compiler can link a program with a sanitizer: some have the flag, and lack the library.
func links(ctx context.Context, sanitizer string) bool {
	compile := child.Filter{Argv: []string{"gcc", "-fsanitize=" + sanitizer, "-x", "c", "-", "-o", os.DevNull},
		Stdin: []byte("int main(void) { return 0; }\n"), Timeout: toolTime, Memory: 4 << 30, Output: 1 << 16}
	_, _, exit, err := compile.Run(ctx)
	return err == nil && exit == 0
}
