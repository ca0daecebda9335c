import type { Estate } from '../../contract/studio/estate.ts';
import { type EstateFile, estateOf } from '../../gaps/estate/estate.ts';
import type { ConvertOptions } from '../import/import-file.ts';
import { printJson, printLine } from '../output.ts';
import { printTable } from '../table.ts';
import { convertPaths } from './estate-files.ts';

function printEstate({ causes, calls, credentials }: Estate): void {
  if (causes.length > 0) {
    printLine('What one answer frees');
    printTable(causes, [
      { head: 'FREES', show: ({ frees }) => frees.length },
      { head: 'FILES', show: ({ files }) => files.length },
      { head: 'GAPS', show: ({ gaps }) => gaps },
      { head: 'SEVERITY', show: ({ severity }) => severity },
      { head: 'CAUSE', show: ({ title, subject }) => `${title} ${subject}`.trim() },
      { head: 'ID', show: ({ id }) => id },
    ]);
  }
  if (calls.length > 0) {
    printLine('\nWho runs whom');
    printTable(calls, [
      { head: 'WORKFLOW', show: ({ from }) => from },
      { head: 'AS', show: ({ kind }) => kind },
      { head: 'RUNS', show: ({ to, wanted }) => (to.length === 0 ? wanted : to.join(', ')) },
      { head: 'IT IS', show: ({ state }) => state },
    ]);
  }
  const shared = credentials.filter(({ files }) => files.length > 1);
  if (shared.length > 0) {
    printLine('\nShared credentials');
    printTable(shared, [
      { head: 'FILES', show: ({ files }) => files.length },
      { head: 'CREDENTIAL', show: ({ name }) => name },
      { head: 'TYPE', show: ({ type }) => type },
    ]);
  }
}

/** `gaps estate PATH…`: what many exports have to do with each other. Exit 1 when there is none. */
export async function showEstate(
  paths: readonly string[],
  options: ConvertOptions,
): Promise<number> {
  const files = await convertPaths(paths, options, ({ report }, { facts, causes }): EstateFile => {
    const { path, draft, blocking } = report;
    return { path, draft, blocking, facts, causes };
  });
  const estate = estateOf(files);
  if (options.json) printJson(estate);
  else printEstate(estate);
  return files.length === 0 ? 1 : 0;
}
