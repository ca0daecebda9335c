import { t } from '../../../../preload/texts/t.ts';
import './file-tree.css';
import { useRouterState } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useMemo, useState } from 'react';
import { isAtPath } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { isGenerated } from '../../../data/draft-names.ts';
import { useGitMarks } from '../../../data/project-git.ts';
import { useOwns } from '../../../data/project-tree.ts';
import { createStore, useStore } from '../../../ui/store.ts';
import { dirtyDraftsStore } from '../../../workbench/dirty-drafts.ts';
import { deleteFile } from './file-actions.ts';
import { type FileDialog, FileDialogs } from './file-dialogs.tsx';
import { FileMenu, type MenuRequest } from './file-menu.tsx';
import { TreeRowView } from './file-row.tsx';
import { type FileRow, type ProjectFile, type TreeRow, treeRows } from './tree-rows.ts';
import { useTreeKeys } from './use-tree-keys.ts';

const ROW_HEIGHT = 26;
const NOTHING: ReadonlyMap<string, boolean> = new Map();

/** What a person opened and closed, by project, as long as the window lives. */
const openedStore = createStore<ReadonlyMap<string, ReadonlyMap<string, boolean>>>(new Map());

function setOpened(projectId: string, key: string, open: boolean): void {
  openedStore.set((all) =>
    new Map(all).set(projectId, new Map(all.get(projectId) ?? NOTHING).set(key, open)),
  );
}

interface TreeProps {
  readonly projectId: string;
  readonly files: readonly ProjectFile[];
  /** What scrolls the tree; only rows in view are drawn. */
  readonly scroll: RefObject<HTMLDivElement | null>;
}

/** The project's folders and files, as a tree that the keyboard walks too. */
export function FileTree(props: TreeProps) {
  const { projectId, files, scroll } = props;
  const owns = useOwns(projectId);
  const opened = useStore(openedStore).get(projectId) ?? NOTHING;
  const rows = useMemo(() => treeRows(files, opened), [files, opened]);
  const marks = useGitMarks(projectId);
  const dirty = useStore(dirtyDraftsStore);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  const [dialog, setDialog] = useState<FileDialog | null>(null);
  const isDirty = (ref: string): boolean => dirty.has(`${projectId}\n${ref}`);
  const mayChange = (row: TreeRow): row is FileRow =>
    row.type === 'file' && row.file.kind !== null && !row.file.missing && !isDirty(row.file.ref);
  const keys = useTreeKeys({
    rows,
    onToggle: (key, open) => setOpened(projectId, key, open),
    onMenu: (row, box) => setMenu({ row, at: { x: box.left, y: box.bottom } }),
    onDelete: (row) => {
      if (mayChange(row) && (owns || isGenerated(row.file.ref))) {
        void deleteFile(projectId, row.file);
      }
    },
    onRename: (row) => {
      if (mayChange(row) && owns && row.file.capabilities !== 'read') {
        setDialog({ kind: 'rename', file: row.file });
      }
    },
    onReach: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  });
  const { index } = keys;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    initialRect: { width: 264, height: 800 },
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), index])]
        .filter((at) => at < rows.length)
        .sort((a, b) => a - b),
  });
  return (
    <>
      <div
        role="tree"
        aria-label={t('Files of the project')}
        className="sw-files"
        ref={keys.tree}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={keys.onKeyDown}
        data-testid="file-tree"
      >
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <TreeRowView
              key={row.key}
              projectId={projectId}
              row={row}
              top={item.start}
              reached={item.index === index}
              current={
                row.type === 'file' && isAtPath(pathname, paths.draft(projectId, row.file.ref))
              }
              dirty={row.type === 'file' && isDirty(row.file.ref)}
              mark={row.type === 'file' ? marks.get(row.file.ref) : undefined}
              menuOpen={menu?.row.key === row.key}
              onReach={() => keys.setKey(row.key)}
              onToggle={() => row.type === 'folder' && setOpened(projectId, row.key, !row.open)}
              onMenu={(at) => setMenu({ row, at })}
            />
          );
        })}
      </div>
      {menu !== null && (
        <FileMenu
          projectId={projectId}
          owns={owns}
          dirty={menu.row.type === 'file' && isDirty(menu.row.file.ref)}
          request={menu}
          onDialog={setDialog}
          onClose={() => {
            keys.back();
            setMenu(null);
          }}
        />
      )}
      {dialog !== null && (
        <FileDialogs projectId={projectId} dialog={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  );
}
