package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"comus/cir/cgen"
	"comus/cir/interp"
	"comus/internal/child"
)

// A Judgement is what ThreadSanitizer says of a run that ends in a data race, or what gcc's program does, with AddressSanitizer and UndefinedBehaviorSanitizer, in a run
// in which an assertion fails, or threads wait for one another.
type Judgement struct {
	// Confirmed says that gcc's program made the run, and that ThreadSanitizer reported the race of the two accesses; or that the program aborted at the assertion,
	// or hung where threads wait, and no sanitizer reported anything before.
	Confirmed bool
	// Fails says that it is about an assertion, Waits that it is about a deadlock, Errs that it is about an access that is an error, and Reports what a sanitizer has reported before it, or of it; "" if nothing.
	Fails, Waits, Errs bool
	Reports            string
	// Asked says that gcc's program made the run to its end.
	Asked bool
	// Why is, of a run that is not confirmed, the reason: why it could not be asked, or why it does not see what the interpreter sees. None if
	// it was asked and no reason is known.
	Why string
}

// Contradicts reports whether ThreadSanitizer has seen the run, but not its race, for no reason that is known.
func (j Judgement) Contradicts() bool { return j.Asked && !j.Confirmed && j.Why == "" }

// String says it in a line.
func (j Judgement) String() string {
	switch {
	case j.Fails && j.Confirmed:
		return "confirmed by gcc's program, which aborts there"
	case j.Waits && j.Confirmed:
		return "confirmed by gcc's program, which hangs there"
	case j.Errs && j.Confirmed:
		return "confirmed by AddressSanitizer: " + kindOfError(j.Reports)
	case (j.Fails || j.Waits || j.Errs) && !j.Asked:
		return "gcc's program was not run: " + j.Why
	case j.Errs && j.Why != "":
		return "AddressSanitizer does not see the access, perhaps because " + j.Why
	case j.Errs:
		return "AddressSanitizer does not see the access in the same run"
	case j.Reports != "":
		return "in gcc's program, a sanitizer reports an earlier error: " + j.Reports
	case j.Waits:
		return "in gcc's program a thread gets the lock in the same run"
	case j.Fails:
		return "gcc's program passes the assertion in the same run"
	case j.Confirmed:
		return "confirmed by ThreadSanitizer"
	case !j.Asked:
		return "ThreadSanitizer was not run: " + j.Why
	case j.Why != "":
		return "ThreadSanitizer does not see the race, perhaps because " + j.Why
	}
	return "ThreadSanitizer does not see the race in the same run"
}

// Limits of the child processes.
const (
	judgeMemory = 3 << 30
	mostReport  = 4 << 20 // bytes of what ThreadSanitizer says that are read
	keptInCell  = 4       // accesses of eight bytes that it keeps
)

// The flags by which sanitizers judge: of races, and of errors that end a program before an assertion fails. Alignment, bounds within objects and pointers out of them are left
// out, which are no errors on machines.
var (
	sanitizesRaces  = []string{"-fsanitize=thread"}
	sanitizesErrors = []string{"-fsanitize=address,signed-integer-overflow,shift,integer-divide-by-zero", "-fno-sanitize-recover=all", "-fno-wrapv"}
)

// Judge has gcc compile the run, and its sanitizers judge it, until ctx ends. No process is left.
func (w *Whole) Judge(ctx context.Context) Judgement {
	if !w.races() {
		return w.judgeEnd(ctx)
	}
	report, err := w.report(ctx)
	switch {
	case ctx.Err() != nil:
		return Judgement{Why: "there was too little time left for it (--sanitize and --timeout bound it)"}
	case err != nil:
		return Judgement{Why: err.Error()}
	}
	j := Judgement{Asked: true, Confirmed: w.reported(report)}
	switch {
	case j.Confirmed:
	case w.Outside:
		j.Why = "a function without a body makes one of the accesses"
	case w.Between >= keptInCell:
		j.Why = "the same bytes were accessed too often in between"
	case strings.Contains(report, "failed to restore the stack"):
		j.Why = "ThreadSanitizer has forgotten where the first access was"
	case w.Detaches:
		j.Why = "ThreadSanitizer forgets the accesses of detached threads when they end"
	case w.Race.First.Atomic || w.Race.Second.Atomic:
		j.Why = "one of the accesses is atomic"
	}
	return j
}

