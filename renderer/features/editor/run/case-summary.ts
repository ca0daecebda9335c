import { t } from '../../../../preload/texts/t.ts';
import type { CaseResult } from './case-check.ts';
import type { RunCase } from './case-store.ts';

/** What all cases that expect something came to; null where none of them ran. */
export function caseSummary(
  cases: readonly (Pick<RunCase, 'expected'> & { readonly result: CaseResult | null })[],
): { readonly text: string; readonly tone: 'success' | 'danger' | 'neutral' } | null {
  const results = cases.flatMap(({ result }) => result?.result ?? []);
  if (results.length === 0) return null;
  const count = (wanted: CaseResult['result']): number =>
    results.filter((one) => one === wanted).length;
  const [failed, waiting] = [count('failed'), count('waiting')];
  const expecting = cases.filter(({ expected }) => expected !== null).length;
  const rest = expecting - results.length;
  const parts = [
    t('{count} of {expecting} passed', { count: count('passed'), expecting }),
    ...(failed > 0 ? [t('{failed} not as expected', { failed })] : []),
    ...(waiting > 0 ? [t('{waiting} waiting', { waiting })] : []),
    ...(rest > 0 ? [t('{rest} not run yet', { rest })] : []),
  ];
  const whole = waiting === 0 && rest === 0;
  return { text: parts.join(', '), tone: failed > 0 ? 'danger' : whole ? 'success' : 'neutral' };
}
