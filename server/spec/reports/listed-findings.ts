import type { Diagnostic } from '../values/diagnostic.ts';

/** Findings that one answer lists: a spec of a quarter of a megabyte can have 250,000. */
export const MAX_LISTED_FINDINGS = 1000;
const NOT_LISTED = 'I_FINDINGS_NOT_LISTED';

function more(count: number, errors: number): Diagnostic {
  const rest =
    count === 1 ? '1 more finding is' : `${count.toLocaleString('en')} more findings are`;
  const grave = errors === 0 ? '' : ` (errors: ${errors.toLocaleString('en')})`;
  return {
    code: NOT_LISTED,
    severity: 'info',
    message: `${rest} not listed${grave}. Mend what is listed and check again.`,
    path: null,
    suggestion: null,
  };
}

/**
 * At most {@link MAX_LISTED_FINDINGS} in their order, errors before all else, and then one that says
 * how many are left out. Whether a spec is valid is asked of all findings, before this.
 */
export function listedFindings(findings: readonly Diagnostic[]): Diagnostic[] {
  const isListed = findings.at(-1)?.code === NOT_LISTED;
  if (isListed || findings.length <= MAX_LISTED_FINDINGS) return [...findings];
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  let errorRoom = Math.min(errors, MAX_LISTED_FINDINGS);
  let otherRoom = MAX_LISTED_FINDINGS - errorRoom;
  const unlistedErrors = errors - errorRoom;
  const listed: Diagnostic[] = [];
  for (const finding of findings) {
    if (finding.severity === 'error') {
      if (errorRoom > 0) listed.push(finding);
      errorRoom -= 1;
    } else {
      if (otherRoom > 0) listed.push(finding);
      otherRoom -= 1;
    }
  }
  return [...listed, more(findings.length - listed.length, unlistedErrors)];
}
