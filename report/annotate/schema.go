package annotate

// What follows are the objects of SARIF 2.1.0 that are written, with the names of the standard.

// baseID names the working directory.
const baseID = "SRCROOT"

type document struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool struct {
		Driver driver `json:"driver"`
	} `json:"tool"`
	Invocations        []invocation        `json:"invocations"`
	OriginalURIBaseIDs map[string]artifact `json:"originalUriBaseIds,omitempty"`
	ColumnKind         string              `json:"columnKind"`
	Results            []result            `json:"results"`
}

type driver struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Rules   []rule `json:"rules"`
}

type rule struct {
	ID            string         `json:"id"`
	Name          string         `json:"name"`
	Short         message        `json:"shortDescription"`
	Full          message        `json:"fullDescription"`
	Help          message        `json:"help"`
	Configuration configuration  `json:"defaultConfiguration"`
	Properties    ruleProperties `json:"properties"`
}

type configuration struct {
	Level string `json:"level"`
}

type ruleProperties struct {
	Tags      []string `json:"tags"`
	Severity  string   `json:"problem.severity"`
	Precision string   `json:"precision"`
}

type invocation struct {
	Arguments           []string       `json:"arguments"`
	WorkingDirectory    *artifact      `json:"workingDirectory,omitempty"`
	ExecutionSuccessful bool           `json:"executionSuccessful"`
	ExitCode            int            `json:"exitCode"`
	Notifications       []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Message message `json:"message"`
	Level   string  `json:"level"`
}

type message struct {
	Text string `json:"text"`
}

type result struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Kind                string            `json:"kind"`
	Level               string            `json:"level"`
	Message             message           `json:"message"`
	Locations           []location        `json:"locations"`
	Related             []location        `json:"relatedLocations,omitempty"`
	Stacks              []stack           `json:"stacks,omitempty"`
	CodeFlows           []codeFlow        `json:"codeFlows,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Baseline            string            `json:"baselineState,omitempty"`
	Suppressions        []suppression     `json:"suppressions,omitempty"`
}

type suppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type location struct {
	ID       int       `json:"id,omitempty"`
	Physical *physical `json:"physicalLocation,omitempty"`
	Logical  []logical `json:"logicalLocations,omitempty"`
	Message  *message  `json:"message,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type logical struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type stack struct {
	Message message `json:"message"`
	Frames  []frame `json:"frames"`
}

type frame struct {
	Location location `json:"location"`
}

type codeFlow struct {
	Message     *message     `json:"message,omitempty"`
	ThreadFlows []threadFlow `json:"threadFlows"`
}

type threadFlow struct {
	ID        string         `json:"id"`
	Message   message        `json:"message"`
	Locations []flowLocation `json:"locations"`
}

type flowLocation struct {
	Location   location           `json:"location"`
	Order      int                `json:"executionOrder,omitempty"`
	Importance string             `json:"importance"`
	Kinds      []string           `json:"kinds,omitempty"`
	State      map[string]message `json:"state,omitempty"`
}
