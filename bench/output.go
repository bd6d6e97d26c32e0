package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"comus/internal/whole"
)

// JSON writes the report as one object.
func (rep *Report) JSON(w io.Writer) error {
	text, err := json.MarshalIndent(rep, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Write writes all forms of the report to a folder, SUITE.csv and so on, and
// returns the files.
func (rep *Report) Write(dir string) ([]string, error) {
	always := func(write func(io.Writer) error) func(io.Writer) (bool, error) {
		return func(w io.Writer) (bool, error) { return true, write(w) }
	}
	outputs := []struct {
		name  string
		write func(io.Writer) (bool, error)
	}{
		{".md", always(rep.Markdown)}, {".csv", always(rep.CSV)}, {".json", always(rep.JSON)},
		{"-quantile.svg", rep.QuantilePlot},
	}
	for _, c := range rep.Configs {
		name := "-scaling.svg"
		if len(rep.Configs) > 1 {
			name = "-scaling-" + slug(c.Name) + ".svg"
		}
		outputs = append(outputs, struct {
			name  string
			write func(io.Writer) (bool, error)
		}{name, func(w io.Writer) (bool, error) { return rep.ScalingPlot(c.Name, w) }})
	}
	var files []string
	for _, o := range outputs {
		file := filepath.Join(dir, rep.Suite+o.name)
		var text bytes.Buffer
		some, err := o.write(&text)
		switch {
		case err != nil:
		case some:
			err = whole.WriteFile(file, text.Bytes())
			files = append(files, file)
		default: // one from before would be misleading
			if err = os.Remove(file); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		if err != nil {
			return files, err
		}
	}
	return files, nil
}
