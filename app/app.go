// Package app is the composition root: it opens one home and hands out the
// services that work on it. Nothing below it imports it; services get what
// they need of each other from here, at Open.
package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"callboard/app/event"
	"callboard/app/home"
	"callboard/app/ident"
	"callboard/app/llm"
	"callboard/app/models"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/app/servers"
	"callboard/app/settings"
	"callboard/app/vault"
	"callboard/crypto"
	"callboard/storage"
)

// Version is the program's version; FyneApp.toml says the same.
const Version = "0.1.0"

// Home is the folder an App works on.
type Home = home.Home

// Options is everything Open takes from outside. Zero fields have the
// product's values, but for Home, Now and Log, which are needed.
type Options struct {
	Home       Home
	Now        func() time.Time
	Log        *slog.Logger
	WorkFactor int
}

// App is one open program. Its services may be used from any goroutine until
// Close.
type App struct {
	Home     Home
	Settings *settings.Service
	Vault    *vault.Service
	Roster   *roster.Service
	Profile  *profile.Service
	Models   *models.Service
	Servers  *servers.Service
	Changes  *event.Feed

	client *llm.Client
}

// Open composes the program over a home. It reads settings.json and writes
// nothing; the store opens when the vault is unlocked.
func Open(_ context.Context, o Options) (*App, error) {
	if o.Now == nil || o.Log == nil || o.Home.Dir == "" {
		return nil, errors.New("app: Home, Now and Log are needed")
	}
	if o.WorkFactor == 0 {
		o.WorkFactor = crypto.WorkFactor
	}
	store := storage.Options{Dir: o.Home.Store(), LockFile: o.Home.StoreLock(), MustExist: true, Log: o.Log}
	db := storage.New(store)
	feed := db.Feed()
	client := llm.New()
	tools := servers.NewService(servers.Config{DB: db, Now: o.Now, NewID: ident.New, Environ: os.Environ, Version: Version})
	return &App{
		Home:     o.Home,
		Settings: settings.Open(o.Home.Settings(), feed),
		Vault: vault.NewService(vault.Config{
			Home: o.Home, DB: db, Store: store, Feed: feed, Log: o.Log, Now: o.Now, WorkFactor: o.WorkFactor,
			Quiesce: func(ctx context.Context) (func(), error) { return tools.Quiesce(ctx), nil },
		}),
		Roster:  roster.NewService(roster.Config{DB: db, Now: o.Now, NewID: ident.New}),
		Profile: profile.New(profile.Config{Backups: o.Home.Backups(), Now: o.Now, DB: db, NewID: ident.New}),
		Models: models.NewService(models.Config{
			DB: db, Now: o.Now, NewID: ident.New, Client: client, Catalogue: llm.Catalogue{},
		}),
		Servers: tools,
		Changes: feed,
		client:  client,
	}, nil
}

// Close locks the vault and ends the change feed and idle connections. Calls in
// flight are waited for, tool servers under way are ended.
func (a *App) Close(ctx context.Context) error {
	err := a.Vault.Lock(ctx)
	a.client.Close()
	a.Changes.Close()
	return err
}
