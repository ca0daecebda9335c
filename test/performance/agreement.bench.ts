// Every recorded workflow through the function of `rehearse`: how many run here as they ran there.

import type { Rehearsal } from '../../server/cli/rehearse/rehearsal-report.ts';
import { createRehearsals, type Rehearsals } from '../../server/cli/rehearse/run-rehearsal.ts';
import type { AnalyzeOutcome } from '../../server/importers/analysis.ts';
import { analyze } from '../../server/importers/analyze.ts';
import { type LinkFile, linkWorkflows } from '../../server/importers/link/link-workflows.ts';
import type { Outputs } from '../../server/items/item.ts';
import type { JsonObject } from '../../server/kernel/json.ts';
import {
  type FlowDifference,
  flowDiffers,
  flowsOf,
  type OurFlow,
  type RecordedFlow,
} from '../support/n8n-flow.ts';
import { startPeer } from '../support/n8n-peer.ts';
import { recordedCases } from '../support/n8n-runs.ts';
import { type Figure, toFigure } from './harness.ts';

/** Of a hundred recorded workflows, so many agree or have a gap that names the node that differs. */
const AT_LEAST = 99;

type Verdict = 'agrees' | 'named' | 'differs';

function asFlow({ status, runs, error }: Rehearsal): OurFlow {
  return {
    status,
    runs: runs.map(({ node, run, outputs }, at) => {
      const failed = error?.node === node && at === runs.length - 1;
      const gave = outputs.main.length > 0 || !failed;
      return { node, run, outputs: gave ? (outputs.main as Outputs) : null, failed };
    }),
  };
}

/** What gaps about the workflow as a whole are about. */
const WHOLE: ReadonlySet<string> = new Set(['the workflow', 'settings']);

/** Whether a gap of weight names the node that differs, or what holds for all of them. */
function isNamed({ gaps }: Rehearsal, { node }: FlowDifference): boolean {
  return gaps.some(
    ({ severity, source_label: label }) =>
      severity !== 'info' && (label === node || WHOLE.has(label)),
  );
}

/** The import of a recorded workflow, together with those that it calls. */
function analysisOf({ workflow, children = [] }: RecordedFlow['of']): AnalyzeOutcome {
  const convert = (one: object): AnalyzeOutcome => {
    const raw = JSON.stringify(one).replaceAll(/\{\{child:(\d+)\}\}/g, 'child-$1');
    return analyze({ source: 'n8n', raw, conversion: 'extended', ledger: false });
  };
  const analysis = convert(workflow);
  if (!analysis.ok || children.length === 0) return analysis;
  const others = children.flatMap((child, at): LinkFile[] => {
    const called = convert({ ...child, id: `child-${at}` });
    return called.ok ? [{ file: `child ${at}`, analysis: called }] : [];
  });
  return linkWorkflows([{ file: '', analysis }, ...others])[0]?.analysis ?? analysis;
}

async function verdictOf(
  flow: RecordedFlow,
  rehearse: Rehearsals['rehearse'],
): Promise<{ verdict: Verdict; why: string }> {
  const [begun] = flow.runs;
  const { workflow } = flow.of;
  const analysis = analysisOf(flow.of);
  if (!analysis.ok) return { verdict: 'differs', why: analysis.message };
  const rehearsal = await rehearse({
    analysis,
    pinned: (workflow.pinData ?? {}) as JsonObject,
    trigger: begun?.node ?? flow.of.trigger,
    items:
      begun === undefined && Array.isArray(flow.of.input)
        ? flow.of.input
        : begun?.outputs?.main?.flatMap((items) => items ?? []),
  });
  const found = flowDiffers(flow, asFlow(rehearsal));
  if (found === undefined) return { verdict: 'agrees', why: '' };
  return { verdict: isNamed(rehearsal, found) ? 'named' : 'differs', why: found.why };
}

/** Runs of which the record says how they began, and those that the source refused to begin. */
function isRun({ of, runs, status }: RecordedFlow): boolean {
  const [begun] = runs;
  return begun === undefined
    ? status === 'error' && of.mode === 'manual'
    : begun.status === 'success';
}

const share = (some: number, all: number) => (all === 0 ? 100 : (100 * some) / all);

/** Shares by node type, and in all with what gaps name. */
export async function agreementBench(): Promise<readonly Figure[]> {
  const peer = await startPeer();
  const rehearsals = createRehearsals();
  const verdicts: { flow: RecordedFlow; verdict: Verdict }[] = [];
  try {
    const flows = recordedCases(peer.host).flatMap(flowsOf);
    for (const flow of flows.filter(isRun)) {
      const { verdict, why } = await verdictOf(flow, rehearsals.rehearse);
      verdicts.push({ flow, verdict });
      if (verdict !== 'agrees')
        process.stderr.write(`${flow.id} ${verdict}: ${why.slice(0, 300)}\n`);
    }
  } finally {
    await rehearsals.close();
    peer.close();
  }
  const types = Map.groupBy(
    verdicts.flatMap(({ flow, verdict }) =>
      [...new Set(flow.of.workflow.nodes.map(({ type }) => type))].map((type) => ({
        type,
        verdict,
      })),
    ),
    ({ type }) => type,
  );
  const agreeing = (list: readonly { verdict: Verdict }[]) =>
    list.filter(({ verdict }) => verdict === 'agrees').length;
  const figure = (name: string, value: number, budget?: Figure['budget']) =>
    toFigure('agreement', { name, unit: '%', ...(budget ? { budget } : {}) }, [value]);
  const named = verdicts.filter(({ verdict }) => verdict !== 'differs').length;
  return [
    ...[...types]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([type, list]) =>
        figure(`${type} (of ${list.length})`, share(agreeing(list), list.length)),
      ),
    figure(`all (of ${verdicts.length})`, share(agreeing(verdicts), verdicts.length)),
    figure('all, or named by a gap', share(named, verdicts.length), { atLeast: AT_LEAST }),
  ];
}
