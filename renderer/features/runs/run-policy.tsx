import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { getRunPolicyReport } from '../../../server/contract/dashboard/runs.ts';
import { policyWords } from '../../data/policy-words.ts';
import { routeQuery } from '../../data/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ServiceText } from '../../ui/service-text.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';

/** `human_review_step_count` → `Human review steps`. */
function countName(name: string): string {
  const words = name
    .replace(/_count$/, 's')
    .replaceAll('_', ' ')
    .replace(/\bmcp\b/, 'MCP');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function reviewText(required: boolean, missing: boolean): string {
  if (missing) {
    return t('required, and no step asks a person');
  }
  return required ? t('required, and a step asks a person') : t('not required');
}

/** What the spec that the run froze says about tools, memory, guardrails and people. */
export function RunPolicy(props: { readonly runId: string }) {
  const report = useQuery({
    ...routeQuery(getRunPolicyReport, { params: { run_id: props.runId } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!report.isSuccess) {
    return <Unread query={report} rows={5} compact />;
  }
  const { data } = report;
  if (!data.available) {
    return (
      <EmptyState compact title={t('No policy report')}>
        {t('The platform keeps none for this run.')}
      </EmptyState>
    );
  }
  return (
    <div data-testid="run-policy">
      <p>
        <StatusBadge status={data.valid ? 'clear' : 'failed'}>
          {data.valid ? t('nothing against the policy') : t('not valid')}
        </StatusBadge>{' '}
        {data.human_review_missing && <Badge tone="danger">{t('human review is missing')}</Badge>}
      </p>
      <dl className="sw-facts">
        <dt>{t('Spec version')}</dt>
        <dd>{data.version}</dd>
        <dt>{t('Human review')}</dt>
        <dd>{reviewText(data.human_review_required, data.human_review_missing)}</dd>
        {Object.entries(data.summary).map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{countName(name)}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
      {data.diagnostics.length > 0 && (
        <ul className="sw-run-findings">
          {data.diagnostics.map((item) => (
            <li key={`${item.code} ${item.message}`}>
              <StatusBadge status={item.severity} /> <ServiceText>{item.message}</ServiceText>{' '}
              <span className="sw-mono sw-faint">{item.code}</span>{' '}
              <span className="sw-faint">{policyWords(item.code)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