// races reports whether the run ends with a race.
func (w *Whole) races() bool { return w.Fails == nil && w.Waits == nil && w.Errs == nil }

// judgeEnd has gcc's program run up to the assertion that fails, or to where threads wait.
func (w *Whole) judgeEnd(ctx context.Context) Judgement {
	j := Judgement{Fails: w.Fails != nil, Waits: w.Waits != nil, Errs: w.Errs != nil}
	report, err := w.report(ctx)
	switch {
	case ctx.Err() != nil:
		j.Why = "there was too little time left for it (--sanitize and --timeout bound it)"
	case errors.Is(err, errPasses):
		if j.Asked = true; j.Errs && !w.Freed {
			j.Why = "AddressSanitizer looks only at the surroundings of an object"
		}
	case err != nil:
		j.Why = err.Error()
	default:
		j.Reports = errorOf(report)
		j.Asked, j.Confirmed = true, (j.Reports == "") != j.Errs
	}
	return j
}

// errorOf returns the first error that a sanitizer reports in a text; "" if there is none.
func errorOf(report string) string {
	for line := range strings.Lines(report) {
		if strings.Contains(line, "ERROR: AddressSanitizer failed to ") { // it does not start: there is no such memory
			return ""
		}
		if strings.Contains(line, "ERROR: AddressSanitizer") || strings.Contains(line, ": runtime error: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// kindOfError returns which error a report of AddressSanitizer is about, as "heap-use-after-free".
func kindOfError(report string) string {
	_, kind, _ := strings.Cut(report, "AddressSanitizer: ")
	kind, _, _ = strings.Cut(kind, " on ")
	kind, _, _ = strings.Cut(kind, " (")
	return kind
}

// report compiles the program, runs it, and returns what sanitizers say. The error is for a program that does not make the run.
func (w *Whole) report(ctx context.Context) (string, error) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return "", errors.New("there is no gcc")
	}
	dir, err := child.TempDir("comus-replay-")
	if err != nil {
		return "", err
	}
	defer dir.Remove()
	var link []string
	for _, f := range w.Files {
		if err := os.WriteFile(filepath.Join(dir.Path, f.Name), f.Text, 0o600); err != nil {
			return "", err
		}
	}
	base := append([]string{gcc}, cgen.Flags...)
	sanitized := slices.Concat(base, []string{"-pthread", "-g1", "-fno-omit-frame-pointer"}, w.sanitizes(), []string{"-DCOMUS_SANITIZED", "-c", w.Name + ".c"})
	plain := slices.Concat(base, []string{"-pthread", "-DCOMUS_SANITIZED=COMUS_judged", "-c"})
	if w.races() {
		sanitized = append(sanitized, w.Name+"_library.c")
	} else { // which relies on what is an error for the program
		plain = append(plain, w.Name+"_library.c")
	}
	for _, f := range []string{w.Name, w.Name + "_library"} {
		link = append(link, f+".o")
	}
	for _, f := range []string{"comus_cir", "comus_whole", "comus_real", "schedule"} {
		plain, link = append(plain, f+".c"), append(link, f+".o")
	}
	done := make(chan error, 1)
	go func() { done <- succeeds(ctx, dir.Path, "plain", plain) }()
	err = succeeds(ctx, dir.Path, "sanitized", sanitized)
	if other := <-done; err == nil {
		err = other
	}
	if err == nil {
		err = succeeds(ctx, dir.Path, "link", slices.Concat([]string{gcc, "-pthread"}, w.sanitizes()[:1], w.Wraps, []string{"-o", "replay"}, link, []string{"-lm"}))
	}
	if err != nil {
		return "", err
	}
	return w.runs(ctx, dir.Path)
}

func (w *Whole) sanitizes() []string {
	if w.races() {
		return sanitizesRaces
	}
	return sanitizesErrors
}

// succeeds runs a compiler.
func succeeds(ctx context.Context, dir, log string, argv []string) error {
	end, err := (&child.Command{Argv: argv, Dir: dir, Logs: filepath.Join(dir, log), Memory: judgeMemory}).Run(ctx)
	switch {
	case err != nil:
		return err
	case end.Stopped != "":
		return fmt.Errorf("gcc was stopped: %s", end.Stopped)
	case end.Exit != 0:
		return fmt.Errorf("gcc fails: %s", firstLine(end.Stderr))
	}
	return nil
}

// firstLine returns the first line of a file that says something.
func firstLine(file string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "error") {
			return strings.TrimSpace(line)
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}

// What the runtime says behind the last access, where the assertion fails, where threads wait, and where that is not so.
const (
	endsInRace     = "comus replay: a data race: "
	endsInFailure  = "comus replay: an assertion fails: "
	endsInDeadlock = "comus replay: a deadlock: "
	passes         = " passes the assertion that fails in the run"
	gets           = " gets what it waits for: "
)

// errPasses is the error that gcc's program passes the assertion that fails in the run, or a lock that is waited for.
var errPasses = errors.New("gcc's program goes on")

// runs runs what was compiled.
func (w *Whole) runs(ctx context.Context, dir string) (string, error) {
	end, err := (&child.Command{Path: filepath.Join(dir, "replay"), Argv: []string{"replay"}, Dir: dir, Logs: filepath.Join(dir, "run"), Memory: judgeMemory}).Run(ctx)
	if err != nil {
		return "", err
	}
	text, err := readSome(end.Stderr)
	switch {
	case err != nil:
		return "", err
	case end.Stopped != "":
		return "", fmt.Errorf("its program was stopped: %s", end.Stopped)
	case has(text, w.says()), !w.races() && errorOf(text) != "":
		return text, nil
	case (w.Fails != nil || w.Errs != nil) && strings.Contains(text, passes), w.Waits != nil && strings.Contains(text, gets):
		return "", errPasses
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "comus replay: ") || strings.HasPrefix(line, "FATAL: ") {
			return "", fmt.Errorf("gcc's program does not make the run: %s", strings.TrimPrefix(strings.TrimSpace(line), "comus replay: "))
		}
	}
	return "", fmt.Errorf("gcc's program does not make the run: it ends with code %d", end.Exit)
}

