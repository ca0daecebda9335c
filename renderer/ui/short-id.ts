const SHOWN = 6;

/**
 * The end of a run's id: ids begin with their time, so that all runs of a morning begin alike. The
 * dots say that the beginning is left out.
 */
export function shortRunId(id: string): string {
  return id.length <= SHOWN ? id : `…${id.slice(-SHOWN)}`;
}
