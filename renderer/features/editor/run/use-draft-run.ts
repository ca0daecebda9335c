import { useRef, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { findingsIn, type ShownFinding } from '../../../../server/contract/platform/findings.ts';
import { DraftStages, startDraftRun } from '../../../../server/contract/studio/draft-runs.ts';
import { call } from '../../../data/api-client.ts';
import { detailsOf } from '../../../data/api-error.ts';
import { type RunsElsewhere, runElsewhere } from '../../../data/remote-runs.ts';
import { readTrust } from '../../../data/trust.ts';
import type { FlowTrigger } from '../../../run-input/flow-input.ts';
import { inputSent, useRunInput } from '../../../run-input/use-run-input.ts';
import { useStore } from '../../../ui/store.ts';
import type { Problem } from '../../../workbench/editor-status.ts';
import { trackWork } from '../../../workbench/work-store.ts';
import type { DraftBuffer } from '../draft-buffer.ts';
import { locateFindings, type PlacedFinding } from '../locate-findings.ts';
import { noteRun, type RunCase } from './case-store.ts';
import { type DraftRunState, draftRunsStore, setDraftRun } from './draft-run-store.ts';
import { untrustedFindings } from './untrusted-findings.ts';
import type { RehearsalSession } from './use-rehearsal.ts';

export interface DraftRunSession {
  /** Null while the panel is closed. */
  readonly state: DraftRunState | null;
  readonly input: string;
  readonly setInput: (input: string) => void;
  /** What answers for steps that cannot run. */
  readonly rehearsal: RehearsalSession;
  /** The triggers that a run may begin with; null for a draft that is no item flow. */
  readonly flow: readonly FlowTrigger[] | null;
  /** Key of the chosen one; empty where there is no choice. */
  readonly trigger: string;
  readonly setTrigger: (trigger: string) => void;
  /** Why the input was not run; null until the run is asked for. */
  readonly problem: string | null;
  /** Runs the text as it stands; opens the panel first when nobody gave an input yet. */
  readonly run: () => void;
  readonly close: () => void;
}

/** The runs of a draft, those of its cases too. */
export interface DraftRuns extends DraftRunSession {
  /** Runs a case with the text as it stands and shows its run; throws the refusal. */
  readonly runCase: (one: RunCase) => Promise<void>;
  /** Shows another run of the text that the shown run had. */
  readonly follow: (runId: string) => void;
}

/** The findings among the details of a refusal. */
function findingsOf(error: unknown) {
  const refused = detailsOf(error, 'draft_not_runnable', DraftStages);
  return (refused?.stages ?? []).flatMap(({ detail }) => findingsIn(detail));
}

/** What trust in the folder would change. */
async function untrustedIn(projectId: string, error: unknown): Promise<readonly ShownFinding[]> {
  const findings = untrustedFindings(error);
  const trust = findings.length > 0 ? await readTrust(projectId) : undefined;
  return trust?.state === 'untrusted' ? findings : [];
}

function blocking(problems: readonly Problem[]): readonly PlacedFinding[] {
  return problems.filter(({ severity, source }) => severity === 'error' && source === 'editor');
}

/** Runs of a draft's text as it stands in the editor, with an input that is kept for the draft. */
export function useDraftRun(options: {
  readonly projectId: string;
  readonly draftRef: string;
  readonly alias: string | undefined;
  readonly buffer: DraftBuffer | null;
  /** The buffer at the moment of the call: a shortcut may come before the last letter was drawn. */
  readonly current: () => DraftBuffer | null;
  /** Findings of the present text, and whether newer ones are on their way. */
  readonly problems: readonly Problem[];
  readonly checking: boolean;
  readonly flow: readonly FlowTrigger[] | null;
  readonly rehearsal: RehearsalSession;
  /** Where it runs when that is not the platform that the alias is bound to. */
  readonly elsewhere: RunsElsewhere | undefined;
  /** Goes to the first finding that prevents the run. */
  readonly onPrevented: (finding: PlacedFinding) => void;
}): DraftRuns {
  const { projectId, draftRef, alias, flow, rehearsal } = options;
  const key = `${projectId}\n${draftRef}`;
  const state = useStore(draftRunsStore).get(key) ?? null;
  const asked = useRunInput(projectId, draftRef, flow);
  const { input, trigger } = asked;
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(0);

  const prevent = (text: string, findings: readonly PlacedFinding[], error: unknown): void => {
    setDraftRun(key, { phase: 'refused', text, findings, error });
    const first = findings.find(({ line }) => line !== null);
    if (first !== undefined) {
      options.onPrevented(first);
    }
  };
  /** Starts a run of the text with an input, and notes it; answers its id. */
  const ask = async (
    text: string,
    revision: string,
    given: Pick<RunCase, 'input' | 'trigger'> & { readonly caseId: string | null },
  ): Promise<string> => {
    const sent = inputSent(given.input, given.trigger);
    const answers = typeof rehearsal.sent === 'object' ? rehearsal.sent : undefined;
    const start = async (): Promise<string> => {
      if (options.elsewhere !== undefined) {
        return await runElsewhere(text, sent, answers);
      }
      const { platform_run_id: started } = await call(startDraftRun, {
        params: { project_id: projectId },
        body: {
          ...{ alias: alias ?? '', draft: { path: draftRef, revision }, text, input: sent },
          ...(answers === undefined ? {} : { rehearsal: answers }),
        },
      });
      return started;
    };
    const runId = await trackWork(t('Starting run'), start());
    noteRun(key, { runId, at: new Date().toISOString(), caseId: given.caseId });
    return runId;
  };
  const start = async (text: string, revision: string): Promise<void> => {
    latest.current += 1;
    const mine = latest.current;
    setDraftRun(key, { phase: 'starting', text });
    try {
      const runId = await ask(text, revision, { input, trigger, caseId: null });
      if (mine === latest.current) {
        setDraftRun(key, { phase: 'started', text, runId });
        rehearsal.started(runId);
      }
    } catch (error) {
      const shown = [...findingsOf(error), ...(await untrustedIn(projectId, error))];
      const findings = await locateFindings(shown, text, draftRef);
      if (mine === latest.current) {
        prevent(text, findings, findings.length > 0 ? undefined : error);
      }
    }
  };
  /** True where the panel asks for an input, or for another one, before anything runs. */
  const mustAsk = (): boolean => {
    const answers = typeof rehearsal.sent === 'string' ? rehearsal.sent : null;
    const wrong = asked.fault() ?? answers;
    setProblem(wrong);
    // Before anything leaves this computer the panel says where it goes.
    const isNew = state === null && (input === '' || options.elsewhere !== undefined);
    const asks = wrong !== null || isNew;
    if (asks && state === null) {
      setDraftRun(key, { phase: 'asking' });
    }
    return asks;
  };
  const run = (): void => {
    const buffer = options.current();
    if (buffer === null || alias === undefined || state?.phase === 'starting' || mustAsk()) {
      return;
    }
    asked.remember();
    const checked = !options.checking && options.buffer?.text === buffer.text;
    const errors = checked ? blocking(options.problems) : [];
    if (errors.length > 0) {
      prevent(buffer.text, errors, undefined);
      return;
    }
    void start(buffer.text, buffer.base.revision);
  };
  const runCase = async (one: RunCase): Promise<void> => {
    const buffer = options.current();
    if (buffer === null || alias === undefined) return;
    latest.current += 1;
    const runId = await ask(buffer.text, buffer.base.revision, { ...one, caseId: one.id });
    setDraftRun(key, { phase: 'started', text: buffer.text, runId });
  };
  const follow = (runId: string): void => {
    if (state?.phase === 'started') {
      noteRun(key, { runId, at: new Date().toISOString(), caseId: null });
      setDraftRun(key, { phase: 'started', text: state.text, runId });
    }
  };
  return {
    ...{ state, input, flow, trigger, problem, rehearsal, run, runCase, follow },
    setInput: (next) => {
      asked.setInput(next);
      setProblem(null);
    },
    setTrigger: asked.setTrigger,
    close: () => setDraftRun(key, null),
  };
}
