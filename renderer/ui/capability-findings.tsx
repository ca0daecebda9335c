import type { ReactNode } from 'react';
import { CapabilityRefusal } from '../../server/contract/studio/govern.ts';
import { detailsOf } from '../data/api-error.ts';
import { ServiceText } from './service-text.tsx';

/** The positions that the capability policy in force refused, with the reason for each. */
export function CapabilityFindings(props: {
  readonly error: unknown;
  /** Draws a place so that it can be gone to. */
  readonly place?: (path: string) => ReactNode;
}) {
  const refused = detailsOf(props.error, 'spec_capability_refused', CapabilityRefusal);
  const findings = refused?.findings ?? [];
  return findings.length === 0 ? null : (
    <ul data-testid="capability-findings">
      {findings.map((finding) => (
        <li key={`${finding.path} ${finding.capability}`}>
          {props.place?.(finding.path) ?? <code>{finding.path}</code>} {finding.capability}:{' '}
          <ServiceText>{finding.reason}</ServiceText>
        </li>
      ))}
    </ul>
  );
}
