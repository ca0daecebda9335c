/** What a new draft starts with. */
export const BLANK_SPEC =
  'version: v1\n\nagent:\n  name: my-agent\n  system_prompt: Say what this agent does.\n';
