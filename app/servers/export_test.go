package servers

// Redact is what of a line may be shown, of a server with these values.
func Redact(line string, env ...string) (string, int) {
	return redactorOf(env).line(line, 1000)
}

// Tail is what of the end of standard error is shown.
func Tail(text string, cut bool, env ...string) string {
	return redactorOf(env).tail([]byte(text), cut, 1000)
}

// StartForTest starts a command as a discovery does, and stays with it.
func StartForTest(command string, args ...string) {
	startChild(Plan{Command: command, Path: command, Args: args, Dir: "/"}, nil)
}

func redactorOf(env []string) redactor {
	v := values{Env: map[string][]byte{}}
	for i, e := range env {
		v.Env[string(rune('A'+i))] = []byte(e)
	}
	return newRedactor(v)
}
