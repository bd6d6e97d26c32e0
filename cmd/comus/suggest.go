package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"comus/specialise"
)

// flagError words what is wrong with the flags of a command, with the flag that may be meant.
func flagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help lists the flags"
	if !cmd.HasParent() {
		hint = "comus help flags lists them"
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		switch near, name := nearest(unknown.GetSpecifiedName(), names), unknown.GetSpecifiedName(); {
		case slices.Contains(specialise.CheckNames, name) && cmd.Flags().Lookup("check") != nil:
			hint = "did you mean --check " + name + "? " + hint
		case near != "":
			hint = "did you mean --" + near + "? " + hint
		}
	}
	return fmt.Errorf("comus: %w (%s)", err, hint)
}

// noProgram words that flags were given, and no program: one of the flags may have taken the program for its file.
func noProgram(cmd *cobra.Command) error {
	hint := "comus --help says how to name one"
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if strings.HasSuffix(f.Value.String(), ".c") {
			hint = fmt.Sprintf("--%s has taken %s for its value", f.Name, f.Value)
		}
	})
	return fmt.Errorf("comus: no program (%s)", hint)
}

// mayBeCommand returns an error for a first operand that is a word and no file: a command that is misspelt, perhaps.
func mayBeCommand(root *cobra.Command, operands []string) error {
	if len(operands) == 0 || operands[0] == "" || strings.ContainsAny(operands[0], "./") {
		return nil
	}
	if _, err := os.Lstat(operands[0]); !errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var names []string
	for _, sub := range root.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	hint := "comus --help lists the commands"
	if near := nearest(operands[0], names); near != "" {
		hint = "did you mean comus " + near + "? " + hint
	}
	return fmt.Errorf("comus: '%s' is neither a file nor a command (%s)", operands[0], hint)
}

// maxEdits is how many letters of a word may be wrong for another one to be suggested.
const maxEdits = 2

// nearest returns the word that a misspelt one is most like, the first of several; "" if none is like it.
func nearest(word string, words []string) string {
	best, least := "", min(maxEdits, len(word)/2)+1
	for _, w := range words {
		if n := edits(word, w); n < least {
			best, least = w, n
		}
	}
	return best
}

// edits returns how many letters have to be inserted, removed or replaced to make one word of another (Levenshtein).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // of the row above, to the left
		row[0] = i + 1
		for j := range len(b) {
			differs := min(1, max(cmp.Compare(a[i], b[j]), cmp.Compare(b[j], a[i])))
			before, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, before+differs)
		}
	}
	return row[len(b)]
}
