package gen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A program can be written in other ways that change nothing about its verdict, and should
// change little about the time of a proof: --vary names some. Four are the same for
// many kinds, and made of the text of the program (rewrite) or in main's template:
//
//	reverse   main starts the threads, and waits for them, in the other order
//	chain     each thread starts the next one
//	backward  the threads' functions are declared in the other order
//	names     all functions and variables have other names
//
// The others are the kind's own, and in its template.

// own returns the ways to write a kind of which each thread has a function of its own,
// and alike those of one where several have the same.
func own(more ...string) []string {
	return append([]string{"reverse", "chain", "backward", "names"}, more...)
}

func alike(more ...string) []string { return append([]string{"reverse", "names"}, more...) }

// Variations returns the ways to write a kind of program.
func Variations(kind string) []string {
	for _, k := range Kinds() {
		if k.Name == kind {
			return k.Vary
		}
	}
	return nil
}

// Varies tells whether the program is to be written in some way.
func (in *instance) Varies(name string) bool { return slices.Contains(in.Vary, name) }

// Created returns the threads that main starts, in their order.
func (in *instance) Created() []int {
	all := seq(0, in.Threads)
	if in.Varies("reverse") {
		slices.Reverse(all)
	}
	if in.Varies("chain") {
		all = all[:1]
	}
	return all
}

// function is a thread's function in a program.
var function = regexp.MustCompile(`(?ms)^void \*(\w+)\(void \*arg\) \{\n    \(void\)arg;\n.*?^\}\n`)

// rewrite writes a program in the ways that are the same for all kinds.
func (in *instance) rewrite(text string) string {
	if in.Varies("chain") {
		text = in.chain(text)
	}
	if in.Varies("backward") {
		text = backward(text)
	}
	if in.Varies("names") {
		text = rename(text)
	}
	return text
}

// chain has each thread start the next one, or with reverse the one before.
func (in *instance) chain(text string) string {
	order, functions := seq(0, in.Threads), in.Functions()
	if in.Varies("reverse") {
		slices.Reverse(order)
	}
	next := map[string]int{}
	for k := range len(order) - 1 {
		next[functions[order[k]]] = order[k+1]
	}
	text = function.ReplaceAllStringFunc(text, func(f string) string {
		i, ok := next[function.FindStringSubmatch(f)[1]]
		if !ok {
			return f
		}
		const begin = "    (void)arg;\n"
		return strings.Replace(f, begin, fmt.Sprintf("%s    pthread_create(&t[%d], 0, %s, 0);\n", begin, i, functions[i]), 1)
	})
	return declare(text, "pthread_t t[THREADS];\n")
}

// declare puts a declaration, and those of the threads' functions, before the first of these.
func declare(text, first string) string {
	at := function.FindStringIndex(text)[0]
	for _, f := range function.FindAllStringSubmatch(text, -1) {
		if line := "void *" + f[1] + "(void *arg);\n"; !strings.Contains(text, line) {
			first += line
		}
	}
	return text[:at] + first + "\n" + text[at:]
}

// backward declares the threads' functions in the other order.
func backward(text string) string {
	list := function.FindAllString(text, -1)
	k := len(list)
	text = function.ReplaceAllStringFunc(text, func(string) string { k--; return list[k] })
	return declare(text, "")
}

// declared is a name that a declaration gives.
var declared = regexp.MustCompile(`\b(?:int|bool|unsigned|void|atomic_int|atomic_uint|pthread_\w+_t|pthread_t|struct \w+) \*?(\w+)(?:, \*?(\w+)\b)?`)

// rename gives functions and variables other names, whose alphabetical order is the other way round.
func rename(text string) string {
	var names []string
	eachLine(text, func(code string) string {
		for _, m := range declared.FindAllStringSubmatch(code, -1) {
			for _, name := range m[1:] {
				if name != "" && name != "main" && !strings.HasPrefix(name, "__") && !types[name] && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		return code
	})
	slices.Sort(names)
	other := map[string]string{}
	for k, name := range names {
		other[name] = fmt.Sprintf("%c%d", 'z'-k*25/max(1, len(names)), k)
	}
	word := regexp.MustCompile(`\b[A-Za-z_]\w*\b`)
	return eachLine(text, func(code string) string {
		if strings.HasPrefix(code, "#") {
			return code
		}
		return word.ReplaceAllStringFunc(code, func(w string) string {
			if o, ok := other[w]; ok {
				return o
			}
			return w
		})
	})
}

// types are the words after which a parameter list may go on with another declaration.
var types = map[string]bool{"int": true, "bool": true, "unsigned": true, "struct": true, "void": true}

// eachLine replaces the code of each line, without its comment.
func eachLine(text string, by func(string) string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		code, comment, commented := strings.Cut(line, "//")
		lines[i] = by(code)
		if commented {
			lines[i] += "//" + comment
		}
	}
	return strings.Join(lines, "\n")
}
