import type { LaunchVerdict } from '../../../server/contract/dashboard/launch.ts';
import type { JsonObject } from '../../../server/kernel/json.ts';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { pills, summaryFacts } from './launch-model.ts';

/** What a check found, and the body that it was about. */
export interface Checked {
  readonly verdict: LaunchVerdict;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly body: {
    readonly spec?: JsonObject;
    readonly spec_path?: string;
    readonly environment?: string;
  };
}

/** Whether a spec may run, what speaks against it, and what it holds. */
export function LaunchVerdictView({ checked }: { readonly checked: Checked }) {
  const { verdict, summary } = checked;
  const facts = summaryFacts(summary);
  return (
    <section className="sw-operate-section" data-testid="launch-verdict">
      <h2 className="sw-section-title">
        {verdict.ready ? 'It may run' : 'It does not run as it is'}
      </h2>
      <p>
        {pills(verdict).map(({ id, ok, yes, no }) => (
          <span key={id}>
            <Badge tone={ok ? 'success' : 'danger'}>{ok ? yes : no}</Badge>{' '}
          </span>
        ))}
      </p>
      {verdict.diagnostics.length > 0 && (
        <table className="sw-plain-table">
          <thead>
            <tr>
              <th scope="col">Weight</th>
              <th scope="col">Found by</th>
              <th scope="col">Code</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {verdict.diagnostics.map(({ source, severity, code, message }) => (
              <tr key={`${source} ${code} ${message}`}>
                <td>
                  <StatusBadge status={severity} />
                </td>
                <td>{source}</td>
                <td className="sw-mono">{code ?? ''}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {facts.length > 0 && (
        <dl className="sw-facts" data-testid="launch-summary">
          {facts.map(([name, value]) => (
            <div key={name} className="sw-operate-fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
