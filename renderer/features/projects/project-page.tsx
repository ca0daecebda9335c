import { t } from '../../../preload/texts/t.ts';
import './projects.css';
import { Button } from '@mantine/core';
import { IconFileImport, IconFilePlus, IconFolderOff, IconFolderPlus } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { AppLink } from '../../app/app-link.tsx';
import { runCommand } from '../../app/commands.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { useTree } from '../../data/project-tree.ts';
import { useArtifacts, useDrafts, useMe } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import type { ShownRead } from '../../ui/stale-read.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { DraftBoard } from './draft-board.tsx';
import { addSpecs } from './files/file-actions.ts';
import { foundSpecs, projectFiles } from './files/tree-rows.ts';
import { ProjectPlacesNav } from './project-places-nav.tsx';

/** The newest; the others have a page of their own. */
const SHOWN_ARTIFACTS = 12;
const NO_ARTIFACTS: readonly AuthoredArtifact[] = [];

/** The state of a project: its drafts, its artifacts, and what to do next. */
export function ProjectPage(props: { readonly projectId: string }) {
  const { projectId } = props;
  const me = useMe();
  const drafts = useDrafts(projectId);
  const artifacts = useArtifacts(projectId);
  const project = me.data?.projects.find(({ id }) => id === projectId);
  const actions = (
    <>
      <Button
        variant="default"
        leftSection={<IconFilePlus size={16} />}
        onClick={() => runCommand('file.new-draft')}
      >
        {t('New draft')}
      </Button>
      <Button
        leftSection={<IconFileImport size={16} />}
        onClick={() => runCommand('file.import')}
        data-testid="import-workflow"
      >
        {t('Import a workflow')}
      </Button>
    </>
  );
  const imported = drafts.data?.filter(({ analysis_ids }) => analysis_ids.length > 0).length ?? 0;
  const empty = drafts.isSuccess && drafts.data.length === 0;
  if (me.isSuccess && project === undefined) {
    return <NoProject />;
  }
  if (drafts.isError) {
    return (
      <Page title={project?.name ?? t('Project')} testId="project-page">
        <ErrorState error={drafts.error} onRetry={() => void drafts.refetch()} />
      </Page>
    );
  }
  return (
    <Page title={project?.name ?? t('Project')} actions={actions} testId="project-page">
      <ProjectPlacesNav projectId={projectId} />
      <FoundSpecs projectId={projectId} />
      {empty ? (
        <EmptyState
          title={t('No drafts yet')}
          actions={
            <Button size="xs" variant="default" onClick={() => navigateTo(paths.welcome())}>
              {t('See the examples')}
            </Button>
          }
        >
          {t('Import a workflow, make a new draft, or begin with an example.')}
        </EmptyState>
      ) : (
        <div className="sw-board">
          <Board title={t('Drafts')} count={drafts.data?.length} query={drafts}>
            {imported > 0 && (
              <p className="sw-board-lead">
                <AppLink to={paths.estate(projectId)}>
                  {t('Map of {count, plural, one {# imported draft} other {# imported drafts}}', {
                    count: imported,
                  })}
                </AppLink>
              </p>
            )}
            {drafts.isSuccess && (
              <DraftBoard
                projectId={projectId}
                drafts={drafts.data}
                artifacts={artifacts.data ?? NO_ARTIFACTS}
              />
            )}
          </Board>
          <Board title={t('Artifacts')} count={artifacts.data?.length} query={artifacts}>
            {artifacts.data?.length === 0 && (
              <p className="sw-faint">
                {t('None yet. An artifact freezes a draft, so that it can be exported and run.')}
              </p>
            )}
            {(artifacts.data ?? []).slice(0, SHOWN_ARTIFACTS).map((artifact) => (
              <div className="sw-board-row" key={artifact.id}>
                <AppLink to={paths.artifact(projectId, artifact.id)}>
                  {fileName(artifact.base.path)}
                </AppLink>
                <StatusBadge status={artifact.source_analysis_state} />
                <TimeAgo at={artifact.created_at} />
              </div>
            ))}
            {(artifacts.data?.length ?? 0) > SHOWN_ARTIFACTS && (
              <AppLink to={paths.artifacts(projectId)}>{t('All artifacts')}</AppLink>
            )}
          </Board>
        </div>
      )}
    </Page>
  );
}

/** Specs of the folder that are not in the project yet, added by one click. */
function FoundSpecs(props: { readonly projectId: string }) {
  const { projectId } = props;
  const drafts = useDrafts(projectId).data;
  const tree = useTree(projectId).data;
  const found = useMemo(
    () => (drafts === undefined ? [] : foundSpecs(projectFiles(drafts, tree?.entries ?? []))),
    [drafts, tree],
  );
  const add = useAction(() => addSpecs(projectId, found));
  if (found.length === 0) {
    return null;
  }
  const [first = ''] = found;
  const what =
    found.length === 1
      ? fileName(first)
      : t('{count, plural, one {# spec} other {# specs}}', { count: found.length });
  return (
    <div className="sw-found" data-testid="found-specs">
      <Notice tone="info" icon={<IconFolderPlus size={16} aria-hidden />} testId="found-text">
        {t(
          '{what} in this folder {count, plural, one {is} other {are}} not in the project yet. The files stay where they are.',
          { what, count: found.length },
        )}
      </Notice>
      <Button
        size="xs"
        loading={add.busy}
        onClick={() => add.start()}
        data-testid="add-found-specs"
      >
        {t('{count, plural, one {Add it to the project} other {Add all to the project}}', {
          count: found.length,
        })}
      </Button>
    </div>
  );
}

/** An address of a project that is gone, or that others may see. */
function NoProject() {
  return (
    <Page title={t('Project')} testId="project-page">
      <EmptyState
        icon={<IconFolderOff size={32} stroke={1.25} />}
        title={t('There is no such project')}
        actions={
          <Button size="xs" variant="default" onClick={() => navigateTo(paths.welcome())}>
            {t('Go to Welcome')}
          </Button>
        }
      >
        {t('It was removed, or you are not a member of it.')}
      </EmptyState>
    </Page>
  );
}

function Board(props: {
  readonly title: string;
  readonly count: number | undefined;
  readonly query: ShownRead;
  readonly children: ReactNode;
}) {
  return (
    <section>
      <h2 className="sw-section-title">
        {props.title}{' '}
        {props.count !== undefined && props.count > 0 && (
          <span className="sw-faint" data-testid={`count-${props.title.toLowerCase()}`}>
            {props.count}
          </span>
        )}
      </h2>
      <Unread query={props.query} rows={4} compact />
      {props.children}
    </section>
  );
}
