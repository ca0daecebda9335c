import type { GitView } from '../../contract/studio/git.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { type PathMarks, parseStatus } from './parse-git.ts';
import { inRepository } from './repository.ts';

const STATUS = [
  'status',
  '--porcelain=v2',
  '-z',
  '--untracked-files=normal',
  '--ignored=matching',
  '--no-renames',
  '--ignore-submodules=all',
];

type Status = Pick<GitView, 'state' | 'branch' | 'head'> & {
  readonly prefix: string;
  readonly marks: PathMarks;
};

const NOTHING = { branch: null, head: null, prefix: '', marks: new Map() } as const;

async function askStatus(root: string): Promise<Status> {
  const found = await inRepository(root, async ({ prefix, branch, head }, ask) => {
    const answer = await ask([...STATUS, '--', ...(prefix === '' ? [] : [prefix])]);
    return answer.state === 'answered'
      ? { state: 'ready' as const, branch, head, prefix, marks: parseStatus(answer.text) }
      : { ...NOTHING, state: 'unreadable' as const };
  });
  return found.state === 'ready' ? found.value : { ...NOTHING, state: found.state };
}

/** Asks git once for all who ask at the same time. */
export class GitStatuses {
  readonly #asked = new Map<string, Promise<Status>>();

  of({ id, root }: ProjectRow): Promise<Status> {
    const asked = this.#asked.get(id) ?? askStatus(root).finally(() => void this.#asked.delete(id));
    this.#asked.set(id, asked);
    return asked;
  }
}
