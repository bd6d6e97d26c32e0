package command

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// withArgument are the flags of gcc whose argument may be the next word; what is done with them.
var withArgument = map[string]action{
	"-I": keep, "-isystem": keep, "-iquote": keep, "-idirafter": keep, "-D": keep, "-U": keep,
	"-include": keep, "-imacros": keep, "-iprefix": keep, "-iwithprefix": keep, "-iwithprefixbefore": keep,
	"-isysroot": keep, "--sysroot": keep, "-imultilib": drop, "-x": language, "-o": drop,
	"-MF": drop, "-MT": drop, "-MQ": drop, "-L": drop, "-l": drop, "-T": drop, "-u": drop, "-z": drop,
	"-Xlinker": drop, "-Xassembler": drop, "-Xpreprocessor": preprocessor, "-aux-info": drop, "-dumpbase": drop,
	"-dumpdir": drop, "-e": drop, "-target": drop, "-arch": drop, "-B": drop, "--param": drop, "-A": drop, "-G": drop,
	"--include": keep, "-wrapper": drop, "-Xclang": drop,
}

// joinable are those of withArgument whose argument may be in the same word without anything
// between.
var joinable = []string{"-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-MF", "-MT", "-MQ", "-I", "-D", "-U", "-x", "-o", "-L", "-l", "-T", "-u", "-z", "-B", "-A", "-G"}

type action int

const (
	drop action = iota
	keep
	language
	preprocessor
)

// alone are flags of one word, with what they do; nil: nothing.
var alone = map[string]func(*parser, string){
	"-ansi":                    func(p *parser, w string) { p.flags.Std = "c90"; p.pass(w) },
	"-m32":                     func(p *parser, w string) { p.flags.ILP32, p.flags.LP64 = true, false },
	"-m64":                     func(p *parser, w string) { p.flags.ILP32, p.flags.LP64 = false, true },
	"-funsigned-char":          func(p *parser, w string) { p.flags.CharUnsigned = true; p.pass(w) },
	"-fno-signed-char":         func(p *parser, w string) { p.flags.CharUnsigned = true; p.pass(w) },
	"-fsigned-char":            func(p *parser, w string) { p.flags.CharUnsigned = false; p.pass(w) },
	"-fno-unsigned-char":       func(p *parser, w string) { p.flags.CharUnsigned = false; p.pass(w) },
	"-funsigned-bitfields":     func(p *parser, w string) { p.flags.BitfieldsUnsigned = true },
	"-fno-signed-bitfields":    func(p *parser, w string) { p.flags.BitfieldsUnsigned = true },
	"-fsigned-bitfields":       func(p *parser, w string) { p.flags.BitfieldsUnsigned = false },
	"-fshort-enums":            func(p *parser, w string) { p.flags.ShortEnums = true },
	"-fno-short-enums":         func(p *parser, w string) { p.flags.ShortEnums = false },
	"-fshort-wchar":            func(p *parser, w string) { p.flags.ShortWchar = true; p.pass(w) },
	"-fno-short-wchar":         func(p *parser, w string) { p.flags.ShortWchar = false; p.pass(w) },
	"-fno-strict-aliasing":     func(p *parser, w string) { p.flags.NoStrictAliasing = true },
	"-fstrict-aliasing":        func(p *parser, w string) { p.flags.NoStrictAliasing = false },
	"-fwrapv":                  func(p *parser, w string) { p.flags.Wrapv = true },
	"-fno-wrapv":               func(p *parser, w string) { p.flags.Wrapv = false },
	"-fno-strict-overflow":     func(p *parser, w string) { p.flags.Wrapv = true },
	"-ftrapv":                  func(p *parser, w string) { p.flags.Trapv = true },
	"-fpack-struct":            func(p *parser, w string) { p.flags.PackStruct = 1 },
	"-fcommon":                 func(p *parser, w string) { p.flags.Common = true },
	"-fno-common":              func(p *parser, w string) { p.flags.Common = false },
	"-fms-extensions":          func(p *parser, w string) { p.flags.MSExtensions = true; p.pass(w) },
	"-fplan9-extensions":       func(p *parser, w string) { p.flags.MSExtensions = true; p.pass(w) },
	"-fno-builtin":             func(p *parser, w string) { p.flags.NoBuiltin = true },
	"-ffreestanding":           func(p *parser, w string) { p.flags.NoBuiltin = true; p.pass(w) },
	"-fgnu89-inline":           func(p *parser, w string) { p.flags.GNU89Inline = true; p.pass(w) },
	"-pthread":                 func(p *parser, w string) { p.flags.Pthread = true; p.pass(w) },
	"-pthreads":                func(p *parser, w string) { p.flags.Pthread = true; p.pass("-pthread") },
	"-nostdinc":                func(p *parser, w string) { p.pass(w) },
	"-undef":                   func(p *parser, w string) { p.pass(w) },
	"-traditional-cpp":         func(p *parser, w string) { p.pass(w) },
	"-trigraphs":               func(p *parser, w string) { p.pass(w) },
	"-fdollars-in-identifiers": nil, "-pipe": nil, "-c": nil, "-S": nil, "-E": nil, "-v": nil, "-w": nil, "-s": nil, "-p": nil, "-pg": nil,
	"-static": nil, "-shared": nil, "-rdynamic": nil, "-pie": nil, "-no-pie": nil, "-static-pie": nil, "-nostdlib": nil, "-nodefaultlibs": nil,
	"-nostartfiles": nil, "-static-libgcc": nil, "-shared-libgcc": nil, "-pedantic": nil, "-pedantic-errors": nil, "-save-temps": nil,
	"-M": nil, "-MM": nil, "-MD": nil, "-MMD": nil, "-MP": nil, "-MG": nil, "-P": nil, "-C": nil, "-CC": nil, "-H": nil, "-Q": nil,
	"-time": nil, "-###": nil, "--help": nil, "--version": nil, "-quiet": nil, "-traditional": nil, "-symbolic": nil, "-r": nil, "-n": nil,
}

