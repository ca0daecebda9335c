import { type Estate, type EstateFile, estateOf } from '../../gaps/estate/estate.ts';
import { fileCauses } from '../../gaps/estate/shared-causes.ts';
import { sourceFacts } from '../../gaps/estate/source-facts.ts';
import { type ConvertedFile, convertAll } from '../import/convert-all.ts';
import type { SourceFile } from '../import/source-file.ts';
import { listSources } from '../import/sources.ts';
import { printJson, printLine, printNote, progressLine } from '../output.ts';
import { printTable } from '../table.ts';

export interface EstateOptions {
  readonly source?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

function estateFile({ report, analysis }: ConvertedFile, source: SourceFile): EstateFile {
  const { path, draft, blocking } = report;
  const raw = source.read();
  const facts = sourceFacts(report.source ?? '', typeof raw === 'string' ? raw : '');
  const types = new Map(analysis?.canvas.nodes.map((node) => [node.source_id, node.type]));
  return {
    ...{ path, draft, blocking, facts },
    causes: fileCauses(analysis?.gaps ?? [], (id) => types.get(id)),
  };
}

function printEstate({ causes, calls, credentials }: Estate): void {
  if (causes.length > 0) {
    printLine('What one answer frees');
    printTable(causes, [
      { head: 'FREES', show: ({ frees }) => frees.length },
      { head: 'FILES', show: ({ files }) => files.length },
      { head: 'GAPS', show: ({ gaps }) => gaps },
      { head: 'SEVERITY', show: ({ severity }) => severity },
      { head: 'CAUSE', show: ({ title, subject }) => `${title} ${subject}`.trim() },
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
  options: EstateOptions,
): Promise<number> {
  const sources = await listSources(paths);
  const progress = progressLine();
  const files = await convertAll(
    sources,
    {
      conversion: options.strict ? 'strict' : 'extended',
      source: options.source,
      onProgress: (done, total) => progress.show(`${done} of ${total} files`),
    },
    estateFile,
  );
  progress.end();
  const estate = estateOf(files);
  if (options.json) printJson(estate);
  else printEstate(estate);
  if (files.length === 0) printNote('No n8n export (.json) or Dify app (.yml) was found.');
  return files.length === 0 ? 1 : 0;
}
