package bench

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mattn/go-shellwords"
)

// Config is a way to verify: comus with some flags, or a foreign command.
type Config struct {
	Name    string // in tables
	Text    string // what it was made from, without the name
	Foreign bool

	args         []string // flags of comus, or the foreign command
	safe, unsafe *regexp.Regexp
}

// The patterns of verdicts that a foreign command prints, unless its
// configuration says otherwise: those of CBMC.
const (
	defaultSafe   = `VERIFICATION SUCCESSFUL`
	defaultUnsafe = `VERIFICATION FAILED`
)

// ParseConfig reads a configuration:
//
//	modular,no-seed,order=t1      comus --strategy=modular --no-seed --order=t1
//	cmd:cbmc --unwind 8 {file}    a foreign command; {file} is the program,
//	                              {threads} and {threads+N} its number of threads
//
// Options follow after double semicolons: "name=…" is the name in tables, "safe=…"
// and "unsafe=…" are regular expressions for the verdicts of a foreign command.
func ParseConfig(text string) (*Config, error) {
	parts := strings.Split(text, ";;")
	main := strings.TrimSpace(parts[0])
	c := &Config{Name: main, Text: main}
	command, foreign := strings.CutPrefix(main, "cmd:")
	var err error
	if foreign {
		err = c.parseForeign(command)
	} else {
		err = c.parseOwn(main)
	}
	for _, option := range parts[1:] {
		if err == nil {
			err = c.parseOption(strings.TrimSpace(option))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("configuration %q: %w", text, err)
	}
	return c, nil
}

var flagPattern = regexp.MustCompile(`^[a-z][a-z0-9-]*(=.*)?$`)

// parseOwn reads a configuration of comus.
func (c *Config) parseOwn(text string) error {
	strategy, rest, more := strings.Cut(text, ",")
	if !flagPattern.MatchString(strategy) || strings.Contains(strategy, "=") {
		return errors.New("must begin with a strategy, such as modular, or be cmd:COMMAND")
	}
	c.args = []string{"--strategy=" + strategy}
	if !more {
		return nil
	}
	for _, flag := range strings.Split(rest, ",") {
		if !flagPattern.MatchString(flag) {
			return fmt.Errorf("%q is not a flag without its dashes", flag)
		}
		c.args = append(c.args, "--"+flag)
	}
	return nil
}

// parseForeign reads a foreign command.
func (c *Config) parseForeign(command string) error {
	parser := shellwords.NewParser()
	args, err := parser.Parse(command)
	if err == nil && parser.Position >= 0 { // ; & | < >, where it has stopped
		err = errors.New("no shell runs the command: use sh -c '…'")
	}
	if err != nil {
		return err
	}
	if len(args) == 0 || !strings.Contains(command, "{file}") {
		return errors.New("cmd: must be followed by a command with {file}")
	}
	c.Foreign, c.args, c.Name = true, args, filepath.Base(args[0])
	c.safe, c.unsafe = regexp.MustCompile(defaultSafe), regexp.MustCompile(defaultUnsafe)
	return nil
}

// parseOption reads what follows after a double semicolon.
func (c *Config) parseOption(option string) error {
	key, value, _ := strings.Cut(option, "=")
	switch {
	case value == "":
	case key == "name":
		c.Name = value
		return nil
	case c.Foreign && (key == "safe" || key == "unsafe"):
		re, err := regexp.Compile("(?m)" + value)
		if err != nil {
			return err
		}
		if key == "safe" {
			c.safe = re
		} else {
			c.unsafe = re
		}
		c.Text += " ;; " + option
		return nil
	}
	return fmt.Errorf("%q is not name=…, nor safe=… or unsafe=… of a command", option)
}

var placeholder = regexp.MustCompile(`\{(file|threads(\+[0-9]+)?)\}`)

// Flags returns the flags of comus; none of a foreign command.
func (c *Config) Flags() []string {
	if c.Foreign {
		return nil
	}
	return c.args
}

// asks tells whether the configuration says what is asked about, which a suite may do.
func (c *Config) asks() bool {
	return !c.Foreign && slices.ContainsFunc(c.args, func(a string) bool {
		return strings.HasPrefix(a, "--check=") || strings.HasPrefix(a, "--property=") || a == "--overflow=check"
	})
}

// needsThreads tells whether the command depends on a program's number of threads.
func (c *Config) needsThreads() bool {
	return c.Foreign && slices.ContainsFunc(c.args, func(a string) bool {
		return slices.ContainsFunc(placeholder.FindAllString(a, -1), func(p string) bool { return p != "{file}" })
	})
}

// command returns what to run for a task.
func (c *Config) command(t *Task, o Options) []string {
	if !c.Foreign {
		argv := append([]string{o.Comus.Name, "--json", "--timeout=" + strconv.FormatFloat(o.Timeout.Seconds(), 'f', -1, 64)}, c.args...)
		argv = append(argv, t.flags()...)
		if o.Memory > 0 {
			argv = append(argv, fmt.Sprintf("--memory=%d", o.Memory))
		}
		return append(argv, "--", t.File)
	}
	var argv []string
	for _, a := range c.args {
		argv = append(argv, placeholder.ReplaceAllStringFunc(a, func(p string) string {
			if p == "{file}" {
				return t.File
			}
			plus, _ := strconv.Atoi(strings.Trim(strings.TrimPrefix(p, "{threads"), "+}"))
			return strconv.Itoa(t.Threads + plus)
		}))
	}
	return argv
}