// says returns what the runtime says at the end of the run.
func (w *Whole) says() string {
	switch {
	case w.Fails != nil, w.Errs != nil:
		return endsInFailure
	case w.Waits != nil:
		return endsInDeadlock
	}
	return endsInRace
}

// has reports whether a line of a text begins in some way.
func has(text, begins string) bool {
	return strings.HasPrefix(text, begins) || strings.Contains(text, "\n"+begins)
}

// readSome returns the beginning and the end of a file.
func readSome(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return "", err
	}
	b := make([]byte, min(st.Size(), mostReport))
	if _, err := f.ReadAt(b, st.Size()-int64(len(b))); err != nil && len(b) > 0 {
		return "", err
	}
	return string(b), nil
}

var (
	accessOf = regexp.MustCompile(`(?im)^  (?:previous )?(?:atomic )?(?:read|write) of size`)
	frameAt  = regexp.MustCompile(`^    #\d+ .* (\S+):(\d+) \(`)
)

// reported reports whether ThreadSanitizer reports a race with an access at each of the two places.
func (w *Whole) reported(report string) bool {
	for _, r := range strings.Split(report, "WARNING: ThreadSanitizer: ")[1:] {
		at := accessOf.FindAllStringIndex(r, -1)
		if len(at) < 2 {
			continue
		}
		x, y := stackOf(r[at[0][0]:]), stackOf(r[at[1][0]:])
		a, b := lineOf(&w.Race.First), lineOf(&w.Race.Second)
		if x == a && y == b || x == b && y == a {
			return true
		}
	}
	return false
}

// stackOf returns the innermost place of the program's in the stack that a text begins with, as "file:line".
func stackOf(text string) string {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 && !strings.HasPrefix(line, "    #") {
			return ""
		}
		if m := frameAt.FindStringSubmatch(line); m != nil && !ours(m[1]) {
			return m[1] + ":" + m[2]
		}
	}
	return ""
}

// ours reports whether a file in a stack is none of the program's: of the runtime, the models of the library, or the sanitizer.
func ours(file string) bool {
	return strings.HasSuffix(file, "_library.c") || strings.HasPrefix(filepath.Base(file), "comus_") || strings.Contains(file, "libsanitizer/")
}

// lineOf is a side of the race in that form.
func lineOf(s *interp.Side) string {
	if s.Site == nil {
		return "?"
	}
	return fmt.Sprintf("%s:%d", absolute(s.Site.Pos.File), s.Site.Pos.Line)
}

// JudgeTime is how long judging a run may take by default.
const JudgeTime = 10 * time.Second
