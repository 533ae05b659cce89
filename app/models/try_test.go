package models_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"callboard/app/fault"
	"callboard/app/ident"
	"callboard/app/llm"
	"callboard/app/llm/llmtest"
	"callboard/app/model"
	"callboard/app/models"
	"callboard/storage/storagetest"
)

const yes = `{"ok":true}`

var (
	bothFields = []model.TokenField{model.MaxTokens, model.MaxCompletionTokens}
	allModes   = model.Schema.Below()
)

// TestATestFindsTheForm: every endpoint that takes some form is understood,
// with at most four requests, all of which the plan has shown.
func TestATestFindsTheForm(t *testing.T) {
	newer := []model.TokenField{model.MaxCompletionTokens}
	older := []model.TokenField{model.MaxTokens}
	for name, tc := range map[string]struct {
		picky llmtest.Picky
		want  string
	}{
		"takes all":              {llmtest.Picky{Fields: bothFields, Modes: allModes}, "1 max_tokens schema"},
		"newer field":            {llmtest.Picky{Fields: newer, Modes: allModes}, "2 max_completion_tokens schema"},
		"no schema":              {llmtest.Picky{Fields: bothFields, Modes: allModes[1:]}, "2 max_tokens object"},
		"words only":             {llmtest.Picky{Fields: older, Modes: allModes[2:]}, "3 max_tokens prompt"},
		"newer field, words":     {llmtest.Picky{Fields: newer, Modes: allModes[2:]}, "4 max_completion_tokens prompt"},
		"mute, newer field":      {llmtest.Picky{Fields: newer, Modes: allModes, Mute: true}, "2 max_completion_tokens schema"},
		"mute, no schema":        {llmtest.Picky{Fields: older, Modes: allModes[1:], Mute: true}, "3 max_tokens object"},
		"mute, words only":       {llmtest.Picky{Fields: older, Modes: allModes[2:], Mute: true}, "4 max_tokens prompt"},
		"mute, newer and object": {llmtest.Picky{Fields: newer, Modes: allModes[1:2], Mute: true}, "4 provider_refused"},
		"takes nothing":          {llmtest.Picky{Mute: true}, "4 provider_refused"},
	} {
		t.Run(name, func(t *testing.T) {
			tc.picky.Text = yes
			ep := llmtest.New(t, tc.picky.Reply())
			s := service(t, storagetest.New(t))
			e := add(t, s, local(ep.URL))
			plan := must(s.Plan(t.Context(), e.Model.ID))(t)
			res := must(s.Test(t.Context(), e.Model.ID, plan.Revision))(t)
			got := fmt.Sprint(len(res.Attempts))
			if res.OK {
				got += fmt.Sprint(" ", res.Form.TokenField, " ", res.Form.JSONMode)
			} else {
				got += " " + res.Code
			}
			if got != tc.want || len(ep.Calls()) != len(res.Attempts) || len(res.Attempts) > plan.AtMost {
				t.Errorf("%s, %d requests", got, len(ep.Calls()))
			}
			now := must(s.Get(t.Context(), e.Model.ID))(t)
			moved := res.OK && res.Form != models.Form{TokenField: e.Model.TokenField, JSONMode: e.Model.JSONMode}
			if res.Saved != moved || now.Revision != res.Entry.Revision || res.OK && now.Model.JSONMode != res.Form.JSONMode {
				t.Errorf("saved %v, now %+v", res.Saved, now.Model)
			}
			all := append([]models.Planned{plan.First}, plan.Further...)
			for n, c := range ep.Calls() {
				if !slices.ContainsFunc(all, func(p models.Planned) bool {
					return string(p.Sending.Body) == string(c.Body) && strings.HasSuffix(p.Sending.URL, c.Path)
				}) {
					t.Errorf("request %d was in no plan: %s", n, c.Body)
				}
			}
			if string(ep.Calls()[0].Body) != string(plan.First.Sending.Body) {
				t.Error("the first request is not the plan's first")
			}
		})
	}
}

