import { GapSeverity } from '../../contract/studio/gaps.ts';
import { offersForEach } from '../../gaps/fixes/fixes.ts';
import { printJson, printLine } from '../output.ts';
import { exportGaps, type GapOptions } from './export-gaps.ts';

/** `gaps FILE`: what an export does not carry over, and the edits that answer each gap. */
export function listGaps(file: string, options: GapOptions): number {
  const { gaps, draft, targets } = exportGaps(file, options);
  const offers = offersForEach(draft, targets);
  const fixesOf = (id: string) => (offers.get(id) ?? []).map(({ gap_ids: _, ...offer }) => offer);
  if (options.json) {
    printJson({ gaps: gaps.map((gap) => ({ ...gap, fixes: fixesOf(gap.gap_id) })) });
    return 0;
  }
  for (const severity of GapSeverity.options) {
    for (const gap of gaps.filter((one) => one.severity === severity)) {
      printLine(`${severity}: ${gap.title}`);
      printLine(`  ${gap.gap_id}`);
      printLine(`  ${gap.detail}`);
      for (const fix of fixesOf(gap.gap_id)) {
        const fields = fix.fields.map(({ name, initial }) => ` --set ${name}=${initial}`).join('');
        printLine(`  → ${fix.title}: --fix ${fix.id}${fields}`);
      }
    }
  }
  if (gaps.length === 0) printLine(`✓ ${file}: everything was carried over`);
  return 0;
}
