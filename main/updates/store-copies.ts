import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ShownCopy, StoreCopies } from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { isObject } from '../../server/kernel/json.ts';
import { UpdateProblem } from './refusal.ts';

/** The copies of the stores, through the command line of this program: the shell opens no store. */
export interface StoresPort {
  list(): Promise<StoreCopies>;
  /** While no service runs. @throws UpdateProblem `not_gone_back` */
  goBack(version: string): Promise<void>;
  /** @throws UpdateProblem `not_gone_back` */
  remove(): Promise<void>;
}

export interface StoresCommand {
  readonly node: string;
  readonly entry: string;
  readonly dataFolder: string;
}

const run = promisify(execFile);
const LONGEST_MS = 600_000;
/** What the services write before a line of theirs. */
const MARK = /^(?:✗|specwright:)\s*/;

const isText = (value: unknown): value is string => typeof value === 'string';

function copiesOf(store: unknown): ShownCopy[] {
  if (!isObject(store) || !Array.isArray(store['copies'])) return [];
  const { name } = store;
  return store['copies'].flatMap((copy: unknown): ShownCopy[] => {
    if (!isObject(copy) || !isText(name)) return [];
    const { kind, file, bytes, made_at } = copy;
    if (!isText(file) || typeof bytes !== 'number' || !isText(made_at)) return [];
    return [{ store: name, kind: kind === 'newer' ? 'newer' : 'before', file, bytes, made_at }];
  });
}

function lastLine(text: unknown): string {
  const lines = isText(text) ? text.trim().split('\n') : [];
  return lines.at(-1)?.replace(MARK, '').trim() ?? '';
}

/** The stores of a data folder. */
export function createStoresPort({ node, entry, dataFolder }: StoresCommand): StoresPort {
  const ask = async (...words: string[]): Promise<unknown> => {
    const options = { timeout: LONGEST_MS, maxBuffer: 4 * 1024 * 1024 };
    const given = [entry, 'stores', ...words, '--data', dataFolder, '--json'];
    try {
      return JSON.parse((await run(node, given, options)).stdout);
    } catch (error) {
      const said = isObject(error) ? lastLine(error['stderr']) : '';
      throw new UpdateProblem(
        'not_gone_back',
        said === '' ? t('The copies of the stores cannot be read.') : said,
        error,
      );
    }
  };
  return {
    async list() {
      try {
        const answer = await ask('list');
        const stores = isObject(answer) && Array.isArray(answer['stores']) ? answer['stores'] : [];
        const earlier = isObject(answer) ? answer['earlier'] : null;
        const version = isObject(earlier) ? earlier['version'] : null;
        return {
          copies: stores.flatMap(copiesOf),
          earlier: isText(version) ? version : null,
          problem: null,
        };
      } catch (error) {
        const problem = error instanceof UpdateProblem ? error.message : String(error);
        return { copies: [], earlier: null, problem };
      }
    },
    async goBack(version) {
      await ask('back', '--to', version);
    },
    async remove() {
      await ask('remove');
    },
  };
}
