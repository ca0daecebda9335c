import { t } from '../../../../preload/texts/t.ts';
import type { ShownFinding } from '../../../../server/contract/platform/findings.ts';
import { CapabilityRefusal } from '../../../../server/contract/studio/govern.ts';
import { detailsOf } from '../../../data/api-error.ts';

/** Code of a finding about what only a trusted folder may do. */
export const UNTRUSTED = 'E_UNTRUSTED';

const ONLY_TRUSTED: Readonly<Record<string, string>> = {
  execute: t('Code and commands run only from a trusted folder.'),
  filesystem: t('Files of this computer are opened only for a trusted folder.'),
  network: t('Addresses are called only for a trusted folder.'),
  secret_ref: t('Secrets are handed out only to a trusted folder.'),
  host_permission: t('Permissions of this computer are given only to a trusted folder.'),
  host_trust: t('Certificates go unchecked only for a trusted folder.'),
};

/**
 * A refusal of capabilities as findings, when trust in the folder would change it; otherwise none.
 * What stays refused in a trusted folder keeps its own words.
 */
export function untrustedFindings(error: unknown): readonly ShownFinding[] {
  const refused = detailsOf(error, 'spec_capability_refused', CapabilityRefusal);
  const findings = (refused?.findings ?? []).map(({ path, capability, reason }): ShownFinding => {
    const message = Object.hasOwn(ONLY_TRUSTED, capability) ? ONLY_TRUSTED[capability] : undefined;
    return {
      code: message === undefined ? capability : UNTRUSTED,
      severity: 'error',
      message: message ?? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
      path,
      suggestion: null,
    };
  });
  return findings.some(({ code }) => code === UNTRUSTED) ? findings : [];
}
