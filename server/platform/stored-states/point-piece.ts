import type { ResumePointsTable } from '../../store/platform-tables.ts';

/** What one turn of the event loop reads, copies or writes of a run's resume points. */
const MOST_POINTS = 200;
const MOST_CHARS = 131_072;

/** Some resume points of a run, in the order in which they were asked for. */
export interface PointPiece {
  readonly points: readonly ResumePointsTable[];
  /** True when others follow. */
  readonly more: boolean;
}

/** The first points, at least one, and no more than a turn of the event loop takes. */
export function takePiece(from: Iterable<ResumePointsTable>): PointPiece {
  const points: ResumePointsTable[] = [];
  let chars = 0;
  for (const point of from) {
    if (points.length === MOST_POINTS || chars >= MOST_CHARS) return { points, more: true };
    points.push(point);
    chars += point.change.length;
  }
  return { points, more: false };
}
