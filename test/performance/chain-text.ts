/** A sequential workflow as text: an agent of eight or nine lines and a step of three for each name. */
export function chainText(count: number, { comments }: { readonly comments: boolean }): string {
  const names = Array.from({ length: count }, (_, i) => `agent_${i}`);
  const agents = names.map(
    (name) => `${comments ? '    # answers one part\n' : ''}    ${name}:
      name: ${name}
      system_prompt: |
        Read the request and answer in one paragraph.
        Name the source of every figure.
      description: Answers one part.
      model: offline-small`,
  );
  const steps = names.map(
    (name) => `    - id: step_${name}\n      kind: agent\n      ref: ${name}`,
  );
  return `version: v1
agent:
  name: root
  system_prompt: Lead.
components:
  agents:
${agents.join('\n')}
workflow:
  type: sequential
  name: chain
  steps:
${steps.join('\n')}
`;
}
