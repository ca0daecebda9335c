/** A draft with a step of each sort, as an import leaves it, for tests. */
export const DESK_DRAFT = `# kept
version: v1
agent:
  name: desk
workflow:
  type: graph
  start: fetch
  nodes:
    fetch: # the first
      id: fetch
      kind: function
      ref: fetch
    decide: {id: decide, kind: function, ref: decide}
    answer:
      id: answer
      kind: agent
      ref: answer
  edges:
  - from: fetch
    to: decide
  - from: decide
    to: answer
    condition:
      type: always
    label: "yes"
components:
  agents:
    answer:
      name: answer
      system_prompt: Answer.
  functions:
    fetch:
      implementation: imported.fetch
    decide:
      implementation: imported.decide
    spare:
      implementation: imported.spare
tools:
  look_up:
    description: Look it up
    implementation: imported.look_up
`;
