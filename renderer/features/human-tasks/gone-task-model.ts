/** Why a task is gone, by the status of its run; undefined where the run is not known. */
export function goneText(status: string | undefined): string {
  switch (status) {
    case undefined:
      return 'It was decided, its deadline has passed, or its run has ended.';
    case 'cancelled':
      return 'Its run was stopped, so nothing waits for an answer.';
    case 'expired':
      return 'Its deadline passed without an answer, and the run ended with it.';
    case 'timed_out':
      return 'Its run met its own deadline.';
    case 'blocked':
      return 'It was decided, and the run waits for something else now.';
    case 'failed':
      return 'It was decided, or its deadline has passed; the run failed since.';
    default:
      return 'Somebody decided it, and the run went on.';
  }
}
