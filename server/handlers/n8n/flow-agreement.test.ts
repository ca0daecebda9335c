import { afterAll, describe, expect, it } from 'vitest';
import {
  flowDiffers,
  flowsOf,
  NoHandler,
  type RecordedFlow,
  runFlow,
} from '../../../test/support/n8n-flow.ts';
import { startPeer } from '../../../test/support/n8n-peer.ts';
import { n8nPorts } from '../../../test/support/n8n-ports.ts';
import { CALLING, type RecordedCase, recordedCases } from '../../../test/support/n8n-runs.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';
import { requestsOfCode } from './http/code-request.ts';

/** Recorded workflows whose run here differs, and why. It must shrink. */
const DIFFERS: Readonly<Record<string, string>> = {
  'compare-03-mix': 'a later step of the source changed the items of this one in place',
  'dedup-06-previous': 'items of earlier runs are not known here',
  'wait-03-webhook-resume#0': 'nothing here can be called from outside while a run waits',
};

const evaluator = createEvaluator();
const peer = await startPeer();
afterAll(async () => {
  await evaluator.close();
  peer.close();
});

const isCalling = ({ workflow }: RecordedCase) =>
  workflow.nodes.some(({ type }) => type === CALLING);
const flows = recordedCases(peer.host)
  .filter((one) => !isCalling(one))
  .flatMap(flowsOf);
/** Refused before anything ran, or an answer to a caller that no step gave. */
const begun = flows.filter(({ runs }) => runs.length > 1 || runs[0]?.status === 'success');
const byKind = Map.groupBy(begun, ({ id }) => id.split('-')[0] ?? '');
const agreed = new Map<string, [ours: number, all: number]>();
const missing = new Map<string, number>();

function count({ of }: RecordedFlow, agrees: boolean): void {
  for (const type of new Set(of.workflow.nodes.map((node) => node.type))) {
    const [ours, all] = agreed.get(type) ?? [0, 0];
    agreed.set(type, [ours + (agrees ? 1 : 0), all + 1]);
  }
}

async function difference(flow: RecordedFlow): Promise<string | undefined> {
  try {
    const services = { http_request: requestsOfCode(n8nPorts().http) };
    return flowDiffers(flow, await runFlow(flow, { evaluator, services, ...n8nPorts() }))?.why;
  } catch (error) {
    if (!(error instanceof NoHandler)) throw error;
    missing.set(error.message, (missing.get(error.message) ?? 0) + 1);
    return 'no handler';
  }
}

describe('a whole workflow runs as it ran in the real engine', () => {
  afterAll(() => {
    const shares = [...agreed].map(([type, [ours, all]]) => `${type} ${ours}/${all}`).sort();
    console.log(`whole workflows that agree, by node type: ${shares.join(', ')}`);
    const types = [...missing].map(([type, of]) => `${type} ${of}`).sort();
    console.log(`ended at a type without handler: ${types.join(', ')}`);
  });

  it.each([...byKind])('%s', async (kind, list) => {
    const differing: Record<string, string> = {};
    for (const flow of list) {
      const told = await difference(flow);
      count(flow, told === undefined);
      if (told !== undefined && told !== 'no handler') differing[flow.id] = told;
    }
    const unlisted = Object.entries(differing).filter(([id]) => !(id in DIFFERS));
    expect(unlisted).toEqual([]);
    const listed = Object.keys(DIFFERS).filter((id) => id.startsWith(`${kind}-`));
    expect(listed.filter((id) => !(id in differing))).toEqual([]);
  });
});
