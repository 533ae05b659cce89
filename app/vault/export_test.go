package vault

import (
	"testing"
	"time"

	"callboard/crypto"
)

// OnStep has f told before each step that a crash can follow.
func (s *Service) OnStep(f func(name string)) { s.step = f }

// KeyringWait shortens how long the keyring may take.
func (s *Service) KeyringWait(d time.Duration) { s.ring.wait = d }

// Hold makes a vault open over no store at all.
func (s *Service) Hold(t *testing.T) {
	t.Helper()
	key, err := crypto.NewDataKey()
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := crypto.NewSealer(key)
	if err != nil {
		t.Fatal(err)
	}
	s.hold(keys{sealer: sealer, by: File})
}
