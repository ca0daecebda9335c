import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FileCause } from '../../contract/studio/estate.ts';
import {
  type RepairOffer,
  repairOffers,
  repairsAgain,
  workflowKey,
} from '../../gaps/estate/repairs.ts';
import { groupByCause } from '../../gaps/estate/shared-causes.ts';
import { draftTargets } from '../../gaps/fixes/draft-targets.ts';
import type { FixTarget, FixValues } from '../../gaps/fixes/fix-types.ts';
import { applyFix, sharedOffers } from '../../gaps/fixes/fixes.ts';
import type { Gap } from '../../importers/analysis.ts';
import { patchText } from '../../spec/edit/diff-lines.ts';
import { CommandFailure, UsageFailure } from '../command-failure.ts';
import type { ConvertedFile } from '../import/convert-all.ts';
import type { ConvertOptions } from '../import/import-file.ts';
import { printDocument, printJson, printLine, printNote } from '../output.ts';
import { readTextFile } from '../read-text-file.ts';
import { writeFile } from '../write-file.ts';
import { convertPaths, type FileFacts } from './estate-files.ts';
import { keepRepairs, type MadeRepair, readRepairs } from './kept-repairs.ts';
import { valuesFor } from './offered-values.ts';

export interface FixManyOptions extends ConvertOptions {
  /** The folder that `import --out` wrote. */
  readonly drafts: string;
  readonly fix?: string;
  /** Id of a cause, or the source's type of element. */
  readonly cause?: string;
  readonly all?: boolean;
  /** Make the remembered repairs. */
  readonly again?: boolean;
  readonly set?: readonly string[];
  readonly check?: boolean;
}

/** An export whose draft is in the folder. */
interface DraftOfFile {
  readonly path: string;
  readonly draft: string;
  readonly file: string;
  readonly text: string;
  readonly facts: FileFacts['facts'];
  readonly causes: readonly FileCause[];
  /** Gap → its cause. */
  readonly causeOf: ReadonlyMap<string, string>;
  readonly targets: readonly FixTarget[];
}

type Missing = { readonly path: string; readonly missing: string };

function causesOf(gaps: readonly Gap[], typeOf: FileFacts['typeOf']): Map<string, string> {
  const groups = groupByCause(gaps, typeOf);
  return new Map(groups.flatMap(({ cause, gaps: own }) => own.map((g) => [g.gap_id, cause.id])));
}

function readDraft(folder: string, file: ConvertedFile, facts: FileFacts): DraftOfFile | Missing {
  const { report, analysis } = file;
  const { path: shown, draft } = report;
  if (analysis === undefined || draft === null) return { path: shown, missing: 'it was refused' };
  const at = path.join(folder, draft);
  if (!existsSync(at)) return { path: shown, missing: `there is no ${at}` };
  const text = readTextFile(at);
  const gaps = analysis.gaps.map((gap) => ({ id: gap.gap_id, gap }));
  return {
    ...{ path: shown, draft, file: at, text, facts: facts.facts, causes: facts.causes },
    causeOf: causesOf(analysis.gaps, facts.typeOf),
    targets: draftTargets({ text, file: at }, analysis.canvas, gaps),
  };
}

/** The gaps of a draft that are asked for. */
function wantedIn(draft: DraftOfFile, cause: string | undefined): readonly FixTarget[] {
  if (cause === undefined) return draft.targets;
  const ids = draft.causes
    .filter(({ id, subject }) => id === cause || subject === cause)
    .map(({ id }) => id);
  return draft.targets.filter(({ gap_id }) => ids.includes(draft.causeOf.get(gap_id) ?? ''));
}

interface Edit {
  readonly draft: DraftOfFile;
  readonly targets: readonly FixTarget[];
  readonly fix: string;
  readonly title: string;
  readonly values: FixValues;
}

function offerOf(offers: readonly RepairOffer[], asked: string | undefined): RepairOffer {
  const offer = offers.find(({ fix }) => fix === asked);
  if (offer !== undefined) return offer;
  const fitting = offers.map(({ fix, gaps }) => `${fix} (${gaps.size} drafts)`).join(', ');
  if (fitting === '') throw new CommandFailure('No edit fits these gaps in these drafts.');
  throw new UsageFailure(`Choose an edit with --fix: ${fitting}.`);
}

/** The edits of one answer for all drafts that it fits. */
function editsOf(drafts: readonly DraftOfFile[], options: FixManyOptions): Edit[] {
  const offered = drafts.map((draft) => {
    const offers = sharedOffers(draft, wantedIn(draft, options.cause));
    return { ref: draft.draft, offers };
  });
  const offer = offerOf(repairOffers(offered), options.fix);
  const { fix, title } = offer;
  const values = valuesFor({ id: fix, fields: offer.fields }, options.set ?? []);
  return drafts.flatMap((draft) => {
    const ids = offer.gaps.get(draft.draft);
    if (ids === undefined) return [];
    const targets = draft.targets.filter(({ gap_id }) => ids.includes(gap_id));
    return [{ draft, targets, fix, title, values }];
  });
}

