package app_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"callboard/app"
	"callboard/app/llm/llmtest"
	"callboard/app/model"
	"callboard/app/models"
	"callboard/app/vault"
	"callboard/crypto/secret"
)

// forms are the ways a key could lie in a file: as it is, in
// wide characters, in hex, and in base64 at each of its three alignments.
func forms(key string) map[string][]byte {
	little, big := []byte{}, []byte{}
	for _, u := range utf16.Encode([]rune(key)) {
		little, big = append(little, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
	}
	out := map[string][]byte{
		"plain": []byte(key), "UTF-16 LE": little, "UTF-16 BE": big, "hex": []byte(hex.EncodeToString([]byte(key))),
	}
	for skip := range 3 {
		whole := (len(key) - skip) / 3 * 3
		out[fmt.Sprint("base64 from ", skip)] = []byte(base64.RawStdEncoding.EncodeToString([]byte(key[skip : skip+whole])))
	}
	return out
}

func search(t *testing.T, where string, data []byte, key string) {
	t.Helper()
	for form, b := range forms(key) {
		if bytes.Contains(data, b) {
			t.Errorf("%s holds the key (%s)", where, form)
		}
	}
}

// TestAModelKeyIsNowhereToRead: not in a file of the home, while it is open and
// after it closed, not in the log, and not in what the services say.
func TestAModelKeyIsNowhereToRead(t *testing.T) {
	const key = "sk-CANARY0123456789abcdefghijklmnopqrstuvwxyz"
	dir := filepath.Join(t.TempDir(), "home")
	var log bytes.Buffer
	a, err := app.Open(t.Context(), app.Options{
		Home: app.Home{Dir: dir}, Now: time.Now, WorkFactor: 4,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	ok(t, err)
	ok(t, a.Vault.Init(t.Context(), vault.InitRequest{Protection: vault.File}))
	ep := llmtest.New(t, llmtest.Answer(`{"ok":true}`), llmtest.Echo(400), llmtest.Echo(500))
	m := model.Presets()[1].New()
	m.BaseURL, m.Model = ep.URL, "m"
	e, err := a.Models.Save(t.Context(), models.SaveRequest{Model: m})
	ok(t, err)
	e, err = a.Models.SetKey(t.Context(), e.Model.ID, e.Revision, secret.FromString(key))
	ok(t, err)
	said := fmt.Sprintf("%+v", e)
	for range 2 {
		p, err := a.Models.Plan(t.Context(), e.Model.ID)
		ok(t, err)
		res, err := a.Models.Test(t.Context(), e.Model.ID, p.Revision)
		ok(t, err)
		said += fmt.Sprintf("%+v %s %+v %#v", p, p.First.Sending.Body, res, res.Err)
	}
	if auth := ep.Calls()[0].Header.Get("Authorization"); auth != "Bearer "+key {
		t.Fatalf("the key was not used: %q", auth)
	}
	files := searchFolder(t, dir, key)
	d, err := a.Models.Delete(t.Context(), e.Model.ID, e.Revision)
	ok(t, err)
	said += fmt.Sprintf("%+v %#v", d, d)
	ok(t, a.Close(t.Context()))
	if again := searchFolder(t, dir, key); files < 3 || again < 3 {
		t.Errorf("only %d and %d files were looked at", files, again)
	}
	search(t, "the log", log.Bytes(), key)
	search(t, "what was said", []byte(said), key)
	if strings.Contains(said, llmtest.Canary) {
		t.Error("what was said holds the endpoint's words")
	}
}

func searchFolder(t *testing.T, dir, key string) (files int) {
	t.Helper()
	ok(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		files++
		search(t, path, data, key)
		search(t, "a file name", []byte(path), key)
		return err
	}))
	return files
}
