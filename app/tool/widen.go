package tool

// Widened lists what an edit of one agent's access grants beyond what it did,
// as Effective writes it. Where only tokens went, denials came and nothing else
// moved, that is nothing.
func Widened(before, after Access) []string {
	narrowed := before.Dialect == after.Dialect && before.Bound == after.Bound &&
		before.Tools.Stated == after.Tools.Stated &&
		len(diff(after.Tools.Tokens, before.Tools.Tokens)) == 0 && len(diff(before.Denied, after.Denied)) == 0
	if before.Equal(after) || narrowed && Resolve(before).Certain {
		return nil
	}
	return Exceeds(Resolve(after), Resolve(before))
}
