package read

import "comus/cfront/command"

func ownPreprocess(text []byte, inv *command.Invocation, opts Options) (*stream, []Warning, error) {
	return nil, nil, &Error{Msg: "todo"}
}
