import type { SpecAnalysis } from './spec-protocol.ts';

/** Analyses of a changing text: debounced, and a newer text supersedes an older one. */
export interface DiagnosticsClient {
  /** The text changed to this version. */
  push(text: string, version: number): void;
  dispose(): void;
}

export interface DiagnosticsListener {
  readonly onStart: () => void;
  readonly onResult: (analysis: SpecAnalysis, version: number) => void;
  readonly onFailure: (error: unknown) => void;
}

const QUIET_MS = 40;

/** `ask` is the worker's `analyse`; at most one request runs, and only the newest text waits. */
export function createDiagnosticsClient(
  file: string,
  listener: DiagnosticsListener,
  ask: (input: { text: string; file: string }) => Promise<SpecAnalysis | undefined>,
  quietMs: number = QUIET_MS,
): DiagnosticsClient {
  let waiting: { text: string; version: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let disposed = false;

  const run = async (): Promise<void> => {
    if (waiting === undefined || running || disposed) {
      return;
    }
    const job = waiting;
    waiting = undefined;
    running = true;
    try {
      const analysis = await ask({ text: job.text, file });
      if (!disposed && waiting === undefined && analysis !== undefined) {
        listener.onResult(analysis, job.version);
      }
    } catch (error) {
      if (!disposed) {
        listener.onFailure(error);
      }
    } finally {
      running = false;
    }
    await run();
  };

  let first = true;
  return {
    push(text, version) {
      waiting = { text, version };
      listener.onStart();
      clearTimeout(timer);
      timer = setTimeout(() => void run(), first ? 0 : quietMs);
      first = false;
    },
    dispose() {
      disposed = true;
      clearTimeout(timer);
    },
  };
}
