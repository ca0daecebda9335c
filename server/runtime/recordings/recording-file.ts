import { appendFile, mkdir, open, readFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import {
  type RecordingEntry,
  type RecordingHeader,
  recordingEntry,
  recordingHeader,
} from '../../contract/platform/recordings.ts';
import { replaceFile } from '../../files/durable-write.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { EffectFailure } from '../run-effects.ts';
import { confinePath } from '../spec-files.ts';

const FOLDER = ['.studio', 'recordings'] as const;
const MAX_BYTES = 64 * 1024 * 1024;

/** A failed recording ends its run: nobody asked for half of one. */
export class RecordingFailure extends EffectFailure {}

export function recordingFailure(code: string, message: string): RecordingFailure {
  return new RecordingFailure(`${code}: ${message}`, { type: 'ValueError', retryable: false });
}

/**
 * The file of a recording in a project tree.
 * @throws EffectFailure when the way there leaves the tree
 */
export async function recordingPath(root: string, name: string): Promise<string> {
  const found = await confinePath(root, path.join(root, ...FOLDER, `${name}.jsonl`));
  if (found.ok) return found.path;
  throw recordingFailure('recording_confined', `recording '${name}' is outside of the project.`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function firstLine(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
      return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0];
    } finally {
      await handle.close();
    }
  } catch {
    // No file, or none that can be read: there is no recording of that run here.
    return undefined;
  }
}

async function belongsTo(file: string, runId: string): Promise<boolean> {
  const header = recordingHeader.safeParse(parsed((await firstLine(file)) ?? ''));
  return header.success && header.data.run_id === runId;
}

async function dropUnfinishedLine(file: string): Promise<void> {
  const bytes = await readFile(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) await truncate(file, end);
}

/**
 * Makes a file ready for a run's entries: goes on with the run's own recording (after a pause or a
 * restart), replaces any other.
 */
async function begin(file: string, header: RecordingHeader): Promise<void> {
  if (await belongsTo(file, header.run_id)) return dropUnfinishedLine(file);
  await mkdir(path.dirname(file), { recursive: true });
  await replaceFile(file, `${canonicalJson(header)}\n`, { mode: 0o600 });
}

/** Appends entries of one run to its recording. */
export interface RecordingWriter {
  /** @throws EffectFailure when the file is full, or another run records under the same name. */
  append(entry: RecordingEntry): Promise<void>;
}

/** Opens a recording for writing; the file is made with the first entry. */
export function createRecordingWriter(root: string, header: RecordingHeader): RecordingWriter {
  let file: Promise<string> | undefined;
  let last: Promise<void> = Promise.resolve();
  const start = async (): Promise<string> => {
    const found = await recordingPath(root, header.name);
    await begin(found, header);
    return found;
  };
  const write = async (line: string): Promise<void> => {
    file ??= start();
    const target = await file;
    if (!(await belongsTo(target, header.run_id))) {
      throw recordingFailure(
        'recording_taken',
        `another run records under the name '${header.name}' now.`,
      );
    }
    const { size } = await stat(target);
    if (size + line.length > MAX_BYTES) {
      throw recordingFailure(
        'recording_too_large',
        `recording '${header.name}' would be larger than ${MAX_BYTES / 1024 / 1024} MiB.`,
      );
    }
    await appendFile(target, line);
  };
  return {
    append(entry) {
      const written = last.then(() => write(`${canonicalJson(entry)}\n`));
      last = written.catch(() => undefined);
      return written.catch((error: unknown) => {
        if (error instanceof EffectFailure) throw error;
        const code = systemCode(error);
        const reason = code === undefined ? '' : ` (${code})`;
        throw recordingFailure(
          'recording_failed',
          `recording '${header.name}' cannot be written${reason}.`,
        );
      });
    },
  };
}

function readLines(text: string, name: string): RecordingEntry[] {
  const [first, ...lines] = text.split('\n');
  if (!recordingHeader.safeParse(parsed(first ?? '')).success) {
    throw recordingFailure('recording_unreadable', `'${name}' is no recording of this version.`);
  }
  return lines.flatMap((line, index) => {
    const entry = recordingEntry.safeParse(parsed(line));
    if (entry.success) return [entry.data];
    // A killed process leaves the last line unfinished; what it stood for was never committed.
    if (index === lines.length - 1) return [];
    throw recordingFailure(
      'recording_unreadable',
      `line ${index + 2} of recording '${name}' is no recorded call.`,
    );
  });
}

/**
 * Reads the calls of a recording. A call that was repeated after a kill counts once, with its last
 * outcome.
 * @throws EffectFailure when there is none, or it cannot be read
 */
export async function readRecording(root: string, name: string): Promise<RecordingEntry[]> {
  const file = await recordingPath(root, name);
  const facts = await stat(file).catch(() => undefined);
  if (facts === undefined || !facts.isFile()) {
    throw recordingFailure(
      'recording_missing',
      `there is no recording '${name}' in ${FOLDER.join('/')}.`,
    );
  }
  if (facts.size > MAX_BYTES) {
    throw recordingFailure('recording_too_large', `recording '${name}' is too large to read.`);
  }
  const entries = readLines(await readFile(file, 'utf8'), name);
  const byEffect = new Map(entries.map((entry) => [entry.effect_id, entry]));
  return [...byEffect.values()];
}
