import type { MenuItemConstructorOptions } from 'electron';
import type { RecentProject } from '../preload/desktop-api.ts';
import { t } from '../preload/texts/t.ts';

/** What the icon in the notification area offers. */
export interface TrayActions {
  /** Brings the window used last to the front, or the windows back. */
  readonly open: () => void;
  readonly newWindow: () => void;
  readonly openProject: (id: string) => void;
  readonly quit: () => void;
}

const LINE: MenuItemConstructorOptions = { type: 'separator' };

/** The menu of the icon, as data. */
export function trayTemplate(
  recent: readonly RecentProject[],
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const projects = recent.map(({ id, name }) => ({
    label: name.replaceAll('&', '&&'),
    click: () => actions.openProject(id),
  }));
  return [
    { label: t('Open Specwright'), click: actions.open },
    { label: t('New window'), click: actions.newWindow },
    ...(projects.length === 0 ? [] : [LINE, ...projects]),
    LINE,
    { label: t('Quit'), click: actions.quit },
  ];
}
