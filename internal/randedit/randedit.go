// Package randedit changes C sources as a person does it who works on one function, at random, for tests.
package randedit

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// Kinds are the names of the kinds of edits.
var Kinds = []string{"constant", "condition", "operator", "string", "remove", "repeat", "swap", "compute", "access", "unlock", "function", "type", "comment"}

var (
	number    = regexp.MustCompile(`\b[1-9]\d{0,3}(?:U?L?)\b`)
	compare   = regexp.MustCompile(`(?:<=|>=|==|!=| < | > )`)
	operator  = regexp.MustCompile(` [-+*&|] `)
	literal   = regexp.MustCompile(`"[^"\\]+"`)
	statement = regexp.MustCompile(`^\s+[^{}#"]*[^{}#]*;\s*$`)
	noPlain   = regexp.MustCompile(`^\s*(?:return|break|continue|goto|case|default|else|do|while|for|if|switch|static|struct|union|enum|typedef|extern|register|char|int|long|short|unsigned|signed|float|double|void|const|volatile|[a-zA-Z_]\w* +\*?[a-zA-Z_]\w* *;|[a-zA-Z_]\w*\s+[*a-zA-Z_])`)
	declared  = regexp.MustCompile(`^(\s+)(int|unsigned int|long|short|size_t|uint32_t) ([a-zA-Z_]\w*) ?;\s*$`)
	locking   = regexp.MustCompile(`lock\w*\(`)
)

// Edit returns a source with one line changed, or one more, in a way of a kind; false if it has none that can be.
func Edit(random *rand.Rand, kind, source string) (string, bool) {
	lines := strings.SplitAfter(source, "\n")
	depth := depths(lines)
	isStatement := func(i int) bool {
		return i > 0 && depth[i] > 0 && statement.MatchString(lines[i]) && !noPlain.MatchString(lines[i]) && balanced(lines[i]) &&
			(strings.ContainsAny(strings.TrimRight(lines[i-1], " \n\t"), ";{}") && strings.ContainsAny(last(lines[i-1]), ";{}"))
	}
	for range 400 {
		i := random.IntN(len(lines))
		before, line := "", lines[i]
		ok := depth[i] > 0
		switch kind {
		case "constant":
			line, ok = one(random, number, line, func(s string) string {
				digits := strings.TrimRight(s, "UL")
				n, _ := strconv.Atoi(digits)
				return strconv.Itoa(n+1+random.IntN(4)) + s[len(digits):]
			})
		case "condition":
			to := []string{"<=", ">=", "==", "!=", " < ", " > "}
			line, ok = one(random, compare, line, func(string) string { return to[random.IntN(len(to))] })
		case "operator":
			to := []string{" + ", " - ", " * ", " & ", " | "}
			line, ok = one(random, operator, line, func(string) string { return to[random.IntN(len(to))] })
		case "string":
			line, ok = one(random, literal, line, func(s string) string { return s[:len(s)-1] + "xyz"[:1+random.IntN(3)] + `"` })
		case "remove":
			ok = isStatement(i)
			line = "  ;\n"
		case "repeat":
			ok = isStatement(i)
			before = line
		case "swap":
			if ok = isStatement(i) && i+1 < len(lines) && isStatement(i+1); ok {
				lines[i], lines[i+1] = lines[i+1], lines[i]
				line = lines[i]
			}
		case "compute":
			ok = isStatement(i)
			before = "  { int edited_ = 3; edited_ += 4; if (edited_ > 5) edited_ = edited_ * 7; }\n"
		case "access":
			ok = isStatement(i)
			before = "  { extern int edited_global_; edited_global_++; }\n"
		case "unlock":
			ok = isStatement(i) && locking.MatchString(line)
			line = "  ;\n"
		case "function":
			ok = i > 0 && depth[i] == 0 && last(lines[i-1]) == "}"
			before = "static int edited_function_(int n) { return n > 3 ? n + 1 : 0; }\n"
		case "type":
			m := declared.FindStringSubmatch(line)
			if ok = ok && m != nil; ok {
				to := []string{"int", "long", "unsigned int", "short"}
				line = m[1] + to[random.IntN(len(to))] + " " + m[3] + ";\n"
			}
		case "comment":
			before = "  /* edited */\n"
		}
		if !ok || before == "" && line == lines[i] && kind != "swap" {
			continue
		}
		tail := ""
		if kind == "access" {
			tail = "\nint edited_global_;\n"
		}
		return strings.Join(lines[:i], "") + before + line + strings.Join(lines[i+1:], "") + tail, true
	}
	return "", false
}

// one replaces one match of an expression in a line, outside of strings but for those that it matches whole.
func one(random *rand.Rand, e *regexp.Regexp, line string, f func(string) string) (string, bool) {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return line, false
	}
	var found [][]int
	for _, m := range e.FindAllStringIndex(line, -1) {
		if strings.Count(line[:m[0]], `"`)%2 == 0 {
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return line, false
	}
	m := found[random.IntN(len(found))]
	return line[:m[0]] + f(line[m[0]:m[1]]) + line[m[1]:], true
}

// depths returns for each line how many braces are open where it begins.
func depths(lines []string) []int {
	list := make([]int, len(lines))
	depth := 0
	for i, l := range lines {
		list[i] = depth
		l = literal.ReplaceAllString(l, "")
		depth += strings.Count(l, "{") - strings.Count(l, "}")
	}
	return list
}

func balanced(line string) bool { return strings.Count(line, "(") == strings.Count(line, ")") }

// last returns the last character of a line.
func last(line string) string {
	line = strings.TrimSpace(line)
	if line == "" {
		return ""
	}
	return line[len(line)-1:]
}
