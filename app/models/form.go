package models

import "callboard/app/model"

// Form is how a request is put: the two things endpoints disagree on.
type Form struct {
	TokenField model.TokenField
	JSONMode   model.JSONMode
}

// course is the way from one form to the next while an endpoint refuses them.
type course struct {
	now      Form
	first    model.TokenField
	switched bool // the other token field was tried
	settled  bool // because the endpoint named the field
}

func begin(m model.Model) course {
	return course{now: Form{m.TokenField, m.JSONMode}, first: m.TokenField}
}

// step goes on to the next form after a refusal that blames b: the other token
// field once, then the next weaker JSON mode. Where the endpoint does not say
// what is wrong, the other token field is a guess: when it is refused too, the
// first is taken up again. It reports false at the end.
func (c *course) step(b model.Blame) bool {
	if b != model.BlameJSONMode && !c.switched {
		c.switched, c.settled = true, b == model.BlameTokenField
		c.now.TokenField = c.now.TokenField.Other()
		return true
	}
	if b != model.BlameJSONMode && !c.settled {
		c.now.TokenField = c.first
	}
	below := c.now.JSONMode.Below()
	if len(below) < 2 {
		return false
	}
	c.now.JSONMode = below[1]
	return true
}

// forms is every form a course from m can come to, its own first.
func forms(m model.Model) []Form {
	var out []Form
	for _, mode := range m.JSONMode.Below() {
		out = append(out, Form{m.TokenField, mode}, Form{m.TokenField.Other(), mode})
	}
	return out
}
