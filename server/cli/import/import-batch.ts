import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IMPORTABLE } from '../../gaps/report/source-of-file.ts';
import { printDocument, printNote, progressLine } from '../output.ts';
import { writeFile } from '../write-file.ts';
import { type ConvertedFile, convertAll } from './convert-all.ts';
import { printReport, type ReportFormat, reportText } from './report-text.ts';
import { listSources } from './sources.ts';

export interface BatchOptions {
  readonly source?: string;
  readonly strict?: boolean;
  /** Folder for the drafts, their gaps and the report. */
  readonly out?: string;
  readonly format?: ReportFormat;
}

/** Writes what a file became; otherwise says why a draft of that name is left as it is. */
function writeDraft(folder: string, { analysis, report }: ConvertedFile): string | undefined {
  if (analysis === undefined || report.draft === null) return undefined;
  const { spec_yaml, summary, gaps, suggestions } = analysis;
  const draft = path.join(folder, report.draft);
  if (existsSync(draft)) {
    if (readFileSync(draft, 'utf8') === spec_yaml) return undefined;
    return `${draft} is there with another content and is left as it is.`;
  }
  writeFile(draft, spec_yaml);
  const record = { source_sha256: analysis.source_sha256, summary, gaps, suggestions };
  const name = `${report.draft.slice(0, -'.yaml'.length)}.gaps.json`;
  writeFile(path.join(folder, name), `${JSON.stringify(record, null, 2)}\n`);
  return undefined;
}

/**
 * `import PATH…`: converts everything that the paths offer and reports on it. Exit 0 when every
 * file became a draft, 1 when one was refused, when a changed draft was left, or when there was none.
 */
export async function importBatch(
  paths: readonly string[],
  options: BatchOptions,
): Promise<number> {
  const files = await listSources(paths);
  const progress = progressLine();
  const { out, format } = options;
  const left: string[] = [];
  const reports = await convertAll(
    files,
    {
      conversion: options.strict ? 'strict' : 'extended',
      source: options.source,
      onProgress: (done, total) => progress.show(`${done} of ${total} files`),
    },
    (file) => {
      const note = out === undefined ? undefined : writeDraft(out, file);
      if (note !== undefined) left.push(note);
      return file.report;
    },
  );
  progress.end();
  for (const note of left) printNote(note);
  const isAccepted = reports.every(({ status }) => status === 'accepted');
  const complete = reports.length > 0 && isAccepted && left.length === 0;
  if (out !== undefined) {
    const report = path.join(out, `import-report.${format ?? 'json'}`);
    writeFile(report, reportText(reports, format ?? 'json'));
    printReport(reports);
  } else if (format === undefined) printReport(reports);
  else printDocument(reportText(reports, format));
  if (reports.length === 0) printNote(`No export was found: ${IMPORTABLE}`);
  return complete ? 0 : 1;
}
