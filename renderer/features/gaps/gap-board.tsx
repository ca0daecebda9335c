import { Button } from '@mantine/core';
import { IconFileText, IconPackage } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { CanvasView } from '../../../server/contract/studio/analyses.ts';
import type { AnalysisEntry } from '../../../server/contract/studio/analysis-entries.ts';
import { fixTarget, surroundings } from '../../../server/gaps/fixes/source-links.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useSingleKeys } from '../../app/use-single-keys.ts';
import { WINDOW_PART } from '../../app/window-parts.ts';
import { fileName } from '../../data/draft-names.ts';
import { Page } from '../../ui/page.tsx';
import { AnalysisTabs } from './analysis-tabs.tsx';
import { CauseCardPane } from './cause-card.tsx';
import { FixDialog } from './fix-dialog.tsx';
import { GapCardPane } from './gap-card.tsx';
import { GapDrawings, type GapDrawingsProps } from './gap-drawings.tsx';
import { GapHeader, GeneralSuggestions } from './gap-header.tsx';
import { GapList } from './gap-list.tsx';
import {
  type GapCard,
  type GapContext,
  gapCards,
  gapKinds,
  gapProgress,
  isOpen,
} from './gap-model.ts';
import { GapParts } from './gap-parts.tsx';
import { useDraftReading } from './gap-queries.ts';
import type { GapRow } from './gap-rows.ts';
import { GapKeys, GapTools } from './gap-tools.tsx';
import { type Links, linkDraft, NO_LINKS } from './links.ts';
import { NodeCardPane } from './node-card.tsx';
import { AnalysisSwitch } from './review/analysis-switch.tsx';
import { SettleDialog } from './settle-dialog.tsx';
import { type GapActions, useGapActions } from './use-gap-actions.ts';
import { useRehearsed } from './use-rehearsed.ts';
import { type Asked, type Triage, useTriage } from './use-triage.ts';

const NO_IDS: readonly string[] = [];

/** The gaps that a row stands for. */
function cardsOf(row: GapRow | undefined): readonly GapCard[] {
  if (row === undefined || row.type === 'severity') {
    return [];
  }
  return row.type === 'cause' ? row.cause.cards : [row.card];
}

/** List, drawings and the chosen gap. */
export function GapBoard(props: {
  readonly projectId: string;
  readonly context: GapContext;
  readonly canvas: GapDrawingsProps['canvas'];
  readonly asked: Asked;
  /** All analyses of the draft or artifact. */
  readonly entries: readonly AnalysisEntry[];
  readonly askedArtifact: string | undefined;
}) {
  const { projectId, context } = props;
  const { analysis, draft, artifact, acknowledgements, resolutions } = context;
  const cards = useMemo(
    () => gapCards({ analysis, draft, artifact, acknowledgements, resolutions }),
    [analysis, draft, artifact, acknowledgements, resolutions],
  );
  const canvas = props.canvas.data;
  const { draft: text, reading } = useDraftReading(projectId, draft?.path, canvas);
  const links = useMemo(
    () =>
      canvas === undefined || reading.data === undefined
        ? NO_LINKS
        : linkDraft(canvas, reading.data),
    [canvas, reading.data],
  );
  const { rehearsed, missing } = useRehearsed(projectId, draft?.path, canvas);
  const triage = useTriage(analysis.analysis_id, cards, props.asked);
  const actions = useGapActions(projectId, context, links);
  const search = useRef<HTMLInputElement>(null);
  useGapKeys(triage, actions, search);
  const activeIds = useActiveIds(triage);
  const kinds = useMemo(() => gapKinds(analysis), [analysis]);
  const [pressed, setPressed] = useState(0);
  const chooseDraftNode = (nodeId: string): void => {
    const source = links.sourceOf.get(nodeId);
    if (source !== undefined) {
      triage.chooseSource(source);
    }
  };
  return (
    <Page
      title={t('Gaps')}
      flush
      testId="gap-page"
      sub={
        <AnalysisTabs
          projectId={projectId}
          analysisId={analysis.analysis_id}
          draftRef={draft?.path}
          tab="gaps"
        />
      }
      actions={<BoardActions projectId={projectId} context={context} />}
    >
      <div className="sw-gap-board">
        <AnalysisSwitch
          projectId={projectId}
          entries={props.entries}
          current={analysis.analysis_id}
          artifactId={props.askedArtifact}
        />
        <GapHeader projectId={projectId} context={context} progress={gapProgress(cards)} />
        <div className="sw-gap-parts">
          <GapParts
            pressed={pressed}
            list={
              <div className="sw-gap-list" {...WINDOW_PART}>
                <GapTools
                  kinds={kinds}
                  filter={triage.filter}
                  onFilter={triage.setFilter}
                  search={search}
                />
                <GapList
                  rows={triage.rows}
                  chosen={triage.bareNode === null ? (triage.row?.id ?? null) : null}
                  onChoose={(rowId) => {
                    triage.choose(rowId);
                    setPressed((count) => count + 1);
                  }}
                  onToggle={triage.toggle}
                  rehearsed={rehearsed}
                />
                {missing !== null && (
                  <p className="sw-gap-note" data-testid="rehearsal-missing">
                    {missing}
                  </p>
                )}
                <GapKeys undoes={actions.undoes} />
              </div>
            }
            drawings={
              <GapDrawings
                cards={cards}
                canvas={props.canvas}
                reading={reading}
                links={links}
                activeIds={activeIds}
                draftName={draft === undefined ? '' : fileName(draft.path)}
                focus="gap"
                onSource={triage.chooseSource}
                onDraftNode={chooseDraftNode}
              />
            }
            gap={
              <ChosenPane
                projectId={projectId}
                context={context}
                triage={triage}
                actions={actions}
                links={links}
                canvas={canvas}
                text={text.data?.text}
              />
            }
          />
        </div>
      </div>
      <Dialogs
        projectId={projectId}
        context={context}
        actions={actions}
        canvas={canvas}
        links={links}
      />
    </Page>
  );
}

