import './projects.css';
import {
  IconChevronRight,
  IconFileImport,
  IconFileOff,
  IconFilePlus,
  IconFileText,
  IconLayersSubtract,
  IconPackage,
  IconSchema,
} from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { CommandAction } from '../../app/command-action.tsx';
import { hrefOf } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { useArtifacts, useDrafts, useMe } from '../../data/studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { useStore } from '../../ui/store.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { dirtyDraftsStore } from '../../workbench/dirty-drafts.ts';
import { CloseOver } from '../../workbench/over-part.tsx';
import { type TreeItem, treeGroups } from './tree-model.ts';

const SHOWN_ARTIFACTS = 20;

/** The project's drafts and artifacts. */
export function AuthorSidebar(props: { readonly projectId: string }) {
  const { projectId } = props;
  const drafts = useDrafts(projectId);
  const artifacts = useArtifacts(projectId);
  const groups = useMemo(() => treeGroups(drafts.data ?? []), [drafts.data]);
  const me = useMe();
  // The page says that there is no such project; nothing here works on it.
  const known = me.data?.projects.some(({ id }) => id === projectId) !== false;
  return (
    <aside className="sw-sidebar" aria-label="Project" data-testid="sidebar">
      <div className="sw-sidebar-head">
        <h2 className="sw-sidebar-title">Project</h2>
        {known && (
          <>
            <CommandAction
              command="file.import"
              testId="sidebar-file.import"
              label="Import a workflow"
              icon={<IconFileImport size={16} />}
            />
            <CommandAction
              command="file.new-draft"
              testId="sidebar-file.new-draft"
              label="New draft"
              icon={<IconFilePlus size={16} />}
            />
          </>
        )}
        <CloseOver part="sidebar" />
      </div>
      <div className="sw-sidebar-body">
        {drafts.isPending && <ListSkeleton rows={5} />}
        {drafts.isError && known && (
          <p className="sw-sidebar-note">The drafts could not be read.</p>
        )}
        {drafts.isSuccess && groups.length === 0 && (
          <EmptyState compact title="No drafts yet">
            Import a workflow or make a new draft.
          </EmptyState>
        )}
        {groups.map((group) => (
          <nav key={group.title} aria-label={group.title}>
            <div className="sw-tree-group">{group.title}</div>
            {group.items.map((item) => (
              <DraftLink key={item.ref} projectId={projectId} item={item} />
            ))}
          </nav>
        ))}
        <ArtifactLinks projectId={projectId} artifacts={artifacts.data ?? []} />
      </div>
    </aside>
  );
}

function useIsCurrent(path: string): boolean {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  return pathname === path || pathname === decodeURI(path);
}

function DraftLink(props: { readonly projectId: string; readonly item: TreeItem }) {
  const { item } = props;
  const path = paths.draft(props.projectId, item.ref);
  const current = useIsCurrent(path);
  const dirty = useStore(dirtyDraftsStore).has(`${props.projectId}\n${item.ref}`);
  const Icon = item.missing
    ? IconFileOff
    : item.kind === 'overlay'
      ? IconLayersSubtract
      : kindIcon(item);
  return (
    <a
      className="sw-tree-item"
      href={hrefOf(path)}
      aria-current={current ? 'page' : undefined}
      title={item.ref}
      data-testid={`draft-${item.ref}`}
    >
      <Icon size={15} stroke={1.5} aria-hidden />
      <span>{item.name}</span>
      {item.folder !== '' && <span className="sw-tree-folder">{item.folder}</span>}
      {item.missing && <span className="sw-tree-folder">missing</span>}
      {dirty && <span className="sw-tree-dot" role="img" aria-label="Unsaved changes" />}
    </a>
  );
}

function kindIcon(item: TreeItem) {
  return item.kind === 'spec' ? IconSchema : IconFileText;
}

function ArtifactLinks(props: {
  readonly projectId: string;
  readonly artifacts: readonly AuthoredArtifact[];
}) {
  if (props.artifacts.length === 0) {
    return null;
  }
  return (
    <nav aria-label="Artifacts">
      <a
        className="sw-tree-group sw-tree-group-link"
        href={hrefOf(paths.artifacts(props.projectId))}
        data-testid="all-artifacts"
      >
        Artifacts
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
  const current = useIsCurrent(path);
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
