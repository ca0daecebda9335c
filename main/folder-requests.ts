import type { OpenedFolder } from '../preload/desktop-api.ts';
import { t } from '../preload/texts/t.ts';
import type { FolderMessage, OpenFolderMessage } from '../server/host/protocol.ts';

const TIME_LIMIT_MS = 30_000;
const stopped = () =>
  t('The services are not running. Wait until they are, then open the folder again.');
const silent = () => t('The services did not answer. Try again in a moment.');

/** Folders that the services were asked to open, until they answer. */
export class FolderRequests {
  readonly #waiting = new Map<number, (answer: OpenedFolder) => void>();
  #last = 0;

  /** Asks by `send`, which answers false when there is nobody to ask. Never rejects. */
  ask(folder: string, send: (message: OpenFolderMessage) => boolean): Promise<OpenedFolder> {
    this.#last += 1;
    const id = this.#last;
    const { promise, resolve } = Promise.withResolvers<OpenedFolder>();
    const timer = setTimeout(() => this.#settle(id, failed(silent())), TIME_LIMIT_MS);
    this.#waiting.set(id, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    if (!send({ type: 'open_folder', id, folder })) this.#settle(id, failed(stopped()));
    return promise;
  }

  answered({ id, project_id, known, problem }: FolderMessage): void {
    this.#settle(id, { project_id, known, problem });
  }

  /** The services ended: nobody answers any more. */
  ended(): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, failed(stopped()));
  }

  #settle(id: number, answer: OpenedFolder): void {
    const settle = this.#waiting.get(id);
    this.#waiting.delete(id);
    settle?.(answer);
  }
}

function failed(problem: string): OpenedFolder {
  return { project_id: null, known: false, problem };
}
