package secondreader

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"modernc.org/cc/v4"
)

// Reader reads units with cc. It may be used by several goroutines at once.
type Reader struct {
	cfg     *cc.Config
	builtin string
	system  []string // folders of headers whose columns are not known
}

// vaList says what the ABI of x86-64 has a va_list be; cc's own is a pointer.
const vaList = `#define __builtin_va_list __builtin_va_list
typedef struct __va_list_tag { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; } __builtin_va_list[1];
`

var config = sync.OnceValues(func() (*cc.Config, error) { return cc.NewConfig("linux", "amd64") })

// New returns a reader that finds headers of the system in these folders; in those of gcc if there are none.
func New(headers ...string) (*Reader, error) {
	host, err := config()
	if err != nil {
		return nil, err
	}
	cfg := *host
	cfg.ABILayout, cfg.UnsignedEnums = true, true
	cfg.SourceCache = &cc.SourceCache{}
	cfg.ExpansionLimit = 10_000_000
	r := &Reader{cfg: &cfg, builtin: vaList + cc.Builtin, system: []string{"/usr/"}}
	if len(headers) > 0 {
		cfg.SysIncludePaths = headers
		cfg.IncludePaths = append([]string{""}, headers...)
		r.system = append(r.system, headers...)
	}
	return r, nil
}

// Unit is a unit that cc has read.
type Unit struct {
	ast *cc.AST
	r   *Reader
}

// Read reads a unit from a file or, if text is not "", a text that is called file.
func (r *Reader) Read(file, text string) (u *Unit, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: cc panics: %v", file, p)
		}
	}()
	if text == "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text = string(b)
	}
	cfg := *r.cfg
	ast, err := cc.Translate(&cfg, []cc.Source{{Name: "<predefined>", Value: cfg.Predefined}, {Name: "<builtin>", Value: r.builtin},
		{Name: file, Value: text}})
	if err != nil {
		return nil, err
	}
	return &Unit{ast, r}, nil
}

// place returns where a token is.
func (r *Reader) place(n cc.Node) Place {
	p := n.Position()
	out := Place{filepath.Base(p.Filename), p.Line, p.Column}
	for _, dir := range r.system {
		if strings.HasPrefix(p.Filename, dir) {
			out.Col = 0
		}
	}
	return out
}

// Preprocess returns a unit behind cc's preprocessor.
func (r *Reader) Preprocess(file string) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: cc panics: %v", file, p)
		}
	}()
	cfg := *r.cfg
	var b strings.Builder
	err = cc.Preprocess(&cfg, []cc.Source{{Name: "<predefined>", Value: cfg.Predefined}, {Name: file}}, &b)
	return b.String(), err
}

// SystemFolders are the folders of the system's headers, in the order of the search.
func (r *Reader) SystemFolders() []string { return r.cfg.SysIncludePaths }
