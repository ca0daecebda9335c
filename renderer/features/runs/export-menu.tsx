import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { countText } from '../../ui/count-text.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { SaveMenu } from '../../ui/save-menu.tsx';
import { trackWork } from '../../workbench/work-store.ts';
import { type ExportFormat, readRuns, runsText } from './export-runs.ts';
import type { RunFilter } from './run-filter-model.ts';

const NUMBERS = new Intl.NumberFormat('en');

async function save(
  filter: RunFilter,
  chosen: readonly RunRow[],
  format: ExportFormat,
): Promise<void> {
  const found =
    chosen.length > 0
      ? { rows: chosen, total: chosen.length }
      : await trackWork('Reading the runs to export', readRuns(filter, Date.now()));
  const count = NUMBERS.format(found.rows.length);
  const { saved } = await saveTextFile(`runs.${format}`, await runsText(found.rows, format));
  if (saved) {
    notifyDone(
      found.total > found.rows.length
        ? `${count} of ${NUMBERS.format(found.total)} runs are exported: the platform lists no more`
        : `${countText(found.rows.length, 'run')} exported`,
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
      notifyError('The runs were not exported', error),
    );
  };
  return (
    <SaveMenu
      label="Export"
      formats={['csv', 'json']}
      onSave={start}
      button={{ size: 'compact-xs', variant: 'subtle', color: 'gray' }}
      about={
        chosen.length > 0 ? `${NUMBERS.format(chosen.length)} selected` : 'All runs of this filter'
      }
      testId="export-runs"
    />
  );
}
