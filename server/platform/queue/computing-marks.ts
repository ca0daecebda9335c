import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/** Which thread of a service writes; each has a place of its own in the file. */
const SLOTS = { main: 0, execution: 1 } as const;
const SLOT_BYTES = 64;

/** Says which run is computed at this moment, where the next start finds it if the process dies of it. */
export interface ComputingMarks {
  /** From now on this run is computed. The result ends that. */
  enter(runId: string): () => void;
  close(): void;
}

/** Runs that a service computed when it died. */
export interface DeadService {
  readonly owner: string;
  readonly runs: readonly string[];
  /** It ended itself for want of memory or a defect of the engine; nobody killed it. */
  readonly byItself: boolean;
}

export const NO_MARKS: ComputingMarks = { enter: () => () => undefined, close: () => undefined };

function marksFile(databaseFile: string, owner: string): string {
  return `${databaseFile}-computing.${owner}`;
}

function reportFile(databaseFile: string, owner: string): string {
  return `${databaseFile}-fatal.${owner}.json`;
}

/**
 * A process that ends itself leaves a report, one that is killed leaves none: so the next start tells
 * them apart.
 */
export function reportFatalErrors(databaseFile: string, owner: string): void {
  const file = reportFile(databaseFile, owner);
  Object.assign(process.report, { excludeEnv: true, excludeNetwork: true });
  process.report.directory = path.dirname(file);
  process.report.filename = path.basename(file);
  process.report.compact = true;
  process.report.reportOnFatalError = true;
}

class FileMarks implements ComputingMarks {
  readonly #file: number;
  readonly #slot: number;
  /** In the order in which they were entered: computing is told of the last one. */
  readonly #runs = new Set<string>();
  readonly #bytes = Buffer.alloc(SLOT_BYTES, ' ');
  #open = true;

  constructor(file: number, slot: number) {
    this.#file = file;
    this.#slot = slot;
  }

  enter(runId: string): () => void {
    this.#runs.delete(runId);
    this.#runs.add(runId);
    this.#write(runId);
    return () => {
      if (this.#runs.delete(runId)) this.#write([...this.#runs].at(-1) ?? '');
    };
  }

  #write(runId: string): void {
    if (!this.#open) return;
    this.#bytes.fill(' ');
    this.#bytes.write(runId, 'latin1');
    // The system keeps what was written also when the process dies right after; no flush is needed.
    writeSync(this.#file, this.#bytes, 0, SLOT_BYTES, this.#slot * SLOT_BYTES);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#file);
  }
}

/** Marks of one thread; the execution thread's stand in the file that the main thread made. */
export function openMarks(
  databaseFile: string,
  owner: string,
  slot: keyof typeof SLOTS,
): ComputingMarks {
  if (databaseFile === ':memory:') return NO_MARKS;
  const file = marksFile(databaseFile, owner);
  const opened = openSync(file, existsSync(file) ? 'r+' : 'w+', 0o600);
  return new FileMarks(opened, SLOTS[slot]);
}

/** Removes what a service that stops in good order would leave. */
export function removeMarks(databaseFile: string, owner: string): void {
  rmSync(marksFile(databaseFile, owner), { force: true });
  rmSync(reportFile(databaseFile, owner), { force: true });
}

/** What services that are not alive any more were computing; it stands until it is removed. */
export function deadServices(databaseFile: string, alive: ReadonlySet<string>): DeadService[] {
  if (databaseFile === ':memory:') return [];
  const prefix = path.basename(marksFile(databaseFile, ''));
  const owners = readdirSync(path.dirname(databaseFile))
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((owner) => !alive.has(owner));
  return owners.map((owner) => {
    const text = readFileSync(marksFile(databaseFile, owner), 'latin1');
    const runs = text
      .replaceAll('\0', ' ')
      .split(' ')
      .filter((word) => word !== '');
    const byItself = existsSync(reportFile(databaseFile, owner));
    return { owner, runs: [...new Set(runs)], byItself };
  });
}
