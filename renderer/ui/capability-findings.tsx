import { ApiError } from '../data/api-error.ts';

interface Finding {
  readonly path: string;
  readonly capability: string;
  readonly reason: string;
}

function findingsOf(error: unknown): readonly Finding[] {
  if (!(error instanceof ApiError) || error.code !== 'spec_capability_refused') {
    return [];
  }
  const list: unknown = error.details['findings'];
  if (!Array.isArray(list)) {
    return [];
  }
  return list.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) {
      return [];
    }
    const entry: Readonly<Record<string, unknown>> = { ...item };
    return [
      {
        path: String(entry['path'] ?? ''),
        capability: String(entry['capability'] ?? ''),
        reason: String(entry['reason'] ?? ''),
      },
    ];
  });
}

/** The positions that the capability policy in force refused, with the reason for each. */
export function CapabilityFindings(props: { readonly error: unknown }) {
  const findings = findingsOf(props.error);
  return findings.length === 0 ? null : (
    <ul data-testid="capability-findings">
      {findings.map((finding) => (
        <li key={`${finding.path} ${finding.capability}`}>
          <code>{finding.path}</code> {finding.capability}: {finding.reason}
        </li>
      ))}
    </ul>
  );
}