// TestAModelTheLibraryKnows: for some ids the client itself refuses max_tokens,
// so that form is in no plan and no request.
func TestAModelTheLibraryKnows(t *testing.T) {
	ep := llmtest.New(t, llmtest.Answer(yes))
	s := service(t, storagetest.New(t))
	m := local(ep.URL)
	m.Model = "gpt-5-mini"
	e := add(t, s, m)
	plan := must(s.Plan(t.Context(), e.Model.ID))(t)
	res := must(s.Test(t.Context(), e.Model.ID, plan.Revision))(t)
	if !res.OK || !res.Saved || res.Entry.Model.TokenField != model.MaxCompletionTokens || len(res.Attempts) != 1 || plan.AtMost != 3 {
		t.Errorf("%+v", res)
	}
	if len(ep.Calls()) != 1 || string(ep.Calls()[0].Body) != string(plan.First.Sending.Body) {
		t.Errorf("%d requests", len(ep.Calls()))
	}
}

// TestNothingElseIsTriedAgain: one request, its code, and no word of the
// endpoint's.
func TestNothingElseIsTriedAgain(t *testing.T) {
	for name, tc := range map[string]struct {
		reply llmtest.Reply
		want  string
	}{
		"401":        {llmtest.Refused(401, "bad"), "provider_auth"},
		"404":        {llmtest.Ollama(404), "provider_refused"},
		"429":        {llmtest.RateLimited("3"), "provider_rate_limited"},
		"500":        {llmtest.Echo(500), "provider_refused"},
		"garbage":    {llmtest.Garbage(), "output_invalid"},
		"wrong JSON": {llmtest.Answer(`{"fine":1}`), "output_invalid"},
		"cut short":  {llmtest.Finish("{", "length"), "output_truncated"},
		"redirect":   {llmtest.Redirect(307, "http://127.0.0.1:1/"), "provider_redirected"},
		"closed":     {llmtest.Drop(), "provider_unreachable"},
	} {
		t.Run(name, func(t *testing.T) {
			ep := llmtest.New(t, tc.reply)
			s := service(t, storagetest.New(t))
			e := setKey(t, s, add(t, s, local(ep.URL)), key)
			res := must(s.Test(t.Context(), e.Model.ID, e.Revision))(t)
			if res.OK || res.Saved || res.Code != tc.want || fault.RuleOf(res.Err) != tc.want || len(ep.Calls()) != 1 {
				t.Errorf("%+v, %d requests", res, len(ep.Calls()))
			}
			if text := fmt.Sprintf("%+v %#v %s", res, res.Err, fault.Sentence(res.Err)); strings.Contains(text, "CANARY") {
				t.Error(text)
			}
		})
	}
}

func TestAPlanShowsAllButTheKey(t *testing.T) {
	ep := llmtest.New(t, llmtest.Answer(yes))
	s := service(t, storagetest.New(t))
	e := add(t, s, local(ep.URL))
	auth := func(p models.Plan) string {
		for _, h := range p.First.Sending.Headers {
			if h.Name == "Authorization" {
				return h.Value
			}
		}
		return ""
	}
	plan := must(s.Plan(t.Context(), e.Model.ID))(t)
	if auth(plan) != "" || plan.Host == "" || !strings.Contains(ep.URL, plan.Host) || len(plan.Further) != 5 || plan.AtMost != 4 {
		t.Errorf("%+v", plan)
	}
	e = setKey(t, s, e, " "+key+"\n")
	if _, err := s.Test(t.Context(), e.Model.ID, plan.Revision); !errors.Is(err, models.ErrPlanOutdated) || len(ep.Calls()) != 0 {
		t.Errorf("a plan without the key stands for a call with it: %v", err)
	}
	plan = must(s.Plan(t.Context(), e.Model.ID))(t)
	if auth(plan) != "redacted" || strings.Contains(fmt.Sprintf("%+v %+v", plan, e), key) {
		t.Errorf("%+v", plan)
	}
	res := must(s.Test(t.Context(), e.Model.ID, plan.Revision))(t)
	if !res.OK || res.Usage != (model.Usage{In: 12, Out: 5, Known: true}) || res.Took <= 0 || ep.Calls()[0].Header.Get("Authorization") != "Bearer "+key {
		t.Errorf("%+v %v", res, ep.Calls()[0].Header)
	}
	e = must(s.ClearKey(t.Context(), e.Model.ID, e.Revision))(t)
	if res := must(s.Test(t.Context(), e.Model.ID, e.Revision))(t); !res.OK || e.HasKey || ep.Calls()[1].Header.Get("Authorization") != "" {
		t.Errorf("after clearing it: %+v", res)
	}
}

