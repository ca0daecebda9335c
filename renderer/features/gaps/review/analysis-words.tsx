import { t } from '../../../../preload/texts/t.ts';
import type { AnalysisEntry } from '../../../../server/contract/studio/analysis-entries.ts';
import { rich } from '../../../ui/rich.ts';
import { TimeAgo } from '../../../ui/time-ago.tsx';

/** What an analysis is of: the tool and how it was converted. */
export function importerText({
  source,
  conversion,
}: Pick<AnalysisEntry, 'source' | 'conversion'>): string {
  return conversion === 'strict' ? t('{source}, strict', { source }) : source;
}

/** What of an analysis is open, in words. */
export function openText(entry: Pick<AnalysisEntry, 'open_blocking' | 'open_manual'>): string {
  const { open_blocking, open_manual } = entry;
  const parts = [
    ...(open_blocking > 0 ? [t('{open_blocking} blocking', { open_blocking })] : []),
    ...(open_manual > 0 ? [t('{open_manual} to review', { open_manual })] : []),
  ];
  return parts.length === 0 ? t('nothing open') : t('{parts} open', { parts: parts.join(', ') });
}

/** How many of some analyses there are, and how many of them have something open. */
export function analysesText(entries: readonly AnalysisEntry[]): string {
  const open = entries.filter(({ open_blocking, open_manual }) => open_blocking + open_manual > 0);
  return t('{count, plural, one {# import} other {# imports}}, {count2} with open gaps', {
    count: entries.length,
    count2: open.length,
  });
}

/** Which import something belongs to: tool, time and person. */
export function ImportOf(props: { readonly entry: AnalysisEntry }) {
  const { entry } = props;
  return (
    <>
      {rich('{importer}, imported {time}{value}', {
        importer: importerText(entry),
        time: <TimeAgo at={entry.created_at} />,
        value:
          entry.created_by_display_name !== null &&
          t(' by {created_by_display_name}', {
            created_by_display_name: entry.created_by_display_name,
          }),
      })}
    </>
  );
}
