import { describe, expect, test } from 'vitest';
import type { ImportResult } from '../../server/contract/studio/imports.ts';
import { freshStudios, P, studio } from '../support/studio-world.ts';

freshStudios();

const node = (name: string, type: string, parameters: object = {}) => ({
  ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [0, 0] },
  parameters,
});

interface Flow {
  readonly id: string;
  readonly name: string;
  /** Ids or names of the workflows that it calls. */
  readonly calls?: readonly string[];
}

function exportOf({ id, name, calls = [] }: Flow): string {
  const steps = calls.map((workflowId) =>
    node(`Call ${workflowId}`, 'executeWorkflow', { workflowId }),
  );
  const nodes = [node('Start', 'manualTrigger'), ...steps, node(`Done ${id}`, 'noOp')];
  const connections = Object.fromEntries(
    nodes
      .slice(1)
      .map(({ name: to }, at) => [
        nodes[at]?.name ?? '',
        { main: [[{ node: to, type: 'main', index: 0 }]] },
      ]),
  );
  return JSON.stringify({ id, name, nodes, connections });
}

async function imported(flow: Flow, related: readonly Flow[] = []): Promise<ImportResult> {
  const { status, body, text } = await studio.call('POST', `${P}/import/n8n`, {
    ...{ raw: exportOf(flow), alias: 'default', source_name: flow.name },
    related: related.map((one) => ({ source_name: `${one.name}.json`, raw: exportOf(one) })),
  });
  expect(status, text).toBe(201);
  return body;
}

function callGap({ gaps }: ImportResult) {
  const told = gaps.filter(({ source_ref }) => source_ref.source_label.startsWith('Call '));
  expect(told).toHaveLength(1);
  return told[0];
}

const LOOK_UP: Flow = { id: 'w-7', name: 'Look up' };

describe('a call of a workflow that was imported before', () => {
  test.each([['w-7'], ['Look up']])('is the draft with that id or name: %s', async (word) => {
    const callee = await imported(LOOK_UP);
    const ref = callee.draft.path;
    const saved = await studio.call('PUT', `${P}/drafts/${ref}`, {
      text: callee.spec_yaml.replaceAll('Done w-7', 'Done by hand'),
      expected_revision: callee.draft.revision,
    });
    expect(saved.status, saved.text).toBe(200);
    const caller = await imported({ id: 'w-1', name: 'Desk', calls: [word] });
    expect(callGap(caller)).toMatchObject({ kind: 'carried_as', severity: 'manual' });
    expect(callGap(caller)?.detail).toContain(`which is the draft "${ref}"`);
    expect(caller.spec_yaml).toContain('Done by hand');
    const at = `${P}/analyses/${caller.analysis_ids[0]}/ledger`;
    const ledger = (await studio.call('GET', at)).body;
    expect(ledger).toMatchObject({ state: 'kept', counts: { lost: { entries: 0 } } });
  });

  test('stays open where none or several may be meant', async () => {
    const alone = await imported({ id: 'w-1', name: 'Desk', calls: ['w-7'] });
    expect(callGap(alone)).toMatchObject({ kind: 'subworkflow', severity: 'blocking' });
    await imported(LOOK_UP);
    await imported({ ...LOOK_UP, name: 'Look up again' });
    const caller = await imported({ id: 'w-2', name: 'Shop', calls: ['w-7'] });
    expect(callGap(caller)).toMatchObject({ kind: 'subworkflow', severity: 'blocking' });
    expect(callGap(caller)?.detail).toContain('Several workflows may be meant');
  });

  test('is a file of the same import before it is an earlier draft', async () => {
    await imported(LOOK_UP);
    const caller = await imported({ id: 'w-1', name: 'Desk', calls: ['w-7'] }, [LOOK_UP]);
    expect(callGap(caller)?.detail).toContain('imported with it from "Look up.json"');
  });

  test('stays open where it leads back to the workflow that calls', async () => {
    await imported({ ...LOOK_UP, calls: ['w-1'] });
    const caller = await imported({ id: 'w-1', name: 'Desk', calls: ['w-7'] });
    expect(callGap(caller)).toMatchObject({ kind: 'subworkflow', severity: 'blocking' });
    const itself = await imported({ id: 'w-3', name: 'Itself', calls: ['w-3'] });
    const again = await imported({ id: 'w-3', name: 'Itself', calls: ['w-3'] });
    expect([callGap(itself)?.kind, callGap(again)?.kind]).toEqual(['subworkflow', 'subworkflow']);
  });
});
