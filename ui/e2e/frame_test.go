//go:build xvfb

package e2e

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// BenchmarkFirstFrame starts the program and a bare Fyne window in turn and
// takes the time from the start of the process to the first frame on the
// screen. It reports the ratio; the aim is 2.0 at most. CALLBOARD_BARE names
// the bare program, built as CALLBOARD_BIN is.
func BenchmarkFirstFrame(b *testing.B) {
	ours, bare := os.Getenv("CALLBOARD_BIN"), os.Getenv("CALLBOARD_BARE")
	if ours == "" || bare == "" {
		b.Fatal("CALLBOARD_BIN and CALLBOARD_BARE must name the programs")
	}
	s := newScreen(b)
	programs := []string{ours, bare}
	for _, program := range programs {
		s.firstFrame(program) // the first start reads its file from the disk
	}
	var sum [2]time.Duration
	n := 0
	for b.Loop() {
		n++
		for i, program := range programs {
			sum[i] += s.firstFrame(program)
		}
	}
	b.ReportMetric(float64(sum[0].Milliseconds())/float64(n), "ms/program")
	b.ReportMetric(float64(sum[1].Milliseconds())/float64(n), "ms/bare")
	b.ReportMetric(float64(sum[0])/float64(sum[1]), "×bare")
}

// screen is an Xvfb whose pixels lie in a file mapped into memory.
type screen struct {
	b      *testing.B
	person *person
	pixels []byte
}

func newScreen(b *testing.B) *screen {
	b.Helper()
	dir := b.TempDir()
	p := &person{t: b, dir: dir, stderr: &bytes.Buffer{}}
	for _, d := range []string{"run", "tmp", "fb"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	p.display = ":" + p.screen("-fbdir", filepath.Join(dir, "fb"))
	f, err := os.Open(filepath.Join(dir, "fb", "Xvfb_screen0"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	all, err := syscall.Mmap(int(f.Fd()), 0, int(fi.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = syscall.Munmap(all) })
	// An XWD file: the header's size is its first word, the colours follow.
	header, colours := binary.BigEndian.Uint32(all), binary.BigEndian.Uint32(all[76:])
	return &screen{b, p, all[header+12*colours:]}
}

// firstFrame starts the program on a home of its own and returns how long it
// took until the middle of the screen was painted, then ends it.
func (s *screen) firstFrame(program string) time.Duration {
	s.b.Helper()
	s.wait("an empty screen", false)
	cmd := exec.Command("dbus-run-session", "--", program)
	cmd.Env, cmd.Dir = append(s.person.env(), "CALLBOARD_HOME="+s.b.TempDir()), s.person.dir
	apart(cmd)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		s.b.Fatal(err)
	}
	defer stop(cmd)
	s.wait("the first frame", true)
	return time.Since(start)
}

// wait polls a row of pixels left of the middle, where both windows show their
// background and an empty screen is black.
func (s *screen) wait(what string, painted bool) {
	s.b.Helper()
	const width, height, bytesAPixel = 1280, 800, 4
	at := (height/2*width + 100) * bytesAPixel
	row := s.pixels[at : at+64*bytesAPixel]
	for range 30_000 {
		if painted == (bytes.Count(row, []byte{0}) < len(row)/2) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	s.b.Fatal("waited in vain for " + what)
}