// harmless are how flags begin that mean nothing to what a program does.
var harmless = []string{"-O", "-W", "-g", "-f", "-m", "-d", "-M", "-Wl,", "-Wa,", "-save-temps", "-L", "-l", "-print-", "--param", "-pedantic", "-specs", "-no-canonical", "-R"}

// dangerous are flags with one of those beginnings that do change it in a way that is not
// followed.
var dangerous = []string{"-fopenmp", "-fopenacc", "-fcilkplus", "-fgnu-tm", "-ftrampolines", "-finstrument-functions", "-fsplit-stack", "-fleading-underscore",
	"-fno-asm", "-mlong-double-64", "-mlong-double-128", "-m128bit-long-double", "-m96bit-long-double", "-mx32", "-m16", "-mms-bitfields", "-malign-double", "-freg-struct-return", "-fpcc-struct-return"}

type parser struct {
	inv      Invocation
	flags    Flags
	files    []string
	langs    []string // of each file
	lang     string
	warnings []Warning
	depth    int
	reader   string // the folder that @file and sources are relative to
}

func (p *parser) pass(words ...string) { p.inv.Preprocess = append(p.inv.Preprocess, words...) }

// Parse reads a command line without the compiler's name: flags and files. It returns one
// Invocation for each source file.
func Parse(words []string, dir string) ([]Invocation, []Warning, error) {
	p := &parser{reader: dir}
	if err := p.words(words); err != nil {
		return nil, nil, err
	}
	for i, f := range p.files {
		if l := p.langs[i]; l != "" && !isC(f, l) {
			return nil, nil, &Error{Where: f, Msg: "-x " + l + ": comus reads C only"}
		}
	}
	return p.invocations(dir), p.warnings, nil
}

func (p *parser) invocations(dir string) []Invocation {
	out := make([]Invocation, len(p.files))
	for i, f := range p.files {
		out[i] = Invocation{File: f, Dir: dir, Preprocess: p.inv.Preprocess, Language: p.langs[i], Flags: p.flags}
	}
	return out
}

func (p *parser) words(words []string) error {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			for _, f := range words[i+1:] {
				p.file(f)
			}
			return nil
		case strings.HasPrefix(w, "@") && len(w) > 1:
			if err := p.response(w[1:]); err != nil {
				return err
			}
			continue
		case w == "-" || !strings.HasPrefix(w, "-"):
			p.file(w)
			continue
		}
		n, err := p.flag(w, words[i+1:])
		if err != nil {
			return err
		}
		i += n
	}
	return nil
}

