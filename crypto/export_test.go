package crypto

// Equal reports whether both hold the same key.
func (k DataKey) Equal(other DataKey) bool {
	return k.k != nil && other.k != nil && *k.k == *other.k
}