function useActiveIds(triage: Triage): readonly string[] {
  const { row, bareNode } = triage;
  return useMemo(() => {
    if (bareNode !== null) {
      return [bareNode];
    }
    const ids = cardsOf(row).map(({ gap }) => gap.source_ref.source_id);
    return ids.length === 0 ? NO_IDS : [...new Set(ids)];
  }, [row, bareNode]);
}

function useGapKeys(
  triage: Triage,
  actions: GapActions,
  search: { readonly current: HTMLInputElement | null },
): void {
  const cards = cardsOf(triage.row);
  const [first] = cards;
  useSingleKeys({
    'gaps.next': () => triage.move(1),
    'gaps.before': () => triage.move(-1),
    'gaps.next-open': () => triage.move(1, true),
    'gaps.open-before': () => triage.move(-1, true),
    'gaps.fold': () => {
      if (triage.row?.type === 'cause') triage.toggle(triage.row.id);
      else if (triage.row?.type === 'gap' && triage.row.under !== null) {
        triage.toggle(triage.row.under.id);
      }
    },
    'gaps.acknowledge': () => actions.acknowledge(cards),
    'gaps.attest': () => actions.attest(cards),
    'gaps.retract': () => actions.retract(cards),
    'gaps.fix': () => actions.fix(cards.filter(isOpen)),
    'gaps.undo': () => actions.undo(),
    'gaps.editor': () => {
      if (first !== undefined) actions.openEditor(first);
    },
    'search.go': () => search.current?.focus(),
  });
}

function ChosenPane(props: {
  readonly projectId: string;
  readonly context: GapContext;
  readonly triage: Triage;
  readonly actions: GapActions;
  readonly links: Parameters<typeof GapCardPane>[0]['links'];
  readonly canvas: CanvasView | undefined;
  readonly text: string | undefined;
}) {
  const { triage, context } = props;
  const bare = props.canvas?.nodes.find(({ source_id }) => source_id === triage.bareNode);
  if (bare !== undefined) {
    return <NodeCardPane {...props} node={bare} draftPath={context.draft?.path} />;
  }
  const { row } = triage;
  if (row?.type === 'cause') {
    return (
      <CauseCardPane
        cause={row.cause}
        context={context}
        actions={props.actions}
        onGap={triage.chooseGap}
      />
    );
  }
  return row?.type === 'gap' ? <GapCardPane {...props} card={row.card} /> : null;
}

function Dialogs(props: {
  readonly projectId: string;
  readonly context: GapContext;
  readonly actions: GapActions;
  readonly canvas: CanvasView | undefined;
  readonly links: Links;
}) {
  const { actions, context } = props;
  const { fixing } = actions;
  const targets = useMemo(() => {
    const around = surroundings(props.canvas, (id) => props.links.nodesOf.has(id));
    return (fixing ?? []).map(({ gap }) =>
      fixTarget(gap.ref.gap_id, gap, around(gap.source_ref.source_id)),
    );
  }, [fixing, props.canvas, props.links]);
  return (
    <>
      {actions.settling !== null && (
        <SettleDialog request={actions.settling} context={context} actions={actions} />
      )}
      {fixing !== null && context.draft !== undefined && (
        <FixDialog
          projectId={props.projectId}
          draftPath={context.draft.path}
          cards={fixing}
          targets={targets}
          begin={actions.fixingBy}
          onStored={actions.stored}
          onClose={actions.close}
        />
      )}
    </>
  );
}

function BoardActions(props: { readonly projectId: string; readonly context: GapContext }) {
  const { analysis, draft, artifact } = props.context;
  return (
    <>
      <GeneralSuggestions analysis={analysis} />
      {draft !== undefined && (
        <Button
          variant="default"
          leftSection={<IconFileText size={16} />}
          onClick={() => navigateTo(paths.draft(props.projectId, draft.path))}
          data-testid="open-editor"
        >
          {t('Open editor')}
        </Button>
      )}
      {artifact !== undefined && (
        <Button
          leftSection={<IconPackage size={16} />}
          onClick={() => navigateTo(paths.artifact(artifact.project_id, artifact.id))}
          data-testid="open-artifact"
        >
          {t('Open artifact')}
        </Button>
      )}
    </>
  );
}
