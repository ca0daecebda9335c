import type { OpenedFolder, ServicesState } from '../preload/desktop-api.ts';

/** Folders that the system asks to open; they wait until the services can make projects of them. */
export interface OpenedFolders {
  add(folders: readonly string[]): void;
  servicesChanged(state: Pick<ServicesState, 'phase'>): void;
}

/** `open` never rejects; `tell` hands its answer to a window. */
export function createOpenedFolders(
  open: (folder: string) => Promise<OpenedFolder>,
  tell: (opened: OpenedFolder) => void,
): OpenedFolders {
  let waiting: string[] = [];
  let ready = false;
  const send = () => {
    if (!ready) return;
    const taken = waiting;
    waiting = [];
    for (const folder of taken) void open(folder).then(tell);
  };
  return {
    add(folders) {
      waiting.push(...folders);
      send();
    },
    servicesChanged({ phase }) {
      ready = phase === 'ready';
      send();
    },
  };
}
