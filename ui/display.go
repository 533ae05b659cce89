package ui

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"callboard/app/fault"
)

// ErrNoDisplay says that there is no screen to draw on.
var ErrNoDisplay = fault.New(fault.Unavailable, "no_display", "there is no display to open a window on").
	Then("Start it from a desktop session, or set DISPLAY or WAYLAND_DISPLAY. callboard --help lists what works without one.")

// display checks that the screen the environment names answers, because the
// toolkit ends in a stack trace when it does not. Screens on other hosts are
// not tried, only believed.
func display(ctx context.Context, getenv func(string) string) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	x, way := getenv("DISPLAY"), getenv("WAYLAND_DISPLAY")
	if x == "" && way == "" {
		return ErrNoDisplay
	}
	if way != "" && answers(ctx, waylandSocket(way, getenv("XDG_RUNTIME_DIR"))) {
		return nil
	}
	host, screen, ok := strings.Cut(x, ":")
	if !ok {
		return fmt.Errorf("%w: nothing answers", ErrNoDisplay)
	}
	if host != "" && host != "unix" {
		return nil
	}
	number, _, _ := strings.Cut(screen, ".")
	socket := "/tmp/.X11-unix/X" + number
	if answers(ctx, socket) || answers(ctx, "@"+socket) {
		return nil
	}
	return fmt.Errorf("%w: nothing answers at display %q", ErrNoDisplay, x)
}

func waylandSocket(name, runtimeDir string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(runtimeDir, name)
}

func answers(ctx context.Context, socket string) bool {
	d := net.Dialer{Timeout: 2 * time.Second}
	c, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return false
	}
	return c.Close() == nil
}
