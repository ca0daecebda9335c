import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { ResumePoint } from '../../engine/resume-point.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';

import type { PlatformTables, ResumePointsTable } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import { StoredChanges } from '../stored-forms/stored-changes.ts';
import { takePiece } from './point-piece.ts';

/** Places from which runs can be run again, kept as differences. */
export interface ResumePoints {
  insert(row: ResumePointsTable): void;
  /**
   * A point of a run; one that was not stored is the very beginning. Those before it are read in
   * pieces, and others get their turn in between.
   */
  find(runId: string, number: number): Promise<ResumePoint>;
  /** The number of the last point; 0 when there is none. */
  last(runId: string): number;
}

function isPoint(value: unknown): value is ResumePoint {
  return isObject(value) && typeof value['number'] === 'number' && isObject(value['histories']);
}

export function createResumePoints(store: SyncStore<PlatformTables>): ResumePoints {
  const insert = store.sync.prepare<[ResumePointsTable]>(
    'INSERT INTO resume_points (run_id, number, change) VALUES (@run_id, @number, @change)',
  );
  const between = store.sync.prepare<[string, number, number], ResumePointsTable>(
    'SELECT * FROM resume_points WHERE run_id = ? AND number > ? AND number <= ? ORDER BY number',
  );
  const last = store.sync.prepare<[string], { number: number | null }>(
    'SELECT MAX(number) AS number FROM resume_points WHERE run_id = ?',
  );
  return {
    insert: (row) => void insert.run(row),
    last: (runId) => last.get(runId)?.number ?? 0,
    async find(runId, number) {
      const changes = new StoredChanges();
      let state: JsonObject = {};
      let last = 0;
      for (;;) {
        const { points, more } = takePiece(between.iterate(runId, last, number));
        for (const { change } of points) state = changes.apply(state, JSON.parse(change));
        last = points.at(-1)?.number ?? last;
        if (!more) break;
        await turnOfLoop();
      }
      const point: unknown = state;
      return last === number && isPoint(point) ? point : { number, place: null, histories: {} };
    },
  };
}
