import '../../ui/plain-table.css';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import type { DraftSummary } from '../../../server/contract/studio/drafts.ts';
import type { GitMark } from '../../../server/contract/studio/git.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { useGitMarks } from '../../data/project-git.ts';
import { useAnalysisEntries } from '../../data/studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FacetChips } from '../../ui/facet-chips.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import {
  DRAFT_FACETS,
  type DraftFacet,
  type DraftState,
  draftStates,
  facetCount,
  foundDrafts,
  type OpenGaps,
} from './draft-board-model.ts';
import { GitMarkBadge } from './files/git-mark.tsx';
import { useLastRuns } from './use-last-runs.ts';

/** From so many drafts on they are searched. */
const SEARCHED_FROM = 8;

const FACETS: Readonly<Record<DraftFacet, string>> = {
  blocking: t('Gaps block export'),
  manual: t('Gaps to review'),
  failed: t('Last run failed'),
};

type State = DraftState<DraftSummary, AuthoredArtifact, RunRow>;

function useDraftStates(
  projectId: string,
  drafts: readonly DraftSummary[],
  artifacts: readonly AuthoredArtifact[],
): readonly State[] {
  const entries = useAnalysisEntries(projectId, {}).data;
  const lastRuns = useLastRuns(projectId);
  return useMemo(
    () => draftStates(drafts, { entries: entries ?? [], artifacts, lastRuns }),
    [drafts, entries, artifacts, lastRuns],
  );
}

/** The drafts of a project with what is open in each, its newest artifact and how its last run went. */
export function DraftBoard(props: {
  readonly projectId: string;
  readonly drafts: readonly DraftSummary[];
  readonly artifacts: readonly AuthoredArtifact[];
}) {
  const { projectId, drafts } = props;
  const states = useDraftStates(projectId, drafts, props.artifacts);
  const marks = useGitMarks(projectId);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const facets = DRAFT_FACETS.map((value) => ({
    value,
    label: FACETS[value],
    count: facetCount(states, value),
  })).filter(({ value, count }) => count > 0 || chosen.includes(value));
  const found = foundDrafts(states, text, chosen);
  return (
    <>
      {drafts.length >= SEARCHED_FROM && (
        <div className="sw-board-tools">
          <TextInput
            size="xs"
            leftSection={<IconSearch size={14} aria-hidden />}
            placeholder={t('Find a draft')}
            aria-label={t('Find a draft')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-testid="find-draft"
          />
          <FacetChips
            label={t('Which drafts')}
            facets={facets}
            selected={chosen}
            onChange={setChosen}
          />
        </div>
      )}
      {found.length === 0 ? (
        <EmptyState compact title={t('Nothing matches these filters')} />
      ) : (
        <table className="sw-plain-table sw-board-table" aria-label={t('Drafts')}>
          <thead>
            <tr>
              <th scope="col">{t('Draft')}</th>
              <th scope="col">{t('Gaps')}</th>
              <th scope="col">{t('Artifact')}</th>
              <th scope="col">{t('Last run')}</th>
            </tr>
          </thead>
          <tbody>
            {found.map((state) => (
              <DraftRow
                key={state.draft.ref}
                projectId={projectId}
                state={state}
                mark={marks.get(state.draft.ref)}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function DraftRow(props: {
  readonly projectId: string;
  readonly state: State;
  readonly mark: GitMark | undefined;
}) {
  const { projectId, mark } = props;
  const { draft, gaps, artifact, run } = props.state;
  return (
    <tr data-testid="board-draft">
      <td>
        <span className="sw-board-name">
          <AppLink to={paths.draft(projectId, draft.ref)}>{fileName(draft.ref)}</AppLink>
          {draft.revision === null && <Badge tone="warning">{t('missing')}</Badge>}
          {mark !== undefined && <GitMarkBadge mark={mark} />}
        </span>
      </td>
      <td>
        {gaps === null ? (
          <span className="sw-faint">–</span>
        ) : (
          <AppLink to={paths.reviewGaps(projectId, { ref: draft.ref })} className="sw-bare">
            <GapsBadge gaps={gaps} />
          </AppLink>
        )}
      </td>
      <td>
        {artifact === undefined ? (
          <span className="sw-faint">–</span>
        ) : (
          <AppLink to={paths.artifact(projectId, artifact.id)}>
            <TimeAgo at={artifact.created_at} narrow inRow />
          </AppLink>
        )}
      </td>
      <td>
        {run === undefined ? (
          <span className="sw-faint">–</span>
        ) : (
          <AppLink to={paths.run(run.run_id)} className="sw-bare sw-board-run">
            <StatusBadge status={run.status} />
            <span className="sw-faint">
              <TimeAgo at={run.updated_at} narrow inRow />
            </span>
          </AppLink>
        )}
      </td>
    </tr>
  );
}

function GapsBadge({ gaps }: { readonly gaps: OpenGaps }) {
  const { blocking, manual } = gaps;
  if (blocking > 0) {
    return (
      <StatusBadge status="blocking">
        {t('{open_blocking} blocking', { open_blocking: blocking })}
      </StatusBadge>
    );
  }
  return manual > 0 ? (
    <StatusBadge status="manual">
      {t('{open_manual} to review', { open_manual: manual })}
    </StatusBadge>
  ) : (
    <StatusBadge status="clear">{t('nothing open')}</StatusBadge>
  );
}
