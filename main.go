// Command callboard edits the AI agents a person works with.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"callboard/app"
	"callboard/app/cli"
	"callboard/ui"
)

func main() { os.Exit(run()) }

func run() int {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if err := app.Harden(); err != nil {
		log.Warn("memory may reach core dumps", slog.Any("err", err))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	workDir, _ := os.Getwd()     // only a suggestion for the first import
	open := func(ctx context.Context, h app.Home) (*app.App, error) {
		return app.Open(ctx, app.Options{Home: h, Now: time.Now, Log: log})
	}
	return cli.Run(ctx, cli.Program{
		Version: app.Version, Args: os.Args[1:], Getenv: os.Getenv, Now: time.Now,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Open: func(ctx context.Context, h app.Home) (cli.Services, error) {
			a, err := open(ctx, h)
			if err != nil {
				return cli.Services{}, err
			}
			return cli.Services{Vault: a.Vault, Roster: a.Roster, Close: a.Close}, nil
		},
		Window: func(ctx context.Context, h app.Home, pass cli.Passphrase) error {
			a, err := open(ctx, h)
			if err != nil {
				return err
			}
			fyneapp.SetMetadata(fyne.AppMetadata{Name: ui.AppName, Version: app.Version}) // an id would have Fyne keep preferences
			return ui.Run(ctx, func() fyne.App { return fyneapp.NewWithID("") }, ui.Services{
				Vault: a.Vault, Roster: a.Roster, Profile: a.Profile, Models: a.Models, Servers: a.Servers,
				Settings: a.Settings, Changes: a.Changes, Home: h, WorkDir: workDir, Close: a.Close,
			}, pass)
		},
	})
}
