import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './projects.css';
import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { getMe } from '../../../server/contract/studio/session.ts';
import { looksLikeSpec } from '../../../server/spec/values/looks-like-spec.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { readTrust } from '../../data/trust.ts';
import { desktopApi, type OpenedFile, type OpenedFolder } from '../../desktop/bridge.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { trustRequestStore } from '../../workbench/trust-request.ts';
import { trackWork } from '../../workbench/work-store.ts';

const MODAL = 'open-folder';

/** The question comes once, with the folder; later it stands in the status bar. */
async function asksAboutTrust({ project_id, known }: OpenedFolder): Promise<boolean> {
  if (project_id === null || known) return false;
  const isOpen = (await readTrust(project_id))?.state === 'untrusted';
  if (isOpen) trustRequestStore.set(project_id);
  return isOpen;
}

/** Shows the project that a folder became. `opening` answers null when nothing was chosen. */
async function show(opening: Promise<OpenedFolder | null>): Promise<void> {
  const opened = await opening;
  if (opened === null) return;
  if (opened.project_id === null)
    throw new Error(opened.problem ?? t('The folder was not opened.'));
  await queryClient.invalidateQueries({ queryKey: routePrefix(getMe) });
  const me = await queryClient.fetchQuery({ ...routeQuery(getMe), staleTime: 0 });
  navigateTo(paths.project(opened.project_id));
  const name = me.projects.find(({ id }) => id === opened.project_id)?.name ?? t('The folder');
  if (await asksAboutTrust(opened)) return;
  notifyDone(
    opened.known
      ? t('{name} is a project already', { name })
      : t('Opened {name} as a project', { name }),
  );
}

function run(opening: Promise<OpenedFolder | null>): void {
  trackWork(t('Opening the folder'), show(opening)).catch((error) =>
    notifyError(t('The folder was not opened'), error),
  );
}

/** Shows what became of a folder that the operating system asked to open. */
export function showOpenedFolder(opened: OpenedFolder): void {
  run(Promise.resolve(opened));
}

/** Lets the person choose a folder, which becomes a project; a browser is told the other way. */
export function openFolder(): void {
  const api = desktopApi();
  if (api !== undefined) {
    run(api.openFolder());
    return;
  }
  modals.open({ modalId: MODAL, title: t('Open a folder'), size: 'lg', children: <InBrowser /> });
}

/** A browser hands over files, never the place of a folder. */
function InBrowser() {
  return (
    <div data-testid="open-folder-browser">
      <Text size="sm">
        {t(
          'A browser does not say where a folder stands. Make it a project on the computer that runs the services. Its files stay where they are.',
        )}
      </Text>
      <ul className="sw-open-folder">
        <li>
          {t('As the folder of the project “default”, at the start of a new data folder:')}
          <br />
          <CopyCode value="specwright serve --project FOLDER" />
        </li>
        <li>
          {t(
            'As a further project, while the services run; STUDIO_ATTACHABLE_ROOTS names the folders that this is allowed in:',
          )}
          <br />
          <CopyCode value="specwright studio project attach --path FOLDER --owner local-owner" />
        </li>
        <li>
          {rich('In the window of the desktop: <b>Open a folder…</b>, or drop it there.', {
            b: (text) => <strong>{text}</strong>,
          })}
        </li>
      </ul>
    </div>
  );
}

/** The one folder that was dropped; to be asked while the drop is handled. */
export function folderIn({ items, files }: DataTransfer): File | undefined {
  const [item] = items;
  const [file] = files;
  const isFolder = items.length === 1 && item?.webkitGetAsEntry()?.isDirectory === true;
  return isFolder && desktopApi() !== undefined ? file : undefined;
}

/** Whether what is in a dropped folder is rather a project than something to import. */
export function holdsSpecs(found: readonly OpenedFile[]): boolean {
  return found.length === 0 || found.some(({ text }) => text !== null && looksLikeSpec(text));
}

/** Asks what a dropped folder is to become; without anything to import it becomes a project. */
export function askAboutFolder(
  folder: File,
  found: readonly OpenedFile[],
  onImport: () => void,
): void {
  const open = (): void => {
    modals.close(MODAL);
    const api = desktopApi();
    if (api !== undefined) run(api.openDroppedFolder(folder));
  };
  const rest = found.filter(({ text }) => text === null || !looksLikeSpec(text)).length;
  modals.open({
    modalId: MODAL,
    title: t('Open {name}', { name: folder.name }),
    size: 'lg',
    children: (
      <div data-testid="dropped-folder">
        <Text size="sm">
          {rich(
            'As a project, its files stay where they are, and specs in it are added by one click.{value}',
            {
              value:
                rest > 0 &&
                t(
                  ' An import makes drafts of {count, plural, one {# file} other {# files}} in this project.',
                  { count: rest },
                ),
            },
          )}
        </Text>
        <Group justify="flex-end" mt="md">
          {rest > 0 && (
            <Button
              variant="default"
              onClick={() => {
                modals.close(MODAL);
                onImport();
              }}
              data-testid="dropped-import"
            >
              {t('Import the workflows in it')}
            </Button>
          )}
          <Button onClick={open} data-autofocus data-testid="dropped-open">
            {t('Open as a project')}
          </Button>
        </Group>
      </div>
    ),
  });
}
