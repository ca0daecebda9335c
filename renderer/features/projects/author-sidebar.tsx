import { t } from '../../../preload/texts/t.ts';
import './projects.css';
import { IconChevronRight, IconFileImport, IconFilePlus, IconPackage } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { CommandAction } from '../../app/command-action.tsx';
import { hrefOf, isAtPath } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { WINDOW_PART } from '../../app/window-parts.ts';
import { toApiError } from '../../data/api-error.ts';
import { fileName } from '../../data/draft-names.ts';
import { useOwns, useTree } from '../../data/project-tree.ts';
import { useArtifacts, useDrafts, useMe } from '../../data/studio.ts';
import { TAKES_SPECS } from '../../ui/drop-place.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { errorTitle } from '../../ui/error-titles.ts';
import { ListSkeleton } from '../../ui/page.tsx';
import { RemedyPlace } from '../../ui/remedy-place.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { CloseOver } from '../../workbench/over-part.tsx';
import { FileTree } from './files/file-tree.tsx';
import { GitPlace } from './files/git-mark.tsx';
import { TreeNotes } from './files/tree-notes.tsx';
import { projectFiles } from './files/tree-rows.ts';

const SHOWN_ARTIFACTS = 20;

/** The project's files and artifacts. */
export function AuthorSidebar(props: { readonly projectId: string }) {
  const { projectId } = props;
  const drafts = useDrafts(projectId);
  const artifacts = useArtifacts(projectId);
  const tree = useTree(projectId);
  const owns = useOwns(projectId);
  const files = useMemo(
    () => projectFiles(drafts.data ?? [], tree.data?.entries ?? []),
    [drafts.data, tree.data],
  );
  const scroll = useRef<HTMLDivElement>(null);
  const me = useMe();
  // The page says that there is no such project; nothing here works on it.
  const known = me.data?.projects.some(({ id }) => id === projectId) !== false;
  return (
    <aside className="sw-sidebar" aria-label={t('Project')} {...WINDOW_PART} data-testid="sidebar">
      <div className="sw-sidebar-head">
        <h2 className="sw-sidebar-title">{t('Project')}</h2>
        {known && (
          <>
            <CommandAction
              command="file.import"
              testId="sidebar-file.import"
              label={t('Import a workflow')}
              icon={<IconFileImport size={16} />}
            />
            <CommandAction
              command="file.new-draft"
              testId="sidebar-file.new-draft"
              label={t('New draft')}
              icon={<IconFilePlus size={16} />}
            />
          </>
        )}
        <CloseOver part="sidebar" />
      </div>
      <div className="sw-sidebar-body" ref={scroll} {...(owns ? { [TAKES_SPECS]: projectId } : {})}>
        {drafts.isPending && <ListSkeleton rows={5} />}
        {drafts.isError && known && (
          <div className="sw-sidebar-note">
            <p>{t('The drafts could not be read.')}</p>
            <RemedyPlace code={toApiError(drafts.error).code} />
          </div>
        )}
        {drafts.isSuccess && tree.isError && owns && (
          <p className="sw-sidebar-note" role="status">
            {t('{errorTitle}. Only drafts are shown.', {
              errorTitle: errorTitle(toApiError(tree.error)),
            })}
          </p>
        )}
        <TreeNotes projectId={projectId} />
        <UnusableNames names={tree.data?.unusable ?? []} />
        {drafts.isSuccess && files.length === 0 && !tree.isLoading && (
          <EmptyState compact title={t('No drafts yet')}>
            {t('Import a workflow or make a new draft.')}
          </EmptyState>
        )}
        {drafts.isSuccess && files.length > 0 && (
          <FileTree projectId={projectId} files={files} scroll={scroll} />
        )}
        {drafts.isSuccess && <GitPlace projectId={projectId} />}
        <ArtifactLinks projectId={projectId} artifacts={artifacts.data ?? []} />
      </div>
    </aside>
  );
}

/** Files that are there and yet shown nowhere: a person can give them other names. */
function UnusableNames({ names }: { readonly names: readonly string[] }) {
  const [first] = names;
  if (first === undefined) {
    return null;
  }
  return (
    <p className="sw-sidebar-note" data-testid="unusable-names" title={names.join('\n')}>
      {names.length === 1
        ? t('“{first}” has a name that no draft can have. Rename it.', { first })
        : t('“{first}” and {count} more have names that no draft can have. Rename them.', {
            first,
            count: names.length - 1,
          })}
    </p>
  );
}

function ArtifactLinks(props: {
  readonly projectId: string;
  readonly artifacts: readonly AuthoredArtifact[];
}) {
  if (props.artifacts.length === 0) {
    return null;
  }
  return (
    <nav aria-label={t('Artifacts')}>
      <a
        className="sw-tree-group sw-tree-group-link"
        href={hrefOf(paths.artifacts(props.projectId))}
        data-testid="all-artifacts"
      >
        {t('Artifacts')}
        <IconChevronRight size={12} aria-hidden />
      </a>
      {props.artifacts.slice(0, SHOWN_ARTIFACTS).map((artifact) => (
        <ArtifactLink key={artifact.id} artifact={artifact} />
      ))}
    </nav>
  );
}

function ArtifactLink(props: { readonly artifact: AuthoredArtifact }) {
  const { artifact } = props;
  const path = paths.artifact(artifact.project_id, artifact.id);
  const current = useRouterState({
    select: ({ location }) => isAtPath(location.pathname, path),
  });
  return (
    <a
      className="sw-tree-item"
      href={hrefOf(path)}
      aria-current={current ? 'page' : undefined}
      data-artifact
      data-testid={`artifact-${artifact.id}`}
    >
      <IconPackage size={15} stroke={1.5} aria-hidden />
      <span>{fileName(artifact.base.path)}</span>
      <span className="sw-tree-folder">
        <TimeAgo at={artifact.created_at} narrow />
      </span>
    </a>
  );
}
