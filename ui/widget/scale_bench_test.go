package widget_test

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
	"callboard/ui/uitest"
	"callboard/ui/widget"
)

// BenchmarkJumpInTenThousand goes to a far row of 10,000 and draws, in turn
// with the toolkit's own list of an icon and two labels; it reports the ratio.
// The aim is 2 at most.
func BenchmarkJumpInTenThousand(b *testing.B) {
	const rows = 10_000
	ours, bare := widget.NewList(), bareList(rows)
	ours.SetItems(manyItems(rows))
	a := uitest.Window(b, ours, fyne.NewSize(336, 700), theme.Light, 1)
	c := uitest.Window(b, bare, fyne.NewSize(336, 700), theme.Light, 1)
	a.Picture()
	c.Picture()
	var us, them time.Duration
	n := 0
	for b.Loop() {
		n++
		row := n * 7919 % rows
		start := time.Now()
		ours.ScrollTo(fmt.Sprint(row))
		us += time.Since(start)
		start = time.Now()
		bare.ScrollTo(row)
		them += time.Since(start)
	}
	b.ReportMetric(float64(us.Microseconds())/float64(n), "µs/jump")
	b.ReportMetric(float64(them.Microseconds())/float64(n), "µs/bare")
	b.ReportMetric(float64(us)/float64(them), "×bare")
}

func bareList(rows int) *fynewidget.List {
	return fynewidget.NewList(func() int { return rows },
		func() fyne.CanvasObject {
			return container.NewHBox(fynewidget.NewIcon(fynetheme.FileIcon()), fynewidget.NewLabel("agent"), fynewidget.NewLabel("state"))
		},
		func(i int, o fyne.CanvasObject) {
			row := o.(*fyne.Container)
			row.Objects[1].(*fynewidget.Label).SetText(fmt.Sprintf("agent %d", i))
			row.Objects[2].(*fynewidget.Label).SetText("ready")
		})
}