// file takes a word that is no flag: a source, unless it is for the linker.
func (p *parser) file(name string) {
	switch filepath.Ext(name) {
	case ".o", ".a", ".so", ".lo", ".la", ".obj", ".lib", ".ld":
		if p.lang == "" {
			p.warnings = append(p.warnings, warnf("%s is ignored: it is no C source", name))
			return
		}
	}
	p.files = append(p.files, name)
	p.langs = append(p.langs, p.lang)
}

// flag deals with one flag and returns how many of the next words belong to it.
func (p *parser) flag(w string, rest []string) (int, error) {
	if act, ok := withArgument[w]; ok {
		if len(rest) == 0 {
			return 0, &Error{Msg: "flag " + w + " needs an argument"}
		}
		p.do(act, w, rest[0])
		return 1, nil
	}
	if f, ok := alone[w]; ok {
		if f != nil {
			f(p, w)
		}
		return 0, nil
	}
	name, value, hasValue := strings.Cut(w, "=")
	switch {
	case name == "-std" || name == "--std":
		p.flags.Std = value
		p.pass("-std=" + value)
		return 0, nil
	case name == "-fpack-struct" && hasValue:
		n, err := strconv.Atoi(value)
		if err != nil || n <= 0 || n > 16 || n&(n-1) != 0 {
			return 0, &Error{Msg: "wrong alignment in " + w}
		}
		p.flags.PackStruct = n
		return 0, nil
	case name == "--sysroot":
		p.pass(w)
		return 0, nil
	case strings.HasPrefix(w, "-Wp,"):
		p.throughWp(strings.Split(w, ",")[1:])
		return 0, nil
	}
	for _, j := range joinable {
		if arg, ok := strings.CutPrefix(w, j); ok && arg != "" {
			p.do(withArgument[j], j, arg)
			return 0, nil
		}
	}
	for _, d := range dangerous {
		if strings.HasPrefix(w, d) {
			p.warnings = append(p.warnings, warnf("flag %s is ignored", w))
			return 0, nil
		}
	}
	for _, h := range harmless {
		if strings.HasPrefix(w, h) {
			return 0, nil
		}
	}
	p.warnings = append(p.warnings, warnf("unknown flag %s is ignored", w))
	return 0, nil
}

// throughWp takes what -Wp, hands to the preprocessor. _FORTIFY_SOURCE and the files of
// dependencies mean nothing here.
func (p *parser) throughWp(args []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "-M"):
			if (a == "-MD" || a == "-MMD" || a == "-MF" || a == "-MT" || a == "-MQ") && i+1 < len(args) {
				i++
			}
		case strings.HasPrefix(a, "-D_FORTIFY_SOURCE") || strings.HasPrefix(a, "-U_FORTIFY_SOURCE"):
		case strings.HasPrefix(a, "-D"), strings.HasPrefix(a, "-U"), strings.HasPrefix(a, "-I"):
			p.pass(a)
		}
	}
}

func (p *parser) do(act action, flag, arg string) {
	switch act {
	case keep:
		if flag == "-D" && strings.HasPrefix(arg, "_FORTIFY_SOURCE") {
			return // checks of the library's own, which replace its functions by others
		}
		if flag == "--include" {
			flag = "-include"
		}
		p.pass(flag, arg)
	case language:
		if p.lang = arg; arg == "none" {
			p.lang = ""
		}
	case preprocessor:
		p.throughWp([]string{arg})
	}
}

// response reads the words of @file.
func (p *parser) response(name string) error {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.reader, path)
	}
	if p.depth++; p.depth > 20 {
		return &Error{Where: name, Msg: "@files are nested too deeply"}
	}
	defer func() { p.depth-- }()
	text, err := os.ReadFile(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return &Error{Where: name, Msg: err.Error()}
	}
	words, err := split(string(text))
	if err != nil {
		return &Error{Where: name, Msg: err.Error()}
	}
	return p.words(words)
}
