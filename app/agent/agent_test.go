package agent_test

import (
	"strings"
	"testing"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/tool"
)

func good() agent.Agent {
	return agent.Agent{
		Identity: agent.Identity{Name: "reviewer", Description: "d", Instructions: "i"},
		Run:      agent.Run{Provider: agent.ClaudeCode, Model: "sonnet"},
		Access:   tool.Access{Tools: tool.Of("Read", "Bash(git *)")},
	}
}

func TestLimitsNameFieldLimitAndSize(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*agent.Agent)
		field  agent.Field
		limit  int
		size   int
	}{
		"no name":             {func(a *agent.Agent) { a.Identity.Name = " \t" }, agent.Name, 0, 0},
		"name too long":       {func(a *agent.Agent) { a.Identity.Name = strings.Repeat("é", 129) }, agent.Name, 128, 129},
		"control in name":     {func(a *agent.Agent) { a.Identity.Name = "a\nb" }, agent.Name, 0, 0},
		"bidi in name":        {func(a *agent.Agent) { a.Identity.Name = "a\u202eb" }, agent.Name, 0, 0},
		"tag in name":         {func(a *agent.Agent) { a.Identity.Name = "a\U000e0041b" }, agent.Name, 0, 0},
		"name not UTF-8":      {func(a *agent.Agent) { a.Identity.Name = "a\xff" }, agent.Name, 0, 0},
		"description":         {func(a *agent.Agent) { a.Identity.Description = strings.Repeat("日", 4097) }, agent.Description, 4096, 4097},
		"instructions":        {func(a *agent.Agent) { a.Identity.Instructions = strings.Repeat("x", 512<<10+1) }, agent.Instructions, 512 << 10, 512<<10 + 1},
		"provider":            {func(a *agent.Agent) { a.Run.Provider = "x" }, agent.ProviderName, 0, 0},
		"model of two lines":  {func(a *agent.Agent) { a.Run.Model = "a\nb" }, agent.Model, 0, 0},
		"effort":              {func(a *agent.Agent) { a.Run.Effort = strings.Repeat("x", 129) }, agent.Effort, 128, 129},
		"token":               {func(a *agent.Agent) { a.Access.Tools = tool.Of("Bash(") }, agent.Tools, 0, 0},
		"tokens without list": {func(a *agent.Agent) { a.Access.Tools.Stated = tool.Empty }, agent.Tools, 0, 0},
		"denied token":        {func(a *agent.Agent) { a.Access.Denied = []string{"a b"} }, agent.Denied, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := good()
			tc.change(&a)
			got := agent.Check(a)
			if len(got) == 0 {
				t.Fatal("nothing refused")
			}
			if got[0].Field != tc.field || got[0].Limit != tc.limit || got[0].Size != tc.size {
				t.Errorf("got %+v", got[0])
			}
			if err := agent.Validate(a); fault.RuleOf(err) != "agent_invalid" || !strings.Contains(err.Error(), string(tc.field)) {
				t.Errorf("Validate = %v", err)
			}
		})
	}
}

func TestGoodNamesPass(t *testing.T) {
	for _, n := range []string{"reviewer", "数据库专家", "مراجع", "🚀 launcher", "true", "007", "👩‍💻", strings.Repeat("é", 128)} {
		a := good()
		a.Identity.Name = n
		if p := agent.Check(a); len(p) > 0 {
			t.Errorf("%q: %+v", n, p)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	a := good()
	a.Access.Denied = []string{"Write"}
	a.Source = &agent.Source{Original: []byte("x")}
	b := a.Clone()
	b.Access.Tools.Tokens[0], b.Access.Denied[0], b.Source.Original[0] = "W", "W", 'y'
	if a.Access.Tools.Tokens[0] != "Read" || a.Access.Denied[0] != "Write" || a.Source.Original[0] != 'x' {
		t.Error("the copy shares memory with the original")
	}
}

// TestTakeIsWhatDiffSees takes every field over, one by one.
func TestTakeIsWhatDiffSees(t *testing.T) {
	a, b := good(), agent.Agent{
		Enabled:  true,
		Identity: agent.Identity{Name: "b", Description: "bd", Instructions: "bi"},
		Run:      agent.Run{Provider: agent.Codex, Model: "bm", Effort: "be"},
		Access:   tool.Access{Tools: tool.Of("Write"), Denied: []string{"Bash"}, Bound: "read-only"},
		Roster:   agent.Reach{}.Allow(agent.Call, "x", true),
		Look:     agent.Look{Color: "red"},
	}
	all := agent.Diff(a, b)
	for i, f := range all {
		agent.Take(&a, b, f)
		if left := agent.Diff(a, b); len(left) != len(all)-i-1 {
			t.Errorf("after %s they differ in %q", f, left)
		}
	}
	if len(all) != 13 {
		t.Errorf("only %q differ: is a field missing here?", all)
	}
}
