import type { FixOffer, FixTarget } from '../../gaps/fixes/fix-types.ts';
import { applyFix, fixOffers } from '../../gaps/fixes/fixes.ts';
import { CommandFailure, UsageFailure } from '../command-failure.ts';
import { printJson, printLine } from '../output.ts';
import { writeFile } from '../write-file.ts';
import { type ExportGaps, exportGaps, type GapOptions } from './export-gaps.ts';
import { valuesFor } from './offered-values.ts';
import { WRITE_FUNCTION, writeFunctions } from './write-functions.ts';

export interface FixOptions extends GapOptions {
  readonly draft: string;
  readonly fix?: string;
  /** `name=value` for each field. */
  readonly set?: readonly string[];
  /** Only say what would become of the draft. */
  readonly check?: boolean;
}

function chosenTargets({ targets }: ExportGaps, ids: readonly string[]): readonly FixTarget[] {
  if (ids.length === 0) return targets;
  const known = new Map(targets.map((target) => [target.gap_id, target]));
  return ids.map((id) => {
    const target = known.get(id);
    if (target === undefined) {
      throw new UsageFailure(`The export has no gap '${id}'; \`specwright gaps\` lists them.`);
    }
    return target;
  });
}

function chosenOffer(offers: readonly FixOffer[], asked: string | undefined): FixOffer {
  const offer = asked === undefined ? offers[0] : offers.find(({ id }) => id === asked);
  if (offer !== undefined) return offer;
  const fitting = offers.map(({ id }) => id).join(', ');
  if (asked === undefined || fitting === '') {
    throw new CommandFailure('No edit fits these gaps in this draft; answer them in its text.');
  }
  throw new UsageFailure(`The edit '${asked}' does not fit here; there are ${fitting}.`);
}

/**
 * `gaps fix FILE [ID …]`: makes one kind of edit for gaps of an export in its draft, all that it
 * fits without ids. Nothing is written when it would bring a new error.
 */
export function fixGaps(file: string, ids: readonly string[], options: FixOptions): number {
  if (ids.length === 0 && options.fix === undefined) {
    throw new UsageFailure('Name the gaps to answer, or with --fix the edit to make for all.');
  }
  const found = exportGaps(file, options);
  const targets = chosenTargets(found, ids);
  if (options.fix === WRITE_FUNCTION) return writeFunctions(found.draft, targets, options);
  const offer = chosenOffer(fixOffers(found.draft, targets), options.fix);
  const fitting = targets.filter(({ gap_id }) => offer.gap_ids.includes(gap_id));
  const values = valuesFor(offer, options.set ?? []);
  const { text, ...result } = applyFix(found.draft, { fix: offer.id, values, targets: fitting });
  const unfit = targets
    .filter((target) => ids.length > 0 && !fitting.includes(target))
    .map(({ gap_id }) => ({ gap_id, reason: `The edit '${offer.id}' does not fit this gap.` }));
  const sound = result.newError === null;
  const written = sound && options.check !== true && text !== found.draft.text;
  if (written) writeFile(options.draft, text);
  const { done, newError: new_error } = result;
  const outcome = {
    fix: offer.id,
    written,
    done,
    refused: [...result.refused, ...unfit],
    new_error,
  };
  if (options.json) printJson(outcome);
  else printOutcome(outcome, offer.title, options);
  return sound && outcome.refused.length === 0 && done.length > 0 ? 0 : 1;
}

interface Outcome {
  readonly done: readonly string[];
  readonly refused: readonly { readonly gap_id: string; readonly reason: string }[];
  readonly new_error: string | null;
}

function printOutcome({ done, refused, new_error }: Outcome, title: string, options: FixOptions) {
  for (const { gap_id, reason } of refused) printLine(`✗ ${gap_id}: ${reason}`);
  if (new_error !== null) {
    printLine(`✗ nothing was written; the edit would bring: ${new_error}`);
    return;
  }
  const said = options.check === true ? 'would be answered' : 'answered';
  printLine(`✓ ${options.draft}: ${done.length} ${said} (${title})`);
}
