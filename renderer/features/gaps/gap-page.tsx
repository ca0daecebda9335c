import './gaps.css';
import { Button, Progress } from '@mantine/core';
import { IconFileText, IconPackage } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { AnalysisView } from '../../../server/contract/studio/analyses.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useSingleKeys } from '../../app/use-single-keys.ts';
import { fileName } from '../../data/draft-names.ts';
import { useArtifacts } from '../../data/studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FacetChips } from '../../ui/facet-chips.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { GapCardPane } from './gap-card.tsx';
import { GapList } from './gap-list.tsx';
import {
  type GapCard,
  type GapContext,
  gapGroups,
  gapKinds,
  gapProgress,
  kindText,
  neighbour,
} from './gap-model.ts';
import { useGapData } from './gap-queries.ts';
import { useGapActions } from './use-gap-actions.ts';

export interface GapPageProps {
  readonly projectId: string;
  readonly analysisId: string;
  readonly draftRef: string | undefined;
  readonly artifactId: string | undefined;
}

/** The gaps of one analysis, to be settled one after the other until nothing blocks export. */
export function GapPage(props: GapPageProps) {
  const { projectId, analysisId } = props;
  const latest = useLatestArtifact(props);
  const data = useGapData(projectId, analysisId, latest);
  if (data.analysis.isPending) {
    return (
      <Page title="Gaps">
        <ListSkeleton rows={10} />
      </Page>
    );
  }
  if (data.analysis.isError) {
    return (
      <Page title="Gaps">
        <ErrorState error={data.analysis.error} onRetry={() => void data.analysis.refetch()} />
      </Page>
    );
  }
  const analysis = data.analysis.data;
  const related = analysis.related_refs;
  const context: GapContext = {
    analysis,
    draft: related.find(({ path }) => path === props.draftRef) ?? related[0],
    artifact: data.artifact.data,
    acknowledgements: data.acknowledgements.data ?? [],
    resolutions: data.resolutions.data ?? [],
  };
  return analysis.gaps.length === 0 ? (
    <NoGaps projectId={projectId} analysis={analysis} />
  ) : (
    <GapBoard projectId={projectId} context={context} />
  );
}

/** The artifact that acknowledgements go to: the one in the address, else the newest of the draft. */
function useLatestArtifact(props: GapPageProps): string | undefined {
  const artifacts = useArtifacts(props.projectId);
  const newest = artifacts.data?.find(
    (artifact) =>
      artifact.analysis_ids.includes(props.analysisId) &&
      (props.draftRef === undefined || artifact.base.path === props.draftRef),
  );
  return props.artifactId ?? newest?.id;
}

function NoGaps(props: { readonly projectId: string; readonly analysis: AnalysisView }) {
  const ref = props.analysis.related_refs[0]?.path;
  return (
    <Page title="Gaps">
      <EmptyState
        title="Nothing to settle"
        actions={
          ref !== undefined && (
            <Button size="xs" onClick={() => navigateTo(paths.draft(props.projectId, ref))}>
              Open editor
            </Button>
          )
        }
      >
        Everything in the source has a place in the draft.
      </EmptyState>
    </Page>
  );
}

function GapBoard(props: { readonly projectId: string; readonly context: GapContext }) {
  const { projectId, context } = props;
  const [kinds, setKinds] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const groups = useMemo(() => gapGroups(context, kinds), [context, kinds]);
  const cards = groups.flatMap((group) => group.cards);
  const card = cards.find(({ gap }) => gap.ref.gap_id === chosen) ?? cards[0];
  const progress = gapProgress(context);
  const actions = useGapActions(projectId, context);
  const gapId = card?.gap.ref.gap_id ?? null;
  const move = (step: 1 | -1): void => setChosen(neighbour(groups, gapId, step));
  const withCard = (run: (card: GapCard) => void): void => {
    if (card !== undefined) {
      run(card);
    }
  };
  useSingleKeys({
    j: () => move(1),
    k: () => move(-1),
    a: () => withCard(actions.acknowledge),
    t: () => withCard(actions.attest),
    r: () => withCard(actions.retract),
    e: () => withCard(actions.openEditor),
  });
  useEffect(() => {
    document
      .querySelector(`[data-gap="${CSS.escape(gapId ?? '')}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [gapId]);
  const draftPath = context.draft?.path;
  return (
    <Page
      title="Gaps"
      flush
      testId="gap-page"
      sub={
        <>
          {draftPath !== undefined && (
            <AppLink to={paths.draft(projectId, draftPath)}>{fileName(draftPath)}</AppLink>
          )}
          <ProgressLine {...progress} />
        </>
      }
      actions={
        <>
          {draftPath !== undefined && (
            <Button
              variant="default"
              leftSection={<IconFileText size={16} />}
              onClick={() => navigateTo(paths.draft(projectId, draftPath))}
              data-testid="open-editor"
            >
              Open editor
            </Button>
          )}
          {context.artifact !== undefined && <ArtifactButton artifact={context.artifact} />}
        </>
      }
    >
      <div className="sw-gaps">
        <div className="sw-gap-list">
          <div className="sw-gap-tools">
            <FacetChips
              label="Kinds"
              facets={gapKinds(context.analysis).map(({ kind, count }) => ({
                value: kind,
                label: kindText(kind),
                count,
              }))}
              selected={kinds}
              onChange={setKinds}
            />
          </div>
          <GapList groups={groups} chosen={gapId} onChoose={setChosen} />
        </div>
        {card !== undefined && (
          <GapCardPane card={card} context={context} projectId={projectId} actions={actions} />
        )}
      </div>
    </Page>
  );
}

function ArtifactButton(props: { readonly artifact: AuthoredArtifact }) {
  const { artifact } = props;
  return (
    <Button
      leftSection={<IconPackage size={16} />}
      onClick={() => navigateTo(paths.artifact(artifact.project_id, artifact.id))}
      data-testid="open-artifact"
    >
      Open artifact
    </Button>
  );
}

function ProgressLine(props: {
  readonly settled: number;
  readonly total: number;
  readonly blocking: number;
  readonly manual: number;
}) {
  const done = props.settled === props.total;
  const percent = props.total === 0 ? 100 : (props.settled / props.total) * 100;
  return (
    <div className="sw-gap-progress" data-testid="gap-progress">
      <Progress
        value={percent}
        w={160}
        size="sm"
        color={done ? 'green' : 'accent'}
        aria-label="Settled gaps"
      />
      <span>
        {done
          ? 'No gap blocks export'
          : `${props.settled} of ${props.total} settled, ${props.blocking} blocking and ${props.manual} to review left`}
      </span>
    </div>
  );
}
