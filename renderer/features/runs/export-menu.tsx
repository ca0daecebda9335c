import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { SaveMenu } from '../../ui/save-menu.tsx';
import { trackWork } from '../../workbench/work-store.ts';
import { type ExportFormat, readRuns, runsText } from './export-runs.ts';
import type { RunFilter } from './run-filter-model.ts';

const NUMBERS = new Intl.NumberFormat(locale());

async function save(
  filter: RunFilter,
  chosen: readonly RunRow[],
  format: ExportFormat,
): Promise<void> {
  const found =
    chosen.length > 0
      ? { rows: chosen, total: chosen.length }
      : await trackWork(t('Reading the runs to export'), readRuns(filter, Date.now()));
  const count = NUMBERS.format(found.rows.length);
  const { saved } = await saveTextFile(`runs.${format}`, await runsText(found.rows, format));
  if (saved) {
    notifyDone(
      found.total > found.rows.length
        ? t('{count} of {NUMBERS} runs are exported: the platform lists no more', {
            count,
            NUMBERS: NUMBERS.format(found.total),
          })
        : t('{count, plural, one {# run} other {# runs}} exported', { count: found.rows.length }),
    );
  }
}

/** Saves the selected runs, else all that the filter finds. */
export function ExportMenu(props: {
  readonly filter: RunFilter;
  readonly chosen: readonly RunRow[];
}) {
  const { filter, chosen } = props;
  const start = (format: ExportFormat): void => {
    save(filter, chosen, format).catch((error: unknown) =>
      notifyError(t('The runs were not exported'), error),
    );
  };
  return (
    <SaveMenu
      label={t('Export')}
      formats={['csv', 'json']}
      onSave={start}
      button={{ size: 'compact-xs', variant: 'subtle', color: 'gray' }}
      about={
        chosen.length > 0
          ? t('{count, number} selected', { count: chosen.length })
          : t('All runs of this filter')
      }
      testId="export-runs"
    />
  );
}
