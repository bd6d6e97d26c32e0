package syntax

// Dialect says whether the unit is ISO C without GNU's keywords (-std=c99 and so on): asm and
// typeof are identifiers then. It has to be called before [Parse].
func (in *Input) Dialect(strict bool) { in.strict = strict }
