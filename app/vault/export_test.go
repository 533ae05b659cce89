package vault

import "time"

// OnStep has f told before each step that a crash can follow.
func (s *Service) OnStep(f func(name string)) { s.step = f }

// KeyringWait shortens how long the keyring may take.
func (s *Service) KeyringWait(d time.Duration) { s.ring.wait = d }
