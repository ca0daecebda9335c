import { describe, expect, it, vi } from 'vitest';
import { loadSpec } from '../../spec/load/load-spec.ts';
import { validateSpec, validateText } from '../../spec/rules/validate.ts';
import { analyze } from '../analyze.ts';
import { type LinkFile, linkWorkflows } from './link-workflows.ts';

vi.mock(
  '../../items/n8n-types.ts',
  async () => (await import('../testing/step-types.ts')).NO_STEP_TYPES,
);

const AGENT = '@n8n/n8n-nodes-langchain.agent';
const CALL = 'n8n-nodes-base.executeWorkflow';

type Step = readonly [name: string, type: string, parameters?: object];

function file(id: string, steps: readonly Step[], tools: readonly Step[] = []): LinkFile {
  const all: readonly Step[] = [['Start', 'n8n-nodes-base.manualTrigger'], ...steps];
  const nodes = [...all, ...tools].map(([name, type, parameters], i) => ({
    id: `${id}-${i}`,
    name,
    type,
    typeVersion: type === CALL ? 1.1 : 2,
    parameters: parameters ?? {},
  }));
  const connections: Record<string, object> = {};
  for (const [i, [name]] of all.entries()) {
    const next = all[i + 1];
    if (next !== undefined) connections[name] = { main: [[{ node: next[0] }]] };
  }
  for (const [name] of tools) {
    connections[name] = { ai_tool: [[{ node: all[1]?.[0] }]] };
  }
  const raw = JSON.stringify({ id, name: `Workflow ${id}`, nodes, connections });
  const analysis = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!analysis.ok) throw new Error(analysis.message);
  return { file: `${id}.json`, analysis };
}

function calling(id: string): object {
  return { workflowId: { __rl: true, mode: 'list', value: id, cachedResultName: 'old name' } };
}

const WRITER: Step = ['Writer', AGENT, { options: { systemMessage: 'Write.' } }];

function errorsOf(linked: LinkFile): unknown[] {
  const loaded = loadSpec({ base: linked.analysis.spec });
  const findings = loaded.spec === undefined ? loaded.diagnostics : validateSpec(loaded.spec);
  const read = validateText(linked.analysis.spec_yaml, 'yaml').diagnostics;
  return [...findings, ...read].filter((finding) => finding.severity === 'error');
}

function gapKinds(linked: LinkFile | undefined, label: string): string[] {
  const gaps = linked?.analysis.gaps ?? [];
  return gaps
    .filter((gap) => gap.source_ref.source_label === label)
    .map((gap) => `${gap.severity} ${gap.kind}`);
}

describe('workflows imported together (importers 14, executeWorkflow)', () => {
  it('come into the draft of their caller with everything they need', () => {
    const caller = file('a', [WRITER, ['Check', CALL, calling('b')]]);
    const called = file('b', [['Writer', AGENT, { options: { systemMessage: 'Other.' } }]]);
    const [linked, same] = linkWorkflows([caller, called]);
    expect(same?.analysis).toEqual(called.analysis);
    expect(linked?.analysis.spec).toMatchObject({
      components: {
        agents: {
          writer: { system_prompt: 'Write.' },
          check_writer: { system_prompt: 'Other.' },
        },
        workflows: {
          check: { type: 'sequential', steps: [{ kind: 'agent', ref: 'check_writer' }] },
        },
      },
    });
    expect(linked === undefined ? [] : errorsOf(linked)).toEqual([]);
    expect(gapKinds(linked, 'Check')).toEqual(['manual carried_as']);
    expect(linked?.analysis.gaps).toHaveLength(caller.analysis.gaps.length);
    expect(linked?.analysis.output_sha256).not.toBe(caller.analysis.output_sha256);
  });

  it('stay blocking while the called draft is', () => {
    const caller = file('a', [['Check', CALL, calling('b')]]);
    const called = file('b', [['Post', 'n8n-nodes-base.slack']]);
    const [linked] = linkWorkflows([caller, called]);
    expect(gapKinds(linked, 'Check')).toEqual(['blocking subworkflow']);
    expect(linked?.analysis.spec).toMatchObject({
      components: { functions: { check_post: {} }, workflows: { check: { steps: [{}] } } },
    });
  });

  it('are found through several levels, and behind a tool', () => {
    const tool: Step = ['Lookup', '@n8n/n8n-nodes-langchain.toolWorkflow', calling('b')];
    const files = [
      file('a', [WRITER], [tool]),
      file('b', [WRITER, ['Deeper', CALL, calling('c')]]),
      file('c', [WRITER]),
    ];
    const [linked] = linkWorkflows(files);
    expect(linked === undefined ? ['none'] : errorsOf(linked)).toEqual([]);
    expect(linked?.analysis.spec).toMatchObject({
      components: {
        workflows: { lookup: { steps: [{}, { kind: 'workflow', ref: 'lookup_deeper' }] } },
        agents: { lookup_deeper_writer: {} },
      },
    });
  });

  it('that lead back, wait for a person, or are ambiguous stay open and say why', () => {
    const [a] = linkWorkflows([
      file('a', [['Check', CALL, calling('b')]]),
      file('b', [['Back', CALL, calling('a')]]),
    ]);
    expect(gapKinds(a, 'Check')).toEqual(['blocking subworkflow']);
    const person: Step = ['Ask', 'n8n-nodes-base.slack', { operation: 'sendAndWait' }];
    const [b] = linkWorkflows([file('a', [['Check', CALL, calling('b')]]), file('b', [person])]);
    const gap = b?.analysis.gaps.find((item) => item.kind === 'subworkflow');
    expect(gap?.detail).toContain('waits for a person');
    const [c] = linkWorkflows([
      file('a', [['Check', CALL, calling('b')]]),
      file('b', [WRITER]),
      { ...file('b', [WRITER]), file: 'copy.json' },
    ]);
    expect(c?.analysis.gaps.find((item) => item.kind === 'subworkflow')?.detail).toContain(
      'b.json, copy.json',
    );
  });

  it('leave files alone that call nothing', () => {
    const files = [file('a', [WRITER]), file('b', [WRITER])];
    expect(linkWorkflows(files)).toEqual(files);
  });
});