// TestAKeyGoesToItsOwnSiteOnly, whatever address the model has by then.
func TestAKeyGoesToItsOwnSiteOnly(t *testing.T) {
	own, other := llmtest.New(t, llmtest.Answer(yes)), llmtest.New(t, llmtest.Answer(yes))
	s := service(t, storagetest.New(t))
	e := setKey(t, s, add(t, s, local(own.URL)), key)
	ctx := t.Context()
	for _, url := range []string{other.URL, strings.Replace(own.URL, "127.0.0.1", "localhost", 1), "https://models.example/v1"} {
		e = must(save(t, s, e, func(m *model.Model) { m.BaseURL = url }))(t)
		if !e.HasKey || e.KeyFits || e.KeySite != model.Site(own.URL) {
			t.Errorf("%+v", e)
		}
		_, planned := s.Plan(ctx, e.Model.ID)
		_, tested := s.Test(ctx, e.Model.ID, e.Revision)
		for _, err := range []error{planned, tested} {
			if !errors.Is(err, models.ErrKeyOtherEndpoint) || !strings.Contains(fault.Sentence(err), "Enter the key for this address") {
				t.Errorf("%s: %v", url, err)
			}
		}
	}
	if len(own.Calls())+len(other.Calls()) != 0 {
		t.Error("something was sent")
	}
	e = must(save(t, s, e, func(m *model.Model) { m.BaseURL = own.URL + "/other/path" }))(t)
	if res := must(s.Test(ctx, e.Model.ID, e.Revision))(t); !res.OK || !e.KeyFits {
		t.Errorf("back at its site: %+v", res)
	}
	e = must(save(t, s, e, func(m *model.Model) { m.BaseURL = other.URL }))(t)
	e = setKey(t, s, e, "another")
	if res := must(s.Test(ctx, e.Model.ID, e.Revision))(t); !res.OK || other.Calls()[0].Header.Get("Authorization") != "Bearer another" {
		t.Errorf("with its own key: %+v", res)
	}
}

func TestATestEndsInTimeOrWhenItIsCancelled(t *testing.T) {
	ep := llmtest.New(t, llmtest.Hang())
	client := llm.New()
	t.Cleanup(client.Close)
	s := models.NewService(models.Config{
		DB: storagetest.New(t), NewID: ident.New, Client: client, Catalogue: llm.Catalogue{},
		Now: time.Now, TestTime: 300 * time.Millisecond,
	})
	e := add(t, s, local(ep.URL))
	if res := must(s.Test(t.Context(), e.Model.ID, e.Revision))(t); res.Code != "timeout" {
		t.Errorf("%+v", res)
	}
	patient := models.NewService(models.Config{DB: storagetest.New(t), NewID: ident.New, Client: client, Catalogue: llm.Catalogue{}, Now: time.Now})
	ep = llmtest.New(t, llmtest.Hang())
	e = add(t, patient, local(ep.URL))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := make(chan string, 1)
	go func() {
		res, err := patient.Test(ctx, e.Model.ID, e.Revision)
		got <- fmt.Sprint(res.Code, err)
	}()
	call := ep.Wait(t, 0)
	cancel()
	if s := <-got; s != "cancelled<nil>" {
		t.Error(s)
	}
	<-call.Gone
}

// TestAChangeMeanwhileStands: what a test found is not laid over it.
func TestAChangeMeanwhileStands(t *testing.T) {
	release := make(chan struct{})
	newer := llmtest.Picky{Text: yes, Fields: []model.TokenField{model.MaxCompletionTokens}, Modes: allModes}
	ep := llmtest.New(t, newer.Reply(), llmtest.After(release, newer.Reply()))
	s := service(t, storagetest.New(t))
	e := add(t, s, local(ep.URL))
	got := make(chan models.Result, 1)
	go func() {
		res, _ := s.Test(t.Context(), e.Model.ID, e.Revision)
		got <- res
	}()
	ep.Wait(t, 1)
	mine := must(save(t, s, e, func(m *model.Model) { m.Name = "mine" }))(t)
	close(release)
	if res := <-got; !res.OK || res.Saved {
		t.Errorf("%+v", res)
	}
	if now := must(s.Get(t.Context(), e.Model.ID))(t); now.Revision != mine.Revision || now.Model.TokenField != model.MaxTokens {
		t.Errorf("%+v", now)
	}
}
