import type { FixField, FixOffer } from '../fixes/fix-types.ts';

/** A draft with the edits that fit its gaps of one cause. */
export interface OfferedDraft {
  readonly ref: string;
  readonly offers: readonly FixOffer[];
}

/** One kind of edit for the drafts that it fits. */
export interface RepairOffer {
  readonly fix: string;
  readonly title: string;
  readonly about: string;
  readonly fields: readonly FixField[];
  /** The gaps that it answers, by draft. */
  readonly gaps: ReadonlyMap<string, readonly string[]>;
}

/** The fields of several offers of one edit, each once. */
function joinFields(known: readonly FixField[], more: readonly FixField[]): readonly FixField[] {
  const names = new Set(known.map(({ name }) => name));
  return [...known, ...more.filter(({ name }) => !names.has(name))];
}

/** The edits that fit gaps of several drafts, what answers most drafts first. */
export function repairOffers(drafts: readonly OfferedDraft[]): RepairOffer[] {
  const found = new Map<string, RepairOffer>();
  for (const { ref, offers } of drafts) {
    for (const { id: fix, title, about, fields, gap_ids } of offers) {
      const known = found.get(fix);
      found.set(fix, {
        ...{ fix, title, about },
        fields: joinFields(known?.fields ?? [], fields),
        gaps: new Map([...(known?.gaps ?? []), [ref, gap_ids]]),
      });
    }
  }
  // The table of edits has the most direct answer first; the sort keeps that among equals.
  return [...found.values()].sort((a, b) => b.gaps.size - a.gaps.size);
}

/** A repair that somebody made in many drafts, to be made again when their sources come again. */
export interface KnownRepair {
  readonly id: string;
  readonly cause: string;
  readonly fix: string;
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
  /** The workflows that it was made in, by `workflowKey`. */
  readonly workflows: readonly string[];
}

/** A file of an import, with what its draft still wants. */
export interface RepairableFile {
  readonly path: string;
  readonly draft: string | null;
  readonly facts: { readonly id: string | null; readonly name: string | null };
  readonly causes: readonly { readonly id: string }[];
}

const LONGEST_KEY = 400;

/** Names a workflow through its exports: the source's own id, else its name, else the file's. */
export function workflowKey({ path, facts }: Pick<RepairableFile, 'path' | 'facts'>): string {
  const key =
    facts.id !== null
      ? `id ${facts.id}`
      : facts.name !== null
        ? `name ${facts.name}`
        : `file ${path.slice(path.lastIndexOf('/') + 1)}`;
  return key.slice(0, LONGEST_KEY);
}

/** A repair with the files of an import that it was made in before and that want it again. */
export interface RepairAgain {
  readonly repair: KnownRepair;
  readonly files: readonly RepairableFile[];
}

/** The repairs that fit files of an import because they were made in an earlier one of them. */
export function repairsAgain(
  files: readonly RepairableFile[],
  repairs: readonly KnownRepair[],
): RepairAgain[] {
  return repairs.flatMap((repair) => {
    const made = new Set(repair.workflows);
    const again = files.filter(
      (file) =>
        file.draft !== null &&
        made.has(workflowKey(file)) &&
        file.causes.some(({ id }) => id === repair.cause),
    );
    return again.length === 0 ? [] : [{ repair, files: again }];
  });
}
