package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"callboard/app/event"
	"callboard/app/settings"
)

func open(t *testing.T, content string) (*settings.Service, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "settings.json")
	if content != "" {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return settings.Open(path, new(event.Feed)), path
}

func dark(s *settings.Settings) { s.Appearance.Theme = settings.Dark }

func TestUnknownKeysAreKeptInOrder(t *testing.T) {
	s, path := open(t, `{"zeta": [1,  2], "appearance": {"size": 1.0, "theme": "light"}, "ephemeral": {"enabled": false, "n": 10000000000000001}}`)
	if err := s.Problem(); err != nil || s.Get().Appearance.Theme != settings.Light {
		t.Fatalf("%v %+v", err, s.Get())
	}
	if err := s.Update(dark); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "zeta": [
    1,
    2
  ],
  "appearance": {
    "size": 1.0,
    "theme": "dark"
  },
  "ephemeral": {
    "enabled": false,
    "n": 10000000000000001
  }
}
`
	if string(got) != want {
		t.Errorf("got\n%s", got)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", fi.Mode(), err)
	}
	again := settings.Open(path, new(event.Feed))
	if again.Problem() != nil || again.Get().Appearance.Theme != settings.Dark {
		t.Errorf("read back %v %+v", again.Problem(), again.Get())
	}
}

func TestAFileThatCannotBeReadIsLeftAlone(t *testing.T) {
	for name, tc := range map[string]struct {
		content string
		want    error
	}{
		"no JSON":          {"theme = dark", settings.ErrUnreadable},
		"cut":              {`{"appearance": {"theme": "dark"`, settings.ErrUnreadable},
		"two objects":      {`{} {}`, settings.ErrUnreadable},
		"a list":           {`[]`, settings.ErrUnreadable},
		"key twice":        {`{"appearance": {}, "appearance": {}}`, settings.ErrUnreadable},
		"key twice inside": {`{"appearance": {"theme": "dark", "Theme": "light"}}`, settings.ErrUnreadable},
		"wrong type":       {`{"appearance": {"theme": 3}}`, settings.ErrUnreadable},
		"unknown value":    {`{"appearance": {"theme": "blue"}}`, settings.ErrUnreadable},
		"newer":            {`{"version": 2, "appearance": {"theme": "dark"}}`, settings.ErrNewer},
		"version no whole": {`{"version": "1"}`, settings.ErrUnreadable},
	} {
		t.Run(name, func(t *testing.T) {
			s, path := open(t, tc.content)
			if !errors.Is(s.Problem(), tc.want) || s.Get() != settings.Defaults() {
				t.Errorf("problem %v, settings %+v", s.Problem(), s.Get())
			}
			if err := s.Update(dark); !errors.Is(err, tc.want) {
				t.Errorf("Update = %v", err)
			}
			if got, _ := os.ReadFile(path); string(got) != tc.content {
				t.Errorf("the file changed to %q", got)
			}
		})
	}
}

func TestCaseIsExact(t *testing.T) {
	s, _ := open(t, `{"Appearance": {"theme": "dark"}}`)
	if s.Problem() != nil || s.Get().Appearance.Theme != settings.System {
		t.Errorf("%v %+v", s.Problem(), s.Get())
	}
}

func TestAValueThatIsNoneIsRefused(t *testing.T) {
	s, path := open(t, "")
	err := s.Update(func(v *settings.Settings) { v.Appearance.Theme = "blue" })
	if !errors.Is(err, settings.ErrValue) || s.Get() != settings.Defaults() {
		t.Errorf("%v %+v", err, s.Get())
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a refused update wrote a file")
	}
}

func TestAFolderThatIsNotThereIsSaidPlainly(t *testing.T) {
	s := settings.Open(filepath.Join(t.TempDir(), "gone", "settings.json"), new(event.Feed))
	err := s.Update(dark)
	if err == nil || !strings.Contains(err.Error(), "cannot be used") || s.Get() != settings.Defaults() {
		t.Errorf("%v %+v", err, s.Get())
	}
}

func TestWhatWasWrittenMeanwhileIsKept(t *testing.T) {
	s, path := open(t, `{"appearance": {"theme": "light"}}`)
	if err := os.WriteFile(path, []byte(`{"appearance": {"theme": "light"}, "mine": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(dark); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !strings.Contains(string(got), `"mine": 1`) || !strings.Contains(string(got), `"dark"`) {
		t.Errorf("%s %v", got, err)
	}
}

func TestEveryFieldComesBack(t *testing.T) {
	s, path := open(t, "")
	want := settings.Settings{
		Appearance: settings.Appearance{Theme: settings.Light, TextSize: 150},
		Window:     settings.Window{Width: 1600, Height: 900},
		Security:   settings.Security{AutoLock: 15, LockOnSleep: true},
	}
	if err := s.Update(func(v *settings.Settings) { *v = want }); err != nil {
		t.Fatal(err)
	}
	if got := settings.Open(path, new(event.Feed)); got.Problem() != nil || got.Get() != want {
		t.Errorf("%+v %v", got.Get(), got.Problem())
	}
	if err := s.Update(func(v *settings.Settings) { *v = settings.Defaults() }); err != nil {
		t.Fatal(err)
	}
	if got := settings.Open(path, new(event.Feed)); got.Get() != settings.Defaults() {
		t.Errorf("the defaults did not replace what was there: %+v", got.Get())
	}
}

func TestValuesOfAnotherKindAreRefused(t *testing.T) {
	for _, content := range []string{
		`{"appearance":{"text_size":"big"}}`, `{"appearance":{"text_size":79}}`, `{"appearance":{"text_size":201}}`,
		`{"appearance":{"text_size":110.5}}`, `{"appearance":{"text_size":null}}`, `{"appearance":[]}`,
		`{"window":{"width":-1}}`, `{"window":{"height":20001}}`,
		`{"security":{"auto_lock_minutes":1441}}`, `{"security":{"auto_lock_minutes":-1}}`, `{"security":{"lock_on_sleep":1}}`,
	} {
		s, path := open(t, content)
		if !errors.Is(s.Problem(), settings.ErrUnreadable) || s.Get() != settings.Defaults() {
			t.Errorf("%s: %v, %+v", content, s.Problem(), s.Get())
		}
		if err := s.Update(dark); !errors.Is(err, settings.ErrUnreadable) {
			t.Errorf("%s was rewritten: %v", content, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("%s became %s", content, got)
		}
	}
	s, _ := open(t, "")
	if err := s.Update(func(v *settings.Settings) { v.Appearance.TextSize = 500 }); !errors.Is(err, settings.ErrValue) {
		t.Errorf("%v", err)
	}
}
