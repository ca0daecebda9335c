import { t } from '../../../preload/texts/t.ts';
import { type FileReport, summarizeImports } from '../../../server/gaps/report/import-report.ts';
import { REPORT_COLUMNS } from '../../../server/gaps/report/report-columns.ts';
import { reportHtml } from '../../../server/gaps/report/report-html.ts';
import { saveTextFile } from '../../desktop/bridge.ts';
import { csvText } from '../../ui/csv-text.ts';
import { notifyError } from '../../ui/notify.tsx';
import { SaveMenu } from '../../ui/save-menu.tsx';

type Format = 'html' | 'csv' | 'json';

async function reportText(files: readonly FileReport[], format: Format): Promise<string> {
  if (format === 'html') {
    return reportHtml(files);
  }
  if (format === 'json') {
    return `${JSON.stringify({ summary: summarizeImports(files), files }, null, 2)}\n`;
  }
  return await csvText(
    REPORT_COLUMNS.map(([head]) => head),
    files.map((file) => REPORT_COLUMNS.map(([, value]) => value(file))),
  );
}

/** Saves the report on an import of several files. */
export function ReportMenu(props: { readonly files: readonly FileReport[] }) {
  const save = (format: Format): void => {
    reportText(props.files, format)
      .then((text) => saveTextFile(`import-report.${format}`, text))
      .catch((error) => notifyError(t('The report was not saved'), error));
  };
  return (
    <SaveMenu
      label={t('Report')}
      formats={['html', 'csv', 'json']}
      onSave={save}
      button={{ disabled: props.files.length === 0 }}
      testId="batch-report"
    />
  );
}
