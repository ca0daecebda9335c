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

const LINES = [
  ['kept', 'Stay done', 'What they gave is kept; they do not run again.', 'neutral'],
  ['ahead', 'Still to run', 'In the order of the new spec.', 'neutral'],
  ['added', 'New', 'Among those still to run; the run did not know them before.', 'neutral'],
  ['gone', 'Not in the spec any more', 'They had ended: what they gave stays.', 'warning'],
  ['skipped', 'Left out', 'They stand in front of the place and never ran.', 'warning'],
] as const;

/** What becomes of the steps of a run, in the order in which a person asks; empty lines are left out. */
export function fitLines(fit: Refit): readonly FitLine[] {
  const again: FitLine[] =
    fit.repeats === null
      ? []
      : [
          {
            label: 'Runs again',
            steps: [fit.repeats],
            about: 'The step that failed, with the input that it had.',
            tone: 'neutral',
          },
        ];
  const others = LINES.map(([name, label, about, tone]) => ({
    label,
    about,
    tone,
    steps: fit[name],
  })).filter(({ steps }) => steps.length > 0);
  return [...again, ...others];
}

/** How many of the checked runs can go on; `checked` counts those that answered. */
export function fitSum(fits: readonly (Refit | undefined)[]): {
  readonly checked: number;
  readonly fitting: number;
} {
  const known = fits.filter((fit) => fit !== undefined);
  return { checked: known.length, fitting: known.filter((fit) => fit.fits).length };
}
