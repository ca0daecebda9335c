import type { FileCause, SourceFacts } from '../../contract/studio/estate.ts';
import { fileCauses, type TypeOf } from '../../gaps/estate/shared-causes.ts';
import { sourceFacts } from '../../gaps/estate/source-facts.ts';
import { IMPORTABLE } from '../../gaps/report/source-of-file.ts';
import { type ConvertedFile, convertAll } from '../import/convert-all.ts';
import type { ConvertOptions } from '../import/import-file.ts';
import type { SourceFile } from '../import/source-file.ts';
import { listSources } from '../import/sources.ts';
import { printNote, progressLine } from '../output.ts';

/** What a file of several says of others, and the causes of its gaps. */
export interface FileFacts {
  readonly facts: SourceFacts;
  readonly causes: readonly FileCause[];
  /** The source's type name of an element. */
  readonly typeOf: TypeOf;
}

function factsOf({ report, analysis }: ConvertedFile, offered: SourceFile): FileFacts {
  const raw = offered.read();
  const types = new Map(analysis?.canvas.nodes.map((node) => [node.source_id, node.type]));
  const typeOf: TypeOf = (id) => types.get(id);
  return {
    facts: sourceFacts(report.source ?? '', typeof raw === 'string' ? raw : ''),
    causes: fileCauses(analysis?.gaps ?? [], typeOf),
    typeOf,
  };
}

/** Converts everything that the paths offer, and takes of each file what is wanted. */
export async function convertPaths<T>(
  paths: readonly string[],
  options: ConvertOptions,
  take: (file: ConvertedFile, facts: FileFacts) => T,
): Promise<readonly T[]> {
  const sources = await listSources(paths);
  const progress = progressLine();
  const files = await convertAll(
    sources,
    {
      conversion: options.strict ? 'strict' : 'extended',
      source: options.source,
      onProgress: (done, total) => progress.show(`${done} of ${total} files`),
    },
    (file, offered) => take(file, factsOf(file, offered)),
  );
  progress.end();
  if (files.length === 0) printNote(`No export was found: ${IMPORTABLE}`);
  return files;
}
