/** What each finding of a spec begins with: code, and where it stands. */
const CODE_AND_PLACE = /(?<=^|\s)E_[A-Z0-9_]+(?: at \S+)?: /g;

/** An error where one line has to do: what happened, without codes and places of findings. */
export function errorInBrief(error: string | null): string | null {
  return error === null ? null : error.replace(CODE_AND_PLACE, '');
}
