package tool_test

import (
	"slices"
	"testing"

	"callboard/app/tool"
)

func TestWidened(t *testing.T) {
	claude := func(l tool.List, denied ...string) tool.Access {
		return tool.Access{Dialect: tool.ClaudeCode, Tools: l, Denied: denied}
	}
	omitted := tool.List{Stated: tool.Omitted}
	for name, tc := range map[string]struct {
		before, after tool.Access
		want          []string
	}{
		"the same":             {claude(tool.Of("Bash(git *)")), claude(tool.Of("Bash(git *)")), nil},
		"another pattern":      {claude(tool.Of("Bash(git *)")), claude(tool.Of("Bash(rm *)")), []string{"~execute_bash"}},
		"a tool more":          {claude(tool.Of("Read")), claude(tool.Of("Read", "Bash")), []string{"execute_bash"}},
		"a tool less":          {claude(tool.Of("Read", "Bash(git *)")), claude(tool.Of("Bash(git *)")), nil},
		"list left out":        {claude(tool.Of("Read")), claude(omitted), []string{"fs_list", "fs_write", "execute_bash", "web_fetch", "@*"}},
		"denial taken away":    {claude(omitted, "Bash"), claude(omitted), []string{"execute_bash"}},
		"denial added":         {claude(omitted), claude(omitted, "Bash"), nil},
		"from all to a part":   {claude(omitted), claude(tool.Of("Bash(git *)")), nil},
		"a server more":        {claude(tool.Of("mcp__a")), claude(tool.Of("mcp__a", "mcp__b")), []string{"@b"}},
		"not known any more":   {claude(tool.Of("Read")), claude(tool.List{Stated: tool.Unread}), nil},
		"known now":            {claude(tool.List{Stated: tool.Unread}), claude(tool.Of("Read")), []string{"fs_read"}},
		"sandbox mode widened": {tool.Access{Dialect: tool.Codex, Tools: omitted, Bound: "read-only"}, tool.Access{Dialect: tool.Codex, Tools: omitted, Bound: "danger-full-access"}, []string{"fs_write", "execute_bash"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tool.Widened(tc.before, tc.after); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
