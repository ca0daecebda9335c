/** What a new draft starts with. */
export const BLANK_SPEC = `version: v1

agent:
  name: my-agent
  system_prompt: Say what this agent does.
`;
