import { validateText } from '../../server/spec/validate.ts';
import { type Figure, measure, milliseconds } from './harness.ts';

/** A sequential workflow with its agents, of about `lines` lines. */
function documentOf(lines: number): string {
  const count = Math.max(1, Math.floor((lines - 8) / 10));
  const names = Array.from({ length: count }, (_, i) => `agent_${i}`);
  const agents = names.map(
    (name) => `    ${name}:
      name: ${name}
      system_prompt: |
        Read the request and answer in one paragraph.
        Name the source of every figure.
      description: Answers one part.
      model: offline-small`,
  );
  const steps = names.map(
    (name) => `    - id: step_${name}
      kind: agent
      ref: ${name}`,
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

/** From a keystroke to its diagnostics: what the editor's worker does with the whole text. */
export async function specBench(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [lines, budget] of [
    [200, 10],
    [2000, 50],
  ] as const) {
    const text = documentOf(lines);
    const edited = text.replace('Lead.', 'Lead!');
    const checked = validateText(text, 'yaml');
    if (!checked.valid) throw new Error(checked.diagnostics[0]?.message ?? 'invalid');
    let turn = 0;
    figures.push(
      await measure('spec', {
        name: `keystroke to diagnostics, ${text.split('\n').length} lines`,
        unit: 'ms',
        warmup: 10,
        repeats: 40,
        budget: { atMost: budget },
        sample: () => {
          turn += 1;
          return milliseconds(() => validateText(turn % 2 === 0 ? text : edited, 'yaml'));
        },
      }),
    );
  }
  return figures;
}
