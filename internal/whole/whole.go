// Package whole writes files completely or not at all.
package whole

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write writes a file: to another one beside it, which gets its name at the end. What is no
// regular file, /dev/stdout say, is written to as it is.
func Write(file string, write func(w io.Writer) error) error {
	if st, err := os.Stat(file); err == nil && !st.Mode().IsRegular() {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // a link stays one
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	if err = errors.Join(write(tmp), tmp.Chmod(0o644), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err == nil {
		return nil
	}
	var pe *os.PathError
	if errors.As(err, &pe) {
		pe.Path = file // the other one is nobody's business
	}
	return errors.Join(err, os.Remove(tmp.Name()))
}

// WriteFile is [Write] of a text.
func WriteFile(file string, text []byte) error {
	return Write(file, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(text))
		return err
	})
}
