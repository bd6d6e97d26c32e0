package html

import (
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// syntax colours C. It is a lexer of our own, since chroma's come all together and make every start of comus slower.
var syntax = sync.OnceValue(func() chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: "C", EnsureNL: true, DotAll: true}, func() chroma.Rules {
		return chroma.Rules{"root": {
			{Pattern: `/\*.*?(\*/|\z)`, Type: chroma.CommentMultiline},
			{Pattern: `//([^\\\n]|\\.)*`, Type: chroma.CommentSingle},
			{Pattern: `(?m)^[ \t]*#([^\\\n/]|\\.|/(?![*/]))*`, Type: chroma.CommentPreproc},
			{Pattern: `(u8|[uUL])?"([^"\\\n]|\\.)*"?`, Type: chroma.LiteralString},
			{Pattern: `(u8|[uUL])?'([^'\\\n]|\\.)*'?`, Type: chroma.LiteralStringChar},
			{Pattern: `\.?[0-9]([0-9a-zA-Z_.]|(?<=[eEpP])[+-])*`, Type: chroma.LiteralNumber},
			{Pattern: `(` + keywords + `)\b`, Type: chroma.Keyword},
			{Pattern: `[a-zA-Z_]\w*`, Type: chroma.Name},
			{Pattern: `\s+`, Type: chroma.Text},
			{Pattern: `.`, Type: chroma.Operator},
		}}
	})
})

// keywords are those of C11, of types too, and what its headers make of some.
const keywords = `auto|break|case|char|const|continue|default|double|do|else|enum|extern|float|for|goto|if|inline|int|long|register|` +
	`restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|` +
	`_Alignas|_Alignof|_Atomic|_Bool|_Complex|_Generic|_Imaginary|_Noreturn|_Static_assert|_Thread_local|bool|thread_local|noreturn|[a-z]\w*_t`
