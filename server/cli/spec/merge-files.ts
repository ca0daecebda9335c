import type { MergeConflict } from '../../spec/merge/conflict.ts';
import { mergeSpecs, type SpecMerge } from '../../spec/merge/merge-specs.ts';
import { formatOfFile } from '../../spec/yaml/parse-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import { printDocument, printFailure, printNote } from '../output.ts';
import { readTextFile } from '../read-text-file.ts';
import { writeFile } from '../write-file.ts';

export interface MergeFilesOptions {
  readonly output?: string;
  readonly name?: string;
  readonly markerSize?: string;
}

const CLEAN = 0;
const CONFLICTS = 1;
/** Git takes a merge driver's exit above 128 as "could not merge", and 1 to 128 as conflicts. */
const FAILED = 129;
const MARKER_SIZE = 7;

function counted(conflicts: number): string {
  return conflicts === 1 ? '1 place' : `${conflicts} places`;
}

function told({ text }: MergeConflict): string {
  return `  ${text}`;
}

function report(name: string, { by, open, conflicts, faults }: SpecMerge): void {
  if (by === 'lines') printNote(`${name} cannot be merged by meaning; it was merged by lines.`);
  if (open > 0) printNote(`${name}: ${counted(open)} changed on both sides`);
  for (const conflict of conflicts) printNote(told(conflict));
  if (faults.length === 0) return;
  printNote(`${name}: the merged text has what neither side has`);
  for (const { message, path } of faults) printNote(`  ${path ?? 'the spec'}: ${message}`);
}

/** `merge BASE OURS THEIRS`: exit 0 when all went together, 1 when something is left to decide. */
export function mergeFiles(
  base: string,
  ours: string,
  theirs: string,
  { output, name = ours, markerSize }: MergeFilesOptions,
): number {
  try {
    const sides = {
      base: readTextFile(base),
      ours: readTextFile(ours),
      theirs: readTextFile(theirs),
    };
    const size = Number(markerSize ?? MARKER_SIZE);
    const marks = { mine: 'ours', theirs: 'theirs', size };
    const merge = mergeSpecs(sides, { format: formatOfFile(name), marks });
    if (output === undefined) printDocument(merge.marked);
    else writeFile(output, merge.marked);
    report(name, merge);
    return merge.open === 0 && merge.faults.length === 0 ? CLEAN : CONFLICTS;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    printFailure(error.message);
    return FAILED;
  }
}
