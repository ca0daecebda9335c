import { t } from '../../../preload/texts/t.ts';
import type { Refit } from '../../../server/contract/platform/recover.ts';
import { MOST_FIXED } from '../../app/paths.ts';

/** The runs that an address names, each once. */
export function fixedRuns(search: Readonly<Record<string, unknown>>): readonly string[] {
  const { runs } = search;
  const ids = typeof runs === 'string' ? runs.split(',').filter((id) => id !== '') : [];
  return [...new Set(ids)].slice(0, MOST_FIXED);
}

/** One thing that becomes of steps. */
export interface FitLine {
  readonly label: string;
  readonly steps: readonly string[];
  /** What it means. */
  readonly about: string;
  readonly tone: 'neutral' | 'warning';
}

/** What somebody reads of each list of the verdict, in the order in which a person asks. */
const LINES = [
  ['again', t('Runs again'), t('Where the run stopped, with the input that it had.'), 'neutral'],
  ['kept', t('Stay done'), t('What they gave is kept; they do not run again.'), 'neutral'],
  [
    'once_more',
    t('Run once more'),
    t('They had ended, but stand behind the place now.'),
    'warning',
  ],
  ['ahead', t('Still to run'), t('In the order of the new spec.'), 'neutral'],
  ['added', t('New'), t('Among those still to run; the run did not know them before.'), 'neutral'],
  ['gone', t('Not in the spec any more'), t('They had ended: what they gave stays.'), 'warning'],
  ['skipped', t('Left out'), t('They stand in front of the place and never ran.'), 'warning'],
] as const;

type Words = Partial<Record<(typeof LINES)[number][0], readonly [string, string]>>;

/** The same in a conversation, whose speakers come again. */
const TALK: Words = {
  again: [t('Speaks again'), t('Whose turn it was when the run stopped.')],
  kept: [t('Have spoken'), t('What they said is kept.')],
  ahead: [t('Speak after that'), t('In the turns that are left.')],
  gone: [t('Not in the spec any more'), t('They have spoken: what they said stays.')],
  skipped: [t('Never speak'), t('No turn is left for them.')],
};

/** The same of branches, which run side by side. */
const BRANCHES: Words = {
  again: [t('Run again'), t('Branches that had not ended, from their beginning.')],
  ahead: [t('Still to run'), t('Branches that have not begun.')],
  gone: [t('Not in the spec any more'), t('They had ended: what they gave is left out.')],
};

function wordsOf({ kind, turn }: Refit): Words {
  if (turn !== null) return TALK;
  return kind === 'concurrent' ? BRANCHES : {};
}

/** What becomes of the steps of a run; empty lines are left out. */
export function fitLines(fit: Refit): readonly FitLine[] {
  const words = wordsOf(fit);
  const lines = LINES.flatMap(([name, label, about, tone]): FitLine[] => {
    const [said, meant] = words[name] ?? [label, about];
    const steps = fit[name];
    return steps.length === 0 ? [] : [{ label: said, about: meant, tone, steps }];
  });
  const names = Object.entries(fit.renamed).map(([was, is]) => `${was} → ${is}`);
  const about = t('What is saved of them goes on under the new name.');
  const renamed: FitLine = { label: t('Renamed'), steps: names, about, tone: 'neutral' };
  return names.length === 0 ? lines : [...lines, renamed];
}

/** Which turn a conversation goes on with; undefined for all else, and where none is left. */
export function turnText({ turn, again }: Pick<Refit, 'turn' | 'again'>): string | undefined {
  if (turn === null || again.length === 0) return undefined;
  const round =
    turn.round === null
      ? ''
      : t(', in round {round} of {rounds}', { round: turn.round, rounds: turn.rounds ?? '?' });
  return t('It goes on with turn {number} of {of}{round}.', {
    number: turn.number,
    of: turn.of,
    round,
  });
}

/** True where nothing is left to run: the run completes with what it has. */
export function isOver({ fits, again, ahead, once_more: once }: Refit): boolean {
  return fits && again.length + ahead.length + once.length === 0;
}

/** A step of the runs that the spec lacks under its name. */
export interface MissingStep {
  readonly step: string;
  /** What it is taken for; null = for none. */
  readonly is: string | null;
  /** Nobody said so: it is the only one without a counterpart. */
  readonly found: boolean;
}

/** The steps that the runs know and the spec lacks, and those of the spec that they may be. */
export function missingSteps(
  fits: readonly Refit[],
  asked: Readonly<Record<string, string | null>>,
): { readonly missing: readonly MissingStep[]; readonly free: readonly string[] } {
  const missing = [...new Set(fits.flatMap((fit) => fit.missing))].map((step): MissingStep => {
    const said = Object.hasOwn(asked, step);
    const found = fits.map(({ renamed }) => renamed[step]).find((name) => name !== undefined);
    return { step, is: said ? (asked[step] ?? null) : (found ?? null), found: !said };
  });
  return { missing, free: [...new Set(fits.flatMap((fit) => fit.free))] };
}

/** Whether a run waits to be carried on: only those that stopped do. */
export function hasStopped(status: string): boolean {
  return status === 'failed' || status === 'timed_out';
}

/** How many of the checked runs can go on; `checked` counts those that answered. */
export function fitSum(fits: readonly (Refit | undefined)[]): {
  readonly checked: number;
  readonly fitting: number;
} {
  const known = fits.filter((fit) => fit !== undefined);
  return { checked: known.length, fitting: known.filter((fit) => fit.fits).length };
}
