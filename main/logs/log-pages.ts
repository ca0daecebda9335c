import { type FileHandle, open } from 'node:fs/promises';
import type { LogLine, LogPage } from '../../preload/desktop-api.ts';
import type { LogSpan } from '../log-file.ts';
import { readLogLine } from './log-line.ts';

/** So much is read at once, however large the log is. */
const PAGE_BYTES = 256 * 1024;
const LINE_END = 0x0a;

async function fill(file: FileHandle, target: Buffer, from: number): Promise<void> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await file.read(target, filled, target.length - filled, from + filled);
    if (bytesRead === 0) return;
    filled += bytesRead;
  }
}

/** The bytes between two places of the log. A file that is gone counts as blank. */
async function bytesBetween(spans: readonly LogSpan[], from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  for (const { file, start, size } of spans) {
    const [first, last] = [Math.max(from, start), Math.min(to, start + size)];
    if (first >= last) continue;
    const handle = await open(file).catch(() => undefined);
    try {
      if (handle !== undefined) {
        await fill(handle, bytes.subarray(first - from, last - from), first - start);
      }
    } finally {
      await handle?.close();
    }
  }
  return bytes;
}

/** The lines of some bytes that begin at a place of the log. */
function linesOf(bytes: Buffer, start: number): readonly LogLine[] {
  const lines: LogLine[] = [];
  let from = 0;
  while (from < bytes.length) {
    const found = bytes.indexOf(LINE_END, from);
    const end = found < 0 ? bytes.length : found;
    const text = bytes.toString('utf8', from, end).replace(/\r$/, '');
    if (text.trim() !== '') lines.push(readLogLine(text, start + from));
    from = end + 1;
  }
  return lines;
}

function bounds(spans: readonly LogSpan[]): { readonly first: number; readonly end: number } {
  const last = spans.at(-1);
  return { first: spans[0]?.start ?? 0, end: last === undefined ? 0 : last.start + last.size };
}

/** The page that ends at `before`, or the last one of the log. */
export async function pageBefore(
  spans: readonly LogSpan[],
  before: number | null,
): Promise<LogPage> {
  const { first, end } = bounds(spans);
  const to = Math.max(first, Math.min(before ?? end, end));
  const from = Math.max(first, to - PAGE_BYTES);
  const read = await bytesBetween(spans, from, to);
  // The end of a line that is being written comes later.
  const bytes = read.subarray(0, read.lastIndexOf(LINE_END) + 1 || read.length);
  // A page begins with a line; one that is longer than a page is cut.
  const cut = from === first ? 0 : bytes.indexOf(LINE_END) + 1;
  const start = cut === bytes.length ? 0 : cut;
  const lines = linesOf(bytes.subarray(start), from + start);
  const earlier = from + start <= first ? null : from + start;
  return { lines, earlier, end: from + bytes.length };
}

/** What was written since `after`: whole lines, and of many the first page of them. */
export async function pageAfter(spans: readonly LogSpan[], after: number): Promise<LogPage> {
  const { first, end } = bounds(spans);
  const from = Math.max(first, Math.min(after, end));
  const bytes = await bytesBetween(spans, from, Math.min(end, from + PAGE_BYTES));
  const whole = bytes.lastIndexOf(LINE_END) + 1;
  const kept = whole === 0 && bytes.length === PAGE_BYTES ? bytes.length : whole;
  const lines = linesOf(bytes.subarray(0, kept), from);
  return { lines, earlier: from <= first ? null : from, end: from + kept };
}
