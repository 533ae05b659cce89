package profile_test

import (
	"fmt"
	"testing"

	"callboard/app/agent"
	"callboard/app/profile"
)

func TestZZProbe(t *testing.T) {
	l, err := profile.Scan(t.Context(), "testdata/formats")
	fmt.Println(err, l.Folder, l.Cut, l.Skipped)
	for _, f := range l.Files {
		a := f.Agent
		fmt.Printf("%s|%s|key=%q|name=%q|desc=%q|model=%q|eff=%q|tools=%v|den=%v|bound=%q|dial=%q|color=%q|prov=%q|ins=%q|en=%v cert=%v eff=%v\n   rules: %s\n", f.Path, f.Format, a.Source.Key, a.Identity.Name, a.Identity.Description, a.Run.Model, a.Run.Effort, a.Access.Tools, a.Access.Denied, a.Access.Bound, a.Access.Dialect, a.Look.Color, a.Run.Provider, a.Identity.Instructions, a.Enabled, f.Certain, a.Grants().Effective(), rules(f))
	}
	for _, f := range profile.Formats() {
		fmt.Print(f, ": ")
		for _, x := range []agent.Field{agent.Name, agent.Description, agent.Instructions, agent.ProviderName, agent.Model, agent.Effort, agent.Tools, agent.Denied, agent.Bound, agent.Enabled, agent.Color} {
			if f.Keeps(x) {
				fmt.Print(x, " ")
			}
		}
		fmt.Println()
	}
}
