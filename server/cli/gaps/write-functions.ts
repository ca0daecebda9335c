import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { elementNamed } from '../../gaps/fixes/draft-steps.ts';
import type { DraftText, FixTarget } from '../../gaps/fixes/fix-types.ts';
import { missingCode } from '../../gaps/fixes/missing-code.ts';
import { editText } from '../../spec/edit/edit-text.ts';
import { type FunctionSketch, sketchFunction } from '../../spec/edit/function-sketch.ts';
import { applyEdits } from '../../spec/edit/text-edit.ts';
import { formatOfFile, parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import { printJson, printLine } from '../output.ts';
import { writeFile, writeNewFile } from '../write-file.ts';

/** What `--fix` calls it. */
export const WRITE_FUNCTION = 'write_function';

interface Written {
  readonly gap_id: string;
  readonly implementation: string;
  readonly files: readonly string[];
}

/** The first name that neither file is taken of. */
function freeModule(folder: string, { module }: FunctionSketch): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? module : `${module}_${count}`;
    const taken = [`${name}.ts`, `${name}.test.ts`].some((file) =>
      existsSync(path.join(folder, file)),
    );
    if (!taken) return name;
  }
}

function writeSketch(folder: string, sketch: FunctionSketch): Omit<Written, 'gap_id'> {
  const module = freeModule(folder, sketch);
  const files = [`${module}.ts`, `${module}.test.ts`];
  mkdirSync(folder, { recursive: true });
  const [code, test] = files.map((file) => path.join(folder, file));
  if (code === undefined || test === undefined) throw new TypeError('a sketch has two files');
  writeNewFile(code, sketch.code);
  writeNewFile(test, sketch.test(module));
  return {
    implementation: `${module}.${sketch.export}`,
    files: files.map((file) => `functions/${file}`),
  };
}

interface Sketched {
  readonly gap_id: string;
  readonly sketch: FunctionSketch;
}

/** Code to begin with for each part that waits for some. */
function sketchesFor({ text, file }: DraftText, targets: readonly FixTarget[]): Sketched[] {
  const document = parseSpecText(text, formatOfFile(file)).value;
  if (document === undefined) return [];
  return targets.flatMap(({ gap_id, name }) =>
    missingCode(document, elementNamed(document, name)).flatMap((part) => {
      const sketch = sketchFunction(document, part);
      return sketch === undefined ? [] : [{ gap_id, sketch }];
    }),
  );
}

/** The draft with the implementations that were written. */
function withNames({ text, file }: DraftText, named: readonly [FunctionSketch, Written][]): string {
  let made = text;
  for (const [{ path: place }, { implementation }] of named) {
    const edit = { op: 'set', path: place, value: implementation } as const;
    made = applyEdits(made, editText(made, edit, formatOfFile(file)) ?? []);
  }
  return made;
}

/**
 * `gaps fix --fix write_function`: code to begin with for each gap that waits for some, beside the draft,
 * which names it then. A file is never overwritten.
 */
export function writeFunctions(
  draft: DraftText,
  targets: readonly FixTarget[],
  { json, check }: { readonly json?: boolean; readonly check?: boolean },
): number {
  const sketches = sketchesFor(draft, targets);
  if (sketches.length === 0) throw new CommandFailure('No gap here waits for code to be written.');
  const folder = path.join(path.dirname(draft.file), 'functions');
  const made = sketches.map(({ gap_id, sketch }): [FunctionSketch, Written] => {
    const plan = { implementation: `${sketch.module}.${sketch.export}`, files: [] };
    return [sketch, { gap_id, ...(check === true ? plan : writeSketch(folder, sketch)) }];
  });
  if (check !== true) writeFile(draft.file, withNames(draft, made));
  const written = made.map(([, one]) => one);
  if (json) printJson({ fix: WRITE_FUNCTION, written });
  else for (const one of written) printLine(lineOf(one));
  return 0;
}

function lineOf({ gap_id, implementation, files }: Written): string {
  return `✓ ${gap_id}: ${[implementation, ...files].join(' ')}`;
}
