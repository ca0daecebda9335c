import {
  type ComponentType,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import { useCommand } from '../../../app/use-command.ts';
import { useRunsElsewhere } from '../../../data/remote-runs.ts';
import { AliasPicker } from '../../../environments/alias-picker.tsx';
import { RunsAt } from '../../../environments/runs-at.tsx';
import type { GraphNode } from '../../../graph/graph-model.ts';
import { useStore } from '../../../ui/store.ts';
import type { Problem } from '../../../workbench/editor-status.ts';
import { trustRequestStore } from '../../../workbench/trust-request.ts';
import type { DraftBuffer } from '../draft-buffer.ts';
import { DraftNeeds } from '../draft-preflight.tsx';
import type { PlacedFinding } from '../locate-findings.ts';
import type { EditorHandle } from '../spec-editor.tsx';
import type { StandIn } from '../spec-protocol.ts';
import type { AnalysisState } from '../use-analysis.ts';
import { revealPath } from '../use-reveal.ts';
import { draftRunsStore } from './draft-run-store.ts';
import { RunCases } from './run-cases.tsx';
import { type LiveRunProps, RunPanel } from './run-panel.tsx';
import { type DraftRunProgress, drawnNode, lineMarks, onDrawing } from './run-progress.ts';
import { useDraftRun } from './use-draft-run.ts';
import { useRehearsal } from './use-rehearsal.ts';

export interface RunBelow {
  /** Runs the text as it stands; absent for an overlay, and for a project without a platform. */
  readonly run: (() => void) | undefined;
  /** How far the run has come, for the graph; null without one. */
  readonly progress: DraftRunProgress | null;
  /** What stands below the text; null while nothing runs. */
  readonly panel: ReactNode | null;
}

const NO_NODES: readonly GraphNode[] = [];
const NO_PARTS: readonly StandIn[] = [];
const NO_IDS: readonly string[] = [];
const NO_FINDINGS: readonly PlacedFinding[] = [];

/** The run of the draft in the editor: its panel, its marks beside the lines, its way in the graph. */
export function useRunPanel(options: {
  readonly projectId: string;
  readonly draftRef: string;
  readonly alias: string | undefined;
  readonly summary: Pick<DraftSummary, 'kind' | 'analysis_ids'> | undefined;
  readonly buffer: DraftBuffer | null;
  readonly current: () => DraftBuffer | null;
  readonly problems: readonly Problem[];
  readonly editor: { readonly current: EditorHandle | null };
  readonly ready: boolean;
  readonly analysis: Pick<AnalysisState, 'latest' | 'graph' | 'running'>;
  readonly onNode: (node: string) => void;
  /** Resolves when what is typed beside the text stands in it. */
  readonly settled: () => Promise<void>;
  readonly liveRun: ComponentType<LiveRunProps>;
}): RunBelow {
  const { editor, ready, analysis, buffer, onNode, liveRun: LiveRun } = options;
  const ranges = analysis.latest?.nodeRanges;
  const nodes = analysis.graph?.nodes ?? NO_NODES;
  const reveal = ({ line, column }: PlacedFinding): void => {
    const at = { startLine: line ?? 1, startColumn: column ?? 1 };
    editor.current?.reveal({ ...at, endLine: at.startLine, endColumn: at.startColumn });
  };
  const key = `${options.projectId}\n${options.draftRef}`;
  const latest = useStore(draftRunsStore).get(key);
  const refused = latest?.phase === 'refused' ? latest.findings : NO_FINDINGS;
  const findings = useMemo(() => [...options.problems, ...refused], [options.problems, refused]);
  const rehearsal = useRehearsal({
    ...options,
    findings,
    parts: analysis.latest?.standIns ?? NO_PARTS,
    analysisIds: options.summary?.analysis_ids ?? NO_IDS,
    open: latest !== undefined,
  });
  const elsewhere = useRunsElsewhere();
  const session = useDraftRun({
    ...options,
    rehearsal,
    elsewhere,
    flow: analysis.latest?.flow ?? null,
    checking: analysis.running,
    onPrevented: reveal,
  });
  const { state } = session;
  const runId = state?.phase === 'started' ? state.runId : null;
  const [reached, setReached] = useState<{
    readonly runId: string;
    readonly progress: DraftRunProgress;
  } | null>(null);
  const progress = useMemo(
    () => (reached === null || reached.runId !== runId ? null : onDrawing(reached.progress, nodes)),
    [reached, runId, nodes],
  );
  const onProgress = useCallback(
    (next: DraftRunProgress) => {
      if (runId !== null) {
        setReached({ runId, progress: next });
      }
    },
    [runId],
  );
  useEffect(() => {
    if (ready) {
      editor.current?.mark(progress === null ? [] : lineMarks(progress, ranges ?? {}, nodes));
    }
  }, [editor, ready, progress, ranges, nodes]);
  const runnable = options.alias !== undefined && options.summary?.kind === 'spec';
  const run = (): void => void options.settled().then(session.run);
  useCommand('draft.run', run, runnable);
  const panel =
    state === null || buffer === null ? null : (
      <RunPanel
        session={session}
        state={state}
        text={buffer.text}
        needs={
          options.alias !== undefined &&
          elsewhere === undefined &&
          !rehearsal.on && (
            <DraftNeeds
              projectId={options.projectId}
              alias={options.alias}
              file={options.draftRef}
              text={buffer.text}
              except={(analysis.latest?.credentials ?? []).map(({ secret }) => secret)}
            />
          )
        }
        where={
          elsewhere === undefined ? (
            <AliasPicker projectId={options.projectId} label={t('On')} />
          ) : (
            <RunsAt elsewhere={elsewhere} />
          )
        }
        findings={findings}
        onFinding={reveal}
        cases={
          <RunCases
            draft={key}
            input={session.input}
            trigger={session.trigger}
            onRun={session.runCase}
            onTake={(one) => {
              session.setInput(one.input);
              session.setTrigger(one.trigger);
            }}
          />
        }
        onTrust={() => trustRequestStore.set(options.projectId)}
        live={(id) => (
          <LiveRun
            key={id}
            runId={id}
            onProgress={onProgress}
            onNode={(name) => onNode(drawnNode(name, nodes) ?? name)}
            onPath={(path) =>
              revealPath(editor, { text: buffer.text, file: options.draftRef, path })
            }
            onFollow={session.follow}
          />
        )}
      />
    );
  return { run: runnable ? run : undefined, progress, panel };
}
