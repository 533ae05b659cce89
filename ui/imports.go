package ui

import (
	"context"
	"fmt"

	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/words"
)

// importAgents goes to the importer and looks where the tools keep agents.
func (w *Window) importAgents() { w.importFrom("") }

// importFrom goes to the importer and looks into a folder or file.
func (w *Window) importFrom(path string) {
	w.goTo(w.importer.Object())
	w.importer.Start(path)
}

// imported comes back from the importer.
func (w *Window) imported(got roster.Imported) {
	w.goTo(w.roster.Object())
	if text := importedWords(got); text != "" {
		w.roster.Reload(func() { w.showFacts(); w.roster.FocusList() })
		w.say(text, func() { w.undoImport(got) })
	}
}

func importedWords(got roster.Imported) string {
	switch {
	case len(got.IDs) == 0 && len(got.Updated) == 0:
		return ""
	case len(got.Updated) == 0:
		return words.Count(len(got.IDs), "agent") + " imported. The files stay as they are."
	case len(got.IDs) == 0:
		return words.Count(len(got.Updated), "agent") + " updated from the files."
	}
	return fmt.Sprintf("%s imported, %d updated. The files stay as they are.", words.Count(len(got.IDs), "agent"), len(got.Updated))
}

// undoImport takes a whole import back.
func (w *Window) undoImport(got roster.Imported) {
	loop.Go(w.loop, w.ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.svc.Roster.Undo(ctx, got.Change)
	}, func(_ struct{}, err error) {
		if err != nil {
			w.say(fault.Sentence(err), nil)
			return
		}
		w.roster.Reload(w.showFacts)
		w.say("The import is taken back.", nil)
	})
}
