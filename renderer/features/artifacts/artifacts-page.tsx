import { t } from '../../../preload/texts/t.ts';
import '../../ui/rows.css';
import './artifacts.css';
import { Button } from '@mantine/core';
import { IconArrowsDiff, IconPackage } from '@tabler/icons-react';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { useArtifacts, useDrafts, useMayEdit } from '../../data/studio.ts';
import { compositionKey, keptCompositions } from '../../desktop/kept-compositions.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { listText } from '../../ui/list-text.ts';
import { Page } from '../../ui/page.tsx';
import { Unread } from '../../ui/unread.tsx';
import { versionGroups } from './version-groups.ts';
import { type DifferenceView, VersionList } from './version-list.tsx';

/** How many drafts show their versions at first. */
const OPEN = 3;

/** Artifacts of a project as versions of their drafts, newest first. */
export function ArtifactsPage(props: {
  readonly projectId: string;
  /** The draft whose versions are asked for. */
  readonly draftRef: string | undefined;
  readonly difference: DifferenceView;
}) {
  const { projectId, draftRef } = props;
  const artifacts = useArtifacts(projectId);
  const groups = versionGroups(artifacts.data ?? [], draftRef);
  const asked = draftRef !== undefined && groups[0]?.ref === draftRef;
  return (
    <Page
      title={t('Artifacts')}
      sub={t('Frozen versions of drafts, that can be checked, exported and run')}
      testId="artifacts-page"
      actions={
        groups.length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowsDiff size={15} />}
            onClick={() => navigateTo(paths.compareVersions(projectId))}
            data-testid="compare-any"
          >
            {t('Compare two versions')}
          </Button>
        )
      }
    >
      <Unread query={artifacts} />
      {artifacts.data?.length === 0 && <NoArtifacts projectId={projectId} />}
      {draftRef !== undefined && artifacts.isSuccess && !asked && groups.length > 0 && (
        <p className="sw-faint" data-testid="no-versions">
          {t('{draftRef} has no version yet: open it and create an artifact.', { draftRef })}
        </p>
      )}
      <UnfrozenList projectId={projectId} />
      {groups.map((group, at) => (
        <VersionList
          key={group.ref}
          projectId={projectId}
          group={group}
          open={asked ? at === 0 : at < OPEN}
          difference={props.difference}
        />
      ))}
    </Page>
  );
}

function NoArtifacts(props: { readonly projectId: string }) {
  const { projectId } = props;
  const drafts = useDrafts(projectId).data;
  const mayEdit = useMayEdit(projectId);
  if (drafts === undefined) return null;
  const hasSpec = drafts.some(({ kind }) => kind === 'spec');
  return (
    <EmptyState
      icon={<IconPackage size={32} stroke={1.25} />}
      title={t('No artifacts yet')}
      actions={
        mayEdit && (
          <Button
            size="xs"
            onClick={() =>
              navigateTo(hasSpec ? paths.compose(projectId) : paths.project(projectId))
            }
            data-testid="first-artifact"
          >
            {hasSpec ? t('Create an artifact…') : t('Go to the project')}
          </Button>
        )
      }
    >
      {hasSpec
        ? t('An artifact freezes a draft, so that it can be exported and run.')
        : t(
            'An artifact freezes a draft, and this project has none yet: import or make one first.',
          )}
    </EmptyState>
  );
}

/** What was composed and not frozen, so that nobody composes it again. */
function UnfrozenList(props: { readonly projectId: string }) {
  const { projectId } = props;
  const kept = keptCompositions().filter(({ place }) => place.projectId === projectId);
  if (kept.length === 0) return null;
  return (
    <section aria-labelledby="unfrozen" data-testid="unfrozen">
      <h2 className="sw-section-title" id="unfrozen">
        {t('Not frozen yet')}
      </h2>
      <ul className="sw-rows">
        {kept.map(({ place, composing }) => (
          <li key={compositionKey(place)}>
            <span className="sw-row-name">
              <AppLink to={paths.compose(projectId, place)}>
                {place.from === undefined ? t('Composition of') : t('New version of')}{' '}
                {fileName(composing.base)}
              </AppLink>
              <span className="sw-faint">
                {t('{value}, kept on this computer', {
                  value: listText([
                    t('{count, plural, one {# overlay} other {# overlays}}', {
                      count: composing.overlays.length,
                    }),
                    ...(composing.overrides === '' ? [] : [t('overrides')]),
                  ]),
                })}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
