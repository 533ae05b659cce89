package editor

import (
	"callboard/app/agent"
	"callboard/app/roster"
)

// Kept is the draft as the roster keeps it until it is saved or discarded.
func (d *Draft) Kept() roster.Draft {
	k := roster.Draft{Base: d.Base.Agent.Clone(), Revision: d.Base.Revision, Agent: d.Agent.Clone()}
	for f, u := range d.unread {
		if k.Typed == nil {
			k.Typed = map[agent.Field]string{}
		}
		k.Typed[f] = u.text
	}
	return k
}

// Resume is a draft that was kept, over what is stored now. If that was saved
// elsewhere since, the draft still begins where it did, so that saving it asks.
func Resume(stored roster.Entry, k roster.Draft) *Draft {
	source := stored.Agent.Clone().Source
	if k.Revision != stored.Revision {
		stored.Agent, stored.Revision = k.Base, k.Revision
		stored.Agent.Source = source
	}
	d := NewDraft(stored)
	d.Agent = k.Agent.Clone()
	d.Agent.Source = source
	for f, text := range k.Typed {
		switch f { //nolint:exhaustive // only these can hold a text that cannot be taken
		case agent.Tools:
			d.SetTools(text)
		case agent.Denied:
			d.SetDenied(text)
		case agent.Bound:
			d.SetBound(text)
		}
	}
	d.trail.last = d.state()
	return d
}
