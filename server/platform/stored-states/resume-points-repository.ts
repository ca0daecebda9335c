import type { ResumePoint } from '../../engine/resume-point.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, ResumePointsTable } from '../../store/platform-tables.ts';
import { StoredChanges } from '../stored-forms/stored-changes.ts';

/** Places from which runs can be run again, kept as differences. */
export interface ResumePoints {
  insert(row: ResumePointsTable): void;
  /** A point of a run; one that was not stored is the very beginning. */
  find(runId: string, number: number): ResumePoint;
}

function isPoint(value: unknown): value is ResumePoint {
  return isObject(value) && typeof value['number'] === 'number' && isObject(value['histories']);
}

export function createResumePoints(store: Database<PlatformTables>): ResumePoints {
  const insert = store.sqlite.prepare<[ResumePointsTable]>(
    'INSERT INTO resume_points (run_id, number, change) VALUES (@run_id, @number, @change)',
  );
  const upTo = store.sqlite.prepare<[string, number], ResumePointsTable>(
    'SELECT * FROM resume_points WHERE run_id = ? AND number <= ? ORDER BY number',
  );
  return {
    insert: (row) => void insert.run(row),
    find(runId, number) {
      const rows = upTo.all(runId, number);
      const beginning: ResumePoint = { number, place: null, histories: {} };
      if (rows.at(-1)?.number !== number) return beginning;
      const changes = new StoredChanges();
      let state: JsonObject = {};
      for (const row of rows) state = changes.apply(state, JSON.parse(row.change));
      const point: unknown = state;
      return isPoint(point) ? point : beginning;
    },
  };
}
