/** What each finding of a spec begins with: code, and where it stands. */
const CODE_AND_PLACE = /(?<=^|\s)E_[A-Z0-9_]+(?: at \S+)?: /g;

/** What may be left of a finding where a preview cuts it off. */
const CUT_FINDING = /^E_[A-Z0-9_]*(?:$| at \S*$|: | at \S+: )/;

function withoutCutFinding(error: string): string {
  const last = error.lastIndexOf(' E_');
  const isCut = error.startsWith('E_') && error.endsWith('…') && last > 0;
  return isCut && CUT_FINDING.test(error.slice(last + 1, -1)) ? `${error.slice(0, last)} …` : error;
}

/**
 * An error where one line has to do: what happened, without codes and places of findings, and
 * without the few letters that are left of a last finding.
 */
export function errorInBrief(error: string | null): string | null {
  return error === null ? null : withoutCutFinding(error).replace(CODE_AND_PLACE, '');
}
