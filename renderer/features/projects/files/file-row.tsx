import { ActionIcon } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronRight,
  IconDots,
  IconFileOff,
  IconFilePlus,
  IconFileText,
  IconLayersSubtract,
  IconSchema,
} from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { GitMark } from '../../../../server/contract/studio/git.ts';
import { hrefOf } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { GitMarkBadge, gitMarkText } from './git-mark.tsx';
import type { FileRow, FolderRow, ProjectFile, TreeRow } from './tree-rows.ts';

const INDENT = 14;
const LEFT = 4;

/** What a row of the tree needs of the whole. */
export interface RowProps {
  readonly projectId: string;
  readonly row: TreeRow;
  readonly top: number;
  /** The one row that the Tab key reaches. */
  readonly reached: boolean;
  readonly current: boolean;
  readonly dirty: boolean;
  /** What git says of the file. */
  readonly mark: GitMark | undefined;
  readonly menuOpen: boolean;
  readonly onReach: () => void;
  readonly onToggle: () => void;
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void;
}

/** What the row says to who does not see it; the button in it is no part of its name. */
function labelOf({ row, dirty, mark }: RowProps): string {
  const marks = [
    row.name,
    ...(row.type === 'file' && row.file.missing ? ['missing'] : []),
    ...(row.type === 'file' && row.file.spec ? [t('not added')] : []),
    ...(dirty ? [t('unsaved changes')] : []),
    ...(mark === undefined ? [] : [gitMarkText(mark)]),
  ];
  return marks.join(' ');
}

/** One folder or file of the tree. */
export function TreeRowView(props: RowProps) {
  const { row, top } = props;
  const file = row.type === 'file' ? row.file : undefined;
  const menuAt = (event: MouseEvent<HTMLElement>): void => {
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    const isPointed = event.type === 'contextmenu' && event.clientX > 0;
    props.onMenu(
      isPointed ? { x: event.clientX, y: event.clientY } : { x: box.left, y: box.bottom },
    );
  };
  return (
    <div
      role="treeitem"
      aria-label={labelOf(props)}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.size}
      {...(row.type === 'folder' ? { 'aria-expanded': row.open } : {})}
      aria-current={props.current ? 'page' : undefined}
      tabIndex={props.reached ? 0 : -1}
      className="sw-file-row"
      style={{ transform: `translateY(${top}px)`, paddingLeft: LEFT + (row.level - 1) * INDENT }}
      data-key={row.key}
      data-level={row.level}
      data-registered={file === undefined ? undefined : file.kind !== null}
      data-missing={file?.missing}
      data-git={props.mark}
      data-menu={props.menuOpen}
      onFocus={props.onReach}
      onContextMenu={menuAt}
    >
      {row.type === 'folder' ? (
        <FolderName {...props} row={row} />
      ) : (
        <FileName {...props} row={row} />
      )}
      <ActionIcon
        className="sw-file-more"
        size={22}
        variant="subtle"
        color="gray"
        tabIndex={-1}
        aria-label={t('Actions for {name}', { name: row.name })}
        aria-haspopup="menu"
        onClick={menuAt}
        data-testid={`more-${row.key}`}
      >
        <IconDots size={14} />
      </ActionIcon>
    </div>
  );
}

function FolderName(props: RowProps & { readonly row: FolderRow }) {
  const { row } = props;
  const Icon = row.open ? IconChevronDown : IconChevronRight;
  return (
    <button
      type="button"
      className="sw-file-main"
      tabIndex={-1}
      onClick={props.onToggle}
      data-testid={row.key}
    >
      <Icon size={13} aria-hidden />
      <span className="sw-file-name">{row.name}</span>
    </button>
  );
}

function iconOf({ missing, kind, spec }: ProjectFile) {
  if (missing) {
    return IconFileOff;
  }
  if (kind === 'overlay') {
    return IconLayersSubtract;
  }
  if (kind === null) {
    return spec ? IconFilePlus : IconFileText;
  }
  return kind === 'spec' ? IconSchema : IconFileText;
}

function FileName(props: RowProps & { readonly row: FileRow }) {
  const { file } = props.row;
  const Icon = iconOf(file);
  const name = (
    <>
      <Icon size={15} stroke={1.5} aria-hidden />
      <span className="sw-file-name">{file.name}</span>{' '}
      {file.missing && <span className="sw-file-note">{t('missing')}</span>}
      {file.spec && <span className="sw-file-note">{t('not added')}</span>}
      {props.dirty && <span className="sw-tree-dot" title={t('Unsaved changes')} />}
      {props.mark !== undefined && <GitMarkBadge mark={props.mark} />}
    </>
  );
  if (file.kind === null) {
    return (
      <button
        type="button"
        className="sw-file-main"
        tabIndex={-1}
        title={t('{ref}: not part of the project yet', { ref: file.ref })}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          props.onMenu({ x: box.left, y: box.bottom });
        }}
        data-testid={`file-${file.ref}`}
      >
        {name}
      </button>
    );
  }
  return (
    <a
      className="sw-file-main"
      href={hrefOf(paths.draft(props.projectId, file.ref))}
      tabIndex={-1}
      title={file.ref}
      draggable={false}
      data-testid={`draft-${file.ref}`}
    >
      {name}
    </a>
  );
}
