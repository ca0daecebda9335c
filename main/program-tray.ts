import { Menu, nativeImage, Tray } from 'electron';
import type { RecentProject } from '../preload/desktop-api.ts';
import { WINDOW_ICON } from './paths.ts';
import { type TrayActions, trayTemplate } from './tray-menu.ts';

const SIZE = { width: 22, height: 22 };

/** The icon in the notification area, where the person wants one. */
export interface ProgramTray {
  /** While it is shown, the program goes on after its last window was closed. */
  readonly isShown: boolean;
  show(shown: boolean): void;
  setRecent(recent: readonly RecentProject[]): void;
}

export function createProgramTray(actions: TrayActions): ProgramTray {
  let tray: Tray | undefined;
  let recent: readonly RecentProject[] = [];
  const build = () => tray?.setContextMenu(Menu.buildFromTemplate(trayTemplate(recent, actions)));
  return {
    get isShown() {
      return tray !== undefined;
    },
    show(shown) {
      if (shown === (tray !== undefined)) return;
      tray?.destroy();
      tray = shown ? new Tray(nativeImage.createFromPath(WINDOW_ICON).resize(SIZE)) : undefined;
      tray?.setToolTip('Specwright');
      tray?.on('click', actions.open);
      build();
    },
    setRecent(next) {
      recent = next;
      build();
    },
  };
}
