package cfront

import "modernc.org/cc/v4"

// Tree reads a C program with the embedded headers and returns its type-checked
// syntax tree. Positions in it are those of the program that [ParseFile] returns
// for the same file and options.
func Tree(file string, opts Options) (ast *cc.AST, err error) {
	opts = opts.withDefaults()
	defer func() {
		if r := recover(); r != nil {
			ast, err = nil, recovered(file, r)
		}
	}()
	src, err := readFile(file, opts.MaxFileSize)
	if err != nil {
		return nil, err
	}
	text, err := prepare(file, src, opts.MaxFileSize)
	if err != nil {
		return nil, err
	}
	return translate(file, text, opts)
}
