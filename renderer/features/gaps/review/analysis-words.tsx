import type { AnalysisEntry } from '../../../../server/contract/studio/analysis-entries.ts';
import { countText } from '../../../ui/count-text.ts';
import { TimeAgo } from '../../../ui/time-ago.tsx';

/** What an analysis is of: the tool and how it was converted. */
export function importerText({
  source,
  conversion,
}: Pick<AnalysisEntry, 'source' | 'conversion'>): string {
  return conversion === 'strict' ? `${source}, strict` : source;
}

/** What of an analysis is open, in words. */
export function openText(entry: Pick<AnalysisEntry, 'open_blocking' | 'open_manual'>): string {
  const { open_blocking, open_manual } = entry;
  const parts = [
    ...(open_blocking > 0 ? [`${open_blocking} blocking`] : []),
    ...(open_manual > 0 ? [`${open_manual} to review`] : []),
  ];
  return parts.length === 0 ? 'nothing open' : `${parts.join(', ')} open`;
}

/** How many of some analyses there are, and how many of them have something open. */
export function analysesText(entries: readonly AnalysisEntry[]): string {
  const open = entries.filter(({ open_blocking, open_manual }) => open_blocking + open_manual > 0);
  return `${countText(entries.length, 'import')}, ${open.length} with open gaps`;
}

/** Which import something belongs to: tool, time and person. */
export function ImportOf(props: { readonly entry: AnalysisEntry }) {
  const { entry } = props;
  return (
    <>
      {importerText(entry)}, imported <TimeAgo at={entry.created_at} />
      {entry.created_by_display_name !== null && ` by ${entry.created_by_display_name}`}
    </>
  );
}
