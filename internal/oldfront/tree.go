package cfront

import (
	"slices"

	"modernc.org/cc/v4"
)

// Tree reads a C program with the embedded headers and returns its type-checked
// syntax tree. Positions in it are those of the program that [ParseFile] returns
// for the same file and options.
func Tree(file string, opts Options) (ast *cc.AST, err error) {
	opts = opts.withDefaults()
	var src []byte
	defer func() {
		if r := recover(); r != nil {
			ast, err = nil, recovered(file, src, r)
		}
	}()
	src, err = readFile(file, opts.MaxFileSize)
	if err != nil {
		return nil, err
	}
	text, err := prepare(file, src, opts.MaxFileSize)
	if err != nil {
		return nil, err
	}
	return translate(file, text, opts)
}

// Jumps tells to which variables of a function jumps lead past their declarations.
// Such a variable has any value when its block is entered; the input is at the place
// of its declarator.
type Jumps struct{ j *jumps }

// FindJumps analyses the body of a function.
func FindJumps(body *cc.CompoundStatement) Jumps { return Jumps{findJumps(body)} }

// Skipped returns those variables of a block: a compound statement, or a for that
// declares variables.
func (j Jumps) Skipped(block cc.Node) []*cc.Declarator { return j.j.skipped[block] }

// All returns all of these variables.
func (j Jumps) All() []*cc.Declarator {
	var out []*cc.Declarator
	for _, ds := range j.j.skipped {
		out = append(out, ds...)
	}
	return out
}

// Entered returns those of the blocks that a jump enters: a goto, or a switch
// by its cases.
func (j Jumps) Entered(n cc.Node) []*cc.Declarator {
	var blocks []cc.Node
	switch x := n.(type) {
	case *cc.JumpStatement:
		if x.Case == cc.JumpStatementGoto {
			blocks = j.j.entered(x, x.Label())
		}
	case *cc.SelectionStatement:
		for _, l := range x.LabeledStatements() {
			if l.Case == cc.LabeledStatementLabel {
				continue
			}
			for _, b := range j.j.entered(x, l) {
				if !slices.Contains(blocks, b) {
					blocks = append(blocks, b)
				}
			}
		}
	}
	var out []*cc.Declarator
	for _, b := range blocks {
		out = append(out, j.j.skipped[b]...)
	}
	return out
}
