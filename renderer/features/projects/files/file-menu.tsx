import { Menu } from '@mantine/core';
import {
  IconCopy,
  IconFilePlus,
  IconFolderOpen,
  IconFolderSymlink,
  IconLayersSubtract,
  IconPencil,
  IconPlus,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { isGenerated } from '../../../data/draft-names.ts';
import { useTrust } from '../../../data/trust.ts';
import { desktopApi } from '../../../desktop/bridge.ts';
import { showFolder } from '../../../ui/show-folder.ts';
import { addFile, addSpecs, deleteFile, removeFromList } from './file-actions.ts';
import type { FileDialog } from './file-dialogs.tsx';
import type { FolderRow, ProjectFile, TreeRow } from './tree-rows.ts';

export interface MenuRequest {
  readonly row: TreeRow;
  readonly at: { readonly x: number; readonly y: number };
}

interface MenuProps {
  readonly projectId: string;
  readonly owns: boolean;
  readonly dirty: boolean;
  readonly onDialog: (dialog: FileDialog) => void;
}

/** What can be done with a row of the tree. */
export function FileMenu(
  props: MenuProps & { readonly request: MenuRequest; readonly onClose: () => void },
) {
  const { row, at } = props.request;
  return (
    // The key that opens it is no key outside of it.
    <Menu
      opened
      onClose={props.onClose}
      position="bottom-start"
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        <span className="sw-file-menu-at" style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown
        data-testid="file-menu"
        aria-label={t('Actions for {name}', { name: row.name })}
      >
        {row.type === 'folder' ? (
          <FolderItems {...props} row={row} />
        ) : (
          <FileItems {...props} file={row.file} />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Item(props: {
  readonly icon: typeof IconCopy;
  readonly onClick: () => void;
  readonly testId: string;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  readonly children: ReactNode;
}) {
  const { icon: Icon } = props;
  return (
    <Menu.Item
      leftSection={<Icon size={15} />}
      onClick={props.onClick}
      disabled={props.disabled === true}
      {...(props.danger === true ? { color: 'var(--sw-danger)' } : {})}
      data-testid={props.testId}
    >
      {props.children}
    </Menu.Item>
  );
}

function FileItems(props: MenuProps & { readonly file: ProjectFile }) {
  const { file, projectId } = props;
  if (file.kind === null) {
    return <UnaddedItems projectId={projectId} file={file} />;
  }
  const ask = (kind: 'rename' | 'duplicate' | 'moved') => () => props.onDialog({ kind, file });
  const generated = isGenerated(file.ref);
  const removal = props.owns && (
    <Item
      icon={IconX}
      testId="menu-remove"
      onClick={() => void removeFromList(projectId, file)}
      disabled={props.dirty}
    >
      {t('Remove from the list')}
    </Item>
  );
  if (file.missing) {
    return (
      <>
        {props.owns && (
          <Item icon={IconFolderSymlink} testId="menu-moved" onClick={ask('moved')}>
            {t('Moved to…')}
          </Item>
        )}
        {removal}
      </>
    );
  }
  return (
    <>
      {props.owns && (
        <>
          <Item
            icon={IconPencil}
            testId="menu-rename"
            onClick={ask('rename')}
            disabled={props.dirty || file.capabilities === 'read'}
          >
            {t('Rename or move…')}
          </Item>
          <Item icon={IconCopy} testId="menu-duplicate" onClick={ask('duplicate')}>
            {t('Duplicate…')}
          </Item>
        </>
      )}
      <ShowFolder projectId={projectId} path={file.ref.slice(0, -file.name.length)} />
      <Menu.Divider />
      {!generated && removal}
      {(generated || props.owns) && (
        <Item
          icon={IconTrash}
          testId="menu-delete"
          danger
          disabled={props.dirty}
          onClick={() => void deleteFile(projectId, file)}
        >
          {t('Delete')}
        </Item>
      )}
    </>
  );
}

function UnaddedItems(props: { readonly projectId: string; readonly file: ProjectFile }) {
  const { projectId, file } = props;
  const add = (kind: 'spec' | 'overlay' | 'skill_source') => () =>
    void addFile(projectId, file.ref, kind);
  return (
    <>
      <Item icon={IconPlus} testId="menu-add" onClick={add('spec')}>
        {t('Add to the project')}
      </Item>
      <Item icon={IconLayersSubtract} testId="menu-add-overlay" onClick={add('overlay')}>
        {t('Add as an overlay')}
      </Item>
      {file.ref.endsWith('.md') && (
        <Item icon={IconFilePlus} testId="menu-add-skill" onClick={add('skill_source')}>
          {t('Add as a skill')}
        </Item>
      )}
      <ShowFolder projectId={projectId} path={file.ref.slice(0, -file.name.length)} />
    </>
  );
}

function FolderItems(props: MenuProps & { readonly row: FolderRow }) {
  const { projectId, row } = props;
  const { path } = row;
  return (
    <>
      {props.owns && path !== undefined && (
        <Item
          icon={IconFilePlus}
          testId="menu-new"
          onClick={() => props.onDialog({ kind: 'create', folder: path })}
        >
          {t('New file…')}
        </Item>
      )}
      {row.found.length > 0 && (
        <Item
          icon={IconPlus}
          testId="menu-add-all"
          onClick={() => void addSpecs(projectId, row.found)}
        >
          {t('{count, plural, one {Add the spec in it} other {Add all # specs in it}}', {
            count: row.found.length,
          })}
        </Item>
      )}
      <ShowFolder projectId={projectId} path={path ?? '.studio/drafts'} />
      <Item icon={IconTrash} testId="menu-trash" onClick={() => props.onDialog({ kind: 'trash' })}>
        {t('Show the trash')}
      </Item>
    </>
  );
}

/** In the window of the desktop, for a folder of this computer. */
function ShowFolder(props: { readonly projectId: string; readonly path: string }) {
  const folder = useTrust(props.projectId)?.folder ?? null;
  if (desktopApi() === undefined || folder === null) {
    return null;
  }
  return (
    <Item
      icon={IconFolderOpen}
      testId="menu-show-folder"
      onClick={() => showFolder(`${folder}/${props.path}`)}
    >
      {t('Show in folder')}
    </Item>
  );
}