/** The remembered edits for drafts whose workflows they were made in before. */
function editsAgain(drafts: readonly DraftOfFile[], folder: string): Edit[] {
  const repairs = readRepairs(folder);
  if (repairs.length === 0) throw new CommandFailure(`No repairs are remembered in ${folder}.`);
  const byPath = new Map(drafts.map((draft) => [draft.path, draft]));
  return repairsAgain(drafts, repairs).flatMap(({ repair, files }) =>
    files.flatMap((file) => {
      const draft = byPath.get(file.path);
      const { cause, fix, title, values } = repair;
      return draft === undefined
        ? []
        : [{ draft, targets: wantedIn(draft, cause), fix, title, values }];
    }),
  );
}

/** A draft with all edits that were made of it. */
interface EditedDraft {
  readonly path: string;
  readonly draft: string;
  readonly written: boolean;
  readonly done: readonly string[];
  readonly refused: readonly { readonly gap_id: string; readonly reason: string }[];
  readonly new_error: string | null;
  readonly diff: string;
}

/** What was made, one repair for each cause that it answered. */
class MadeRepairs {
  private readonly byKey = new Map<string, MadeRepair>();

  add({ draft, fix, title, values }: Edit, gaps: readonly string[]): void {
    const causes = new Set(gaps.flatMap((gap) => draft.causeOf.get(gap) ?? []));
    for (const cause of causes) {
      const key = JSON.stringify([cause, fix, values]);
      const known = this.byKey.get(key) ?? { cause, fix, title, values, workflows: [] };
      const workflows = [...new Set([...known.workflows, workflowKey(draft)])];
      this.byKey.set(key, { ...known, workflows });
    }
  }

  list(): MadeRepair[] {
    return [...this.byKey.values()];
  }
}

/** Makes the edits of a draft one after the other; one that would bring an error is left out. */
function editDraft(
  draft: DraftOfFile,
  edits: readonly Edit[],
  made: MadeRepairs,
  isDry: boolean,
): EditedDraft {
  let text = draft.text;
  const done: string[] = [];
  const refused: { gap_id: string; reason: string }[] = [];
  let newError: string | null = null;
  for (const edit of edits) {
    const { targets, fix, values } = edit;
    const result = applyFix({ text, file: draft.file }, { fix, values, targets });
    refused.push(...result.refused);
    newError ??= result.newError;
    if (result.newError !== null) continue;
    text = result.text;
    done.push(...result.done);
    made.add(edit, result.done);
  }
  const written = !isDry && text !== draft.text;
  if (written) writeFile(draft.file, text);
  const diff = patchText(draft.draft, draft.text, text);
  const { path: shown, draft: name } = draft;
  return { path: shown, draft: name, written, done, refused, new_error: newError, diff };
}

function print(drafts: readonly EditedDraft[], options: FixManyOptions): void {
  for (const { draft, done, refused, new_error, diff } of drafts) {
    if (diff !== '') printDocument(`${diff}\n`);
    for (const { gap_id, reason } of refused) printLine(`✗ ${draft}, ${gap_id}: ${reason}`);
    if (new_error !== null) printLine(`✗ ${draft}: an edit would bring: ${new_error}`);
    else if (diff === '' && done.length > 0) printLine(`✓ ${draft}: it says so already`);
  }
  const changed = drafts.filter(({ diff }) => diff !== '');
  const gaps = changed.reduce((sum, { done }) => sum + done.length, 0);
  const said = options.check === true ? 'would be answered' : 'answered';
  printLine(`✓ ${gaps} gaps ${said} in ${changed.length} drafts`);
}

/**
 * `gaps fix PATH… --drafts FOLDER`: one edit in the drafts of many exports, each as a minimal change
 * that is shown; what was made is remembered beside the drafts, and made again after a new import.
 */
export async function fixMany(paths: readonly string[], options: FixManyOptions): Promise<number> {
  const isChosen = options.all === true || options.cause !== undefined;
  if (options.again === true ? isChosen || options.fix !== undefined : !isChosen) {
    throw new UsageFailure(
      'Say which gaps: --all, --cause of `specwright gaps estate`, or only --again.',
    );
  }
  const read = await convertPaths(paths, options, (file, facts) =>
    readDraft(options.drafts, file, facts),
  );
  const drafts = read.filter((one): one is DraftOfFile => !('missing' in one));
  const missing = read.filter((one): one is Missing => 'missing' in one);
  const edits =
    options.again === true ? editsAgain(drafts, options.drafts) : editsOf(drafts, options);
  const made = new MadeRepairs();
  const isDry = options.check === true;
  const edited = [...Map.groupBy(edits, ({ draft }) => draft)].map(([draft, own]) =>
    editDraft(draft, own, made, isDry),
  );
  if (!isDry) keepRepairs(options.drafts, made.list());
  if (options.json) printJson({ drafts: edited, missing });
  else print(edited, options);
  if (!options.json) for (const one of missing) printNote(`${one.path}: ${one.missing}.`);
  const isWhole = edited.every(
    ({ refused, new_error }) => refused.length === 0 && new_error === null,
  );
  return isWhole && edited.length > 0 ? 0 : 1;
}
