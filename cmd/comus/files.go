package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"comus/internal/whole"
)

// fileFlag is the name of a file or folder.
type fileFlag string

func (f *fileFlag) String() string { return string(*f) }
func (f *fileFlag) Type() string   { return "file" }

// Set accepts any name, but one there has to be.
func (f *fileFlag) Set(s string) error {
	if s == "" {
		return errors.New("must be a name")
	}
	*f = fileFlag(s)
	return nil
}

// fileError words a failure to open or write a file as "file: what".
func fileError(file string, err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		err = le.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// readable finds out before the work whether a program can be read.
func readable(file string) error {
	if file == "" {
		return errors.New("comus: the name of the program is empty")
	}
	st, err := os.Stat(file)
	switch {
	case err != nil:
		return fileError(file, err)
	case st.IsDir():
		return fmt.Errorf("%s: is a directory, not a C source file", file)
	case !st.Mode().IsRegular():
		return nil // a pipe may wait for its writer; of others the front end knows
	}
	f, err := os.Open(file)
	if err != nil {
		return fileError(file, err)
	}
	return f.Close()
}

// notPipe refuses a pipe for what needs to read the program again, and for what opens it
// again unless this process has it open: a pipe with a name would be waited for.
func notPipe(file string, again bool) error {
	switch st, err := os.Stat(file); {
	case err != nil || st.Mode()&os.ModeNamedPipe == 0:
		return nil
	case again:
		return fmt.Errorf("%s: a certificate is for a file that can be read again, not for a pipe", file)
	case !isOpen(file):
		return fmt.Errorf("%s: is a named pipe, not a regular file; a pipe can be /dev/stdin", file)
	}
	return nil
}

// isOpen reports whether a name is that of something that this process has open.
func isOpen(file string) bool {
	return file == "/dev/stdin" || strings.HasPrefix(file, "/dev/fd/") || strings.HasPrefix(file, "/proc/")
}

// write writes the evidence to a file, completely or not at all; not if there is none, or the name is empty. The words are
// those of the command line that say what was read.
func (r *report) write(file string, words []string) error {
	set := r.res.Evidence()
	if file == "" || set == nil {
		return nil
	}
	for _, cert := range set.Certificates {
		cert.Program.Given = words
	}
	if err := whole.Write(file, set.Write); err != nil {
		return fileError(file, err)
	}
	r.certificate = file
	return nil
}
