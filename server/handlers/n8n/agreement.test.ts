import { afterAll, describe, expect, it } from 'vitest';
import { startPeer } from '../../../test/support/n8n-peer.ts';
import { n8nPorts } from '../../../test/support/n8n-ports.ts';
import { difference, recordedCases, replay, stepsOf } from '../../../test/support/n8n-runs.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';
import { requestsOfCode } from './http/code-request.ts';

/** Runs of a step that differ from the source's: case, step and run → why. It must shrink. */
const DIFFERS: Readonly<Record<string, string>> = {
  'compare-03-mix/A/0': 'a later step of the source changed the items of this one in place',
  'dedup-06-previous/Dedup/0': 'items of earlier runs are not known here',
  'loop-01-basic/Body/0': 'the context of a loop is made by the handler of the loop, not recorded',
  'loop-01-basic/Body/1': 'the context of a loop is made by the handler of the loop, not recorded',
  'loop-01-basic/Body/2': 'the context of a loop is made by the handler of the loop, not recorded',
  'loop-08-v1-if/If/1': 'the context of a loop is made by the handler of the loop, not recorded',
  'misc-10-execution-data/Code/0': 'what another step noted with the execution is not recorded',
  'misc-13-compression/Unzip/0': 'the bytes of the zip file are not recorded',
};
const evaluator = createEvaluator();
const peer = await startPeer();
afterAll(async () => {
  await evaluator.close();
  peer.close();
});

const byKind = Map.groupBy(
  recordedCases(peer.host).filter((one) => stepsOf(one).length > 0),
  ({ id }) => id.split('-')[0] ?? '',
);
const shares: string[] = [];

describe('Built-in steps give what the real engine gave', () => {
  afterAll(() => console.log(`agreed with the recorded runs: ${shares.join(', ')}`));

  it.each([...byKind])('%s', async (kind, cases) => {
    const differing: Record<string, string> = {};
    const steps = cases.flatMap(stepsOf);
    for (const step of steps) {
      const ours = await replay(step, {
        evaluator,
        services: { http_request: requestsOfCode(n8nPorts().http) },
        ...n8nPorts(),
      });
      const told = difference(step, ours);
      if (told !== undefined) differing[`${step.of.id}/${step.node.name}/${step.run.run}`] = told;
    }
    shares.push(`${kind} ${steps.length - Object.keys(differing).length}/${steps.length}`);
    const unlisted = Object.entries(differing).filter(([key]) => !(key in DIFFERS));
    expect(unlisted).toEqual([]);
    const listed = Object.keys(DIFFERS).filter((key) => key.startsWith(`${kind}-`));
    expect(listed.filter((key) => !(key in differing))).toEqual([]);
  });
});
