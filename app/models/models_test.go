package models_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/app/ident"
	"callboard/app/llm"
	"callboard/app/model"
	"callboard/app/models"
	"callboard/crypto/secret"
	"callboard/storage"
	"callboard/storage/storagetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-CANARY-key-91c2"

func service(t *testing.T, db *storage.DB) *models.Service {
	t.Helper()
	client := llm.New()
	t.Cleanup(client.Close)
	var seconds atomic.Int64
	return models.NewService(models.Config{
		DB: db, NewID: ident.New, Client: client, Catalogue: llm.Catalogue{},
		Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, int(seconds.Add(1)), 0, time.UTC) },
	})
}

func openAI() model.Model {
	m := model.Presets()[0].New()
	m.Model = "gpt-5.5"
	return m
}

// local is a model of an endpoint on this machine.
func local(url string) model.Model {
	m := model.Presets()[1].New()
	m.BaseURL, m.Model = url, "qwen3"
	return m
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func add(t *testing.T, s *models.Service, m model.Model) models.Entry {
	t.Helper()
	return must(s.Save(t.Context(), models.SaveRequest{Model: m}))(t)
}

func setKey(t *testing.T, s *models.Service, e models.Entry, k string) models.Entry {
	t.Helper()
	return must(s.SetKey(t.Context(), e.Model.ID, e.Revision, secret.FromString(k)))(t)
}

func save(t *testing.T, s *models.Service, e models.Entry, edit func(*model.Model)) (models.Entry, error) {
	t.Helper()
	edit(&e.Model)
	return s.Save(t.Context(), models.SaveRequest{Model: e.Model, Revision: e.Revision})
}

func TestWhatIsSavedIsThereAndTold(t *testing.T) {
	db := storagetest.New(t)
	s := service(t, db)
	feed := db.Feed().Subscribe()
	defer feed.Close()
	if _, err := feed.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	e := add(t, s, openAI())
	next, err := save(t, s, e, func(m *model.Model) { m.Name = "Ä" })
	if err != nil {
		t.Fatal(err)
	}
	on := must(s.SetEnabled(t.Context(), e.Model.ID, next.Revision, true))(t)
	if !on.Model.Enabled || on.Model.Name != "Ä" {
		t.Errorf("%+v", on)
	}
	again := service(t, db)
	if diff := cmp.Diff(on, must(again.Get(t.Context(), e.Model.ID))(t)); diff != "" {
		t.Error(diff)
	}
	add(t, s, local("http://127.0.0.1:1/v1"))
	l := must(s.List(t.Context()))(t)
	if len(l.Models) != 2 || l.Models[0].Model.Name != "Ollama" || l.Models[1].Model.Name != "Ä" || l.Unreadable != 0 {
		t.Errorf("%+v", l)
	}
	b, err := feed.Next(t.Context())
	want := []event.Change{{Kind: event.Model, ID: e.Model.ID}, {Kind: event.Model, ID: l.Models[0].Model.ID}}
	if diff := cmp.Diff(want, b.Changes); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestARefusedChangeWritesNothing(t *testing.T) {
	s := service(t, storagetest.New(t))
	e := add(t, s, openAI())
	id, old := e.Model.ID, e.Revision
	e = must(save(t, s, e, func(m *model.Model) { m.Name = "new" }))(t)
	ctx := t.Context()
	moved := func(_ any, err error) error { return err }
	for name, tc := range map[string]struct {
		err  error
		want *fault.Error
	}{
		"save over a newer":    {moved(s.Save(ctx, models.SaveRequest{Model: e.Model, Revision: old})), models.ErrConflict},
		"save as new":          {moved(s.Save(ctx, models.SaveRequest{Model: e.Model})), models.ErrConflict},
		"save of none":         {moved(save(t, s, e, func(m *model.Model) { m.ID = ident.New(time.Now()) })), models.ErrNotFound},
		"breaks a limit":       {moved(save(t, s, e, func(m *model.Model) { m.BaseURL = "http://192.168.1.5/v1" })), model.ErrInvalid},
		"new breaks a limit":   {moved(s.Save(ctx, models.SaveRequest{})), model.ErrInvalid},
		"zero elsewhere":       {moved(save(t, s, e, func(m *model.Model) { m.Price = model.Price{State: model.Zero} })), model.ErrInvalid},
		"enable an old state":  {moved(s.SetEnabled(ctx, id, old, true)), models.ErrConflict},
		"key on an old state":  {moved(s.SetKey(ctx, id, old, secret.FromString(key))), models.ErrConflict},
		"clear on an old":      {moved(s.ClearKey(ctx, id, old)), models.ErrConflict},
		"delete an old state":  {moved(s.Delete(ctx, id, old)), models.ErrConflict},
		"test an old state":    {moved(s.Test(ctx, id, old)), models.ErrPlanOutdated},
		"plan for none":        {moved(s.Plan(ctx, ident.New(time.Now()))), models.ErrNotFound},
		"empty key":            {moved(s.SetKey(ctx, id, e.Revision, secret.FromString(" \n"))), models.ErrKeyInvalid},
		"key of two lines":     {moved(s.SetKey(ctx, id, e.Revision, secret.FromString("a\r\nX-Evil: 1"))), models.ErrKeyInvalid},
		"key of two words":     {moved(s.SetKey(ctx, id, e.Revision, secret.FromString("Bearer sk-1"))), models.ErrKeyInvalid},
		"key with a bullet":    {moved(s.SetKey(ctx, id, e.Revision, secret.FromString("sk-•••"))), models.ErrKeyInvalid},
		"key that is a novel":  {moved(s.SetKey(ctx, id, e.Revision, secret.FromString(strings.Repeat("a", models.MaxKey+1)))), models.ErrKeyInvalid},
		"undo of what is here": {undoTwice(t, s), models.ErrConflict},
	} {
		if !errors.Is(tc.err, tc.want) || fault.RuleOf(tc.err) != tc.want.Rule() {
			t.Errorf("%s: %v", name, tc.err)
		}
	}
	if diff := cmp.Diff(e, must(s.Get(ctx, id))(t)); diff != "" {
		t.Error(diff)
	}
}

func undoTwice(t *testing.T, s *models.Service) error {
	t.Helper()
	e := add(t, s, openAI())
	d := must(s.Delete(t.Context(), e.Model.ID, e.Revision))(t)
	must(s.Undo(t.Context(), d))(t)
	_, err := s.Undo(t.Context(), d)
	return err
}

func TestDeleteForgetsTheKeyForGood(t *testing.T) {
	s := service(t, storagetest.New(t))
	e := setKey(t, s, add(t, s, openAI()), key)
	d := must(s.Delete(t.Context(), e.Model.ID, e.Revision))(t)
	if _, err := s.Get(t.Context(), e.Model.ID); !errors.Is(err, models.ErrNotFound) {
		t.Errorf("still there: %v", err)
	}
	back := must(s.Undo(t.Context(), d))(t)
	if diff := cmp.Diff(e.Model, back.Model); diff != "" || back.HasKey || back.KeySite != "" {
		t.Errorf("%s %+v", diff, back)
	}
	if again := setKey(t, s, back, key); !again.HasKey || !again.KeyFits {
		t.Errorf("%+v", again)
	}
}

func TestWhereAPriceComesFrom(t *testing.T) {
	s := service(t, storagetest.New(t))
	catalogue := must2(s.Known("https://api.openai.com/v1", "gpt-5.5")).Price
	e := add(t, s, openAI())
	if e.Model.Price != catalogue || catalogue.State != model.Priced || catalogue.Date == "" {
		t.Errorf("from the catalogue: %+v", e.Model.Price)
	}
	e = must(save(t, s, e, func(m *model.Model) { m.Model = "gpt-5.5-mine" }))(t) // the editor hands the old price back
	if e.Model.Price != (model.Price{State: model.Unknown}) {
		t.Errorf("an id nobody knows: %+v", e.Model.Price)
	}
	own := model.Price{State: model.Priced, Input: 7, Output: 9, Source: model.Person, Date: "1999-01-01"}
	e = must(save(t, s, e, func(m *model.Model) { m.Price = own }))(t)
	own.Date = "2026-11-30"
	if e.Model.Price != own {
		t.Errorf("the person's: %+v", e.Model.Price)
	}
	e = must(save(t, s, e, func(m *model.Model) { m.Model = "gpt-5.5" }))(t)
	if e.Model.Price != own {
		t.Errorf("the person's over the catalogue's: %+v", e.Model.Price)
	}
	l := add(t, s, local("http://localhost:11434/v1"))
	if l.Model.Price.State != model.Unknown {
		t.Errorf("this machine, nothing declared: %+v", l.Model.Price)
	}
	l = must(save(t, s, l, func(m *model.Model) { m.Price = model.Price{State: model.Zero} }))(t)
	if l.Model.Price != (model.Price{State: model.Zero}) {
		t.Errorf("declared: %+v", l.Model.Price)
	}
	if _, err := save(t, s, l, func(m *model.Model) { m.BaseURL = "https://models.example/v1" }); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("declared, then moved away: %v", err)
	}
	if got := s.Nearest("https://api.openai.com/v1", "gpt-5.5-mine"); len(got) == 0 || len(s.Search("gpt", 2)) != 2 {
		t.Errorf("%v", got)
	}
}

func must2[T any](v T, ok bool) T {
	if !ok {
		panic("not known")
	}
	return v
}

func TestALockedStoreAnswersLocked(t *testing.T) {
	db := storagetest.New(t)
	s := service(t, db)
	e := add(t, s, openAI())
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, list := s.List(t.Context())
	_, plan := s.Plan(t.Context(), e.Model.ID)
	_, test := s.Test(t.Context(), e.Model.ID, e.Revision)
	_, saved := s.SetKey(t.Context(), e.Model.ID, e.Revision, secret.FromString(key))
	for _, err := range []error{list, plan, test, saved} {
		if !errors.Is(err, storage.ErrLocked) {
			t.Errorf("%v", err)
		}
	}
}

// TestThePersonsFiguresKeepTheirDay until the figures change.
func TestThePersonsFiguresKeepTheirDay(t *testing.T) {
	day := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := models.NewService(models.Config{
		DB: storagetest.New(t), NewID: ident.New, Catalogue: llm.Catalogue{}, Now: func() time.Time { return day },
	})
	m := openAI()
	m.Price = model.Price{State: model.Priced, Input: 7, Output: 9, Source: model.Person}
	e := add(t, s, m)
	day = day.AddDate(0, 1, 0)
	e = must(save(t, s, e, func(m *model.Model) { m.Name, m.Price.Date = "other", "" }))(t)
	if e.Model.Price.Date != "2026-11-30" {
		t.Errorf("the same figures: %+v", e.Model.Price)
	}
	e = must(save(t, s, e, func(m *model.Model) { m.Price.Output = 10 }))(t)
	if e.Model.Price.Date != "2026-12-30" {
		t.Errorf("other figures: %+v", e.Model.Price)
	}
}
