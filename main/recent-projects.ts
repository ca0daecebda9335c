import type { JumpListCategory } from 'electron';
import type { RecentProject } from '../preload/desktop-api.ts';
import { t } from '../preload/texts/t.ts';
import { linkOfProject } from './window-record.ts';

const MOST_RECENT = 12;
const LONGEST = 256;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST;
}

/** The projects that a window names; what is none is left out. */
export function readRecent(value: unknown): readonly RecentProject[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_RECENT).flatMap((one: unknown) => {
    const { id, name } = { id: null, name: null, ...(typeof one === 'object' ? one : {}) };
    return isText(id) && isText(name) ? [{ id, name }] : [];
  });
}

/** The jump list of Windows, as data: each entry starts the program with the project's address. */
export function jumpList(recent: readonly RecentProject[], program: string): JumpListCategory[] {
  return [
    {
      type: 'custom',
      name: t('Recent projects'),
      items: recent.map(({ id, name }) => ({
        type: 'task',
        title: name,
        description: t('Open this project'),
        program,
        args: linkOfProject(id),
        iconPath: program,
        iconIndex: 0,
      })),
    },
  ];
}
