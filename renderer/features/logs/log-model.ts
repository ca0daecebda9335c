import type { LogLevel, LogLine, LogPage } from '../../../preload/desktop-api.ts';
import { t } from '../../../preload/texts/t.ts';

/** What the window holds of the log; the oldest line stands first. */
export type LogView = LogPage;

/** What is looked for; an empty list of levels or sources stands for all. */
export interface LogFilter {
  readonly text: string;
  readonly levels: readonly string[];
  readonly sources: readonly string[];
}

export const LEVELS: readonly { readonly value: LogLevel; readonly label: string }[] = [
  { value: 'error', label: t('Error') },
  { value: 'warn', label: t('Warning') },
  { value: 'info', label: t('Info') },
  { value: 'output', label: t('Output') },
];

export const SOURCES: readonly {
  readonly value: LogLine['source'];
  readonly label: string;
}[] = [
  { value: 'shell', label: t('Shell') },
  { value: 'services', label: t('Services') },
];

/** More lines are not held while the log is followed; the earlier ones can be read again. */
export const MOST_LINES = 50_000;

/** The view with the page that stands before it. */
export function withEarlier(view: LogView, page: LogPage): LogView {
  const first = view.lines[0]?.at ?? view.end;
  const lines = page.lines.filter(({ at }) => at < first);
  return { ...view, lines: [...lines, ...view.lines], earlier: page.earlier };
}

/** The view with what was written since. */
export function withLater(view: LogView, page: LogPage): LogView {
  const lines = [...view.lines, ...page.lines.filter(({ at }) => at >= view.end)];
  const kept = lines.slice(-MOST_LINES);
  const earlier = kept.length < lines.length ? (kept[0]?.at ?? null) : view.earlier;
  return { lines: kept, earlier, end: page.end };
}

function textOf(line: LogLine): string {
  return line.fields === '' ? line.text : `${line.text} ${line.fields}`;
}

/** The lines that hold every word that is looked for, of the levels and sources that are asked for. */
export function filterLines(lines: readonly LogLine[], filter: LogFilter): readonly LogLine[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const { levels, sources } = filter;
  return lines.filter((line) => {
    const isAsked =
      (levels.length === 0 || levels.includes(line.level)) &&
      (sources.length === 0 || sources.includes(line.source));
    if (!isAsked || words.length === 0) {
      return isAsked;
    }
    const text = textOf(line).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A line as it is copied. */
export function copiedLine(line: LogLine): string {
  return [line.time ?? '-', line.level, line.source, textOf(line)].join(' ');
}
