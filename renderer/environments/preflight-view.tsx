import { t } from '../../preload/texts/t.ts';
import { rich } from '../ui/rich.ts';
import '../ui/plain-table.css';
import './preflight.css';
import type { SpecNeeds } from '../../server/contract/studio/bindings.ts';
import type {
  PreflightCredentialsView,
  PreflightPolicyView,
} from '../../server/contract/studio/environments.ts';
import { AppLink } from '../app/app-link.tsx';
import { paths } from '../app/paths.ts';
import { toApiError } from '../data/api-error.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { Badge, type Tone } from '../ui/status-badge.tsx';
import { policyRows } from './policy-words.ts';
import { lacking, NEED_KINDS, type NeedRow, type NeedState, needRows } from './preflight-model.ts';

/** What a platform says before something runs on it. */
export interface Preflight {
  readonly policy: PreflightPolicyView;
  readonly credentials: PreflightCredentialsView;
  readonly needs: SpecNeeds;
}

/** Refusals whose way out is another generation of the alias. */
const REBIND = new Set(['environment_changed', 'environment_unavailable', 'project_unbound']);

/** Why there is no preflight, and the way out. */
export function PreflightFailure(props: {
  readonly projectId: string;
  readonly alias: string | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const { projectId, alias } = props;
  const rebinds = REBIND.has(toApiError(props.error).code);
  return (
    <ErrorState
      compact
      error={props.error}
      onRetry={rebinds ? undefined : props.onRetry}
      actions={
        rebinds && (
          <AppLink
            to={paths.environments(projectId, alias === undefined ? {} : { alias, open: 'next' })}
            testId="preflight-rebind"
          >
            {t('Next generation of the alias')}
          </AppLink>
        )
      }
    />
  );
}

/** Policy of the bound environment, and each credential that the spec needs: there or not. */
export function PreflightView(props: {
  readonly projectId: string;
  readonly preflight: Preflight;
}) {
  const { projectId } = props;
  const { policy, credentials, needs } = props.preflight;
  const rows = needRows(needs, credentials.credentials);
  const missing = lacking(rows).length;
  return (
    <div className="sw-preflight" data-testid="preflight">
      <p className="sw-faint">
        {t('{alias}, generation {alias_generation}, environment {platform_environment}', {
          alias: policy.alias,
          alias_generation: policy.alias_generation,
          platform_environment: policy.platform_environment,
        })}
      </p>
      {policy.state === 'unavailable' && (
        <div className="sw-preflight-note" role="status" data-testid="preflight-unavailable">
          <span>{policy.unavailable_reason}</span>
          <AppLink to={paths.environments(projectId, { alias: policy.alias, open: 'next' })}>
            {t('Next generation of the alias')}
          </AppLink>
        </div>
      )}
      <h3 className="sw-section-title">
        {rich('Credentials {badge}', {
          badge: missing > 0 && (
            <Badge tone="warning" testId="preflight-lacking">
              {t('{missing} missing', { missing })}
            </Badge>
          ),
        })}
      </h3>
      {rows.length === 0 ? (
        <p className="sw-faint">{t('This spec asks for none.')}</p>
      ) : (
        <NeedTable rows={rows} />
      )}
      <h3 className="sw-section-title">
        {t('Policy of {platform_environment}', {
          platform_environment: policy.platform_environment,
        })}
      </h3>
      {policy.policy === null ? (
        <p className="sw-faint">
          {policy.state === 'available'
            ? t('The platform holds no policy for this environment.')
            : t('Not known.')}
        </p>
      ) : (
        <table
          className="sw-plain-table"
          aria-label={t('Policy of {platform_environment}', {
            platform_environment: policy.platform_environment,
          })}
        >
          <tbody>
            {policyRows(policy.policy).map(({ rule, value }) => (
              <tr key={rule}>
                <th scope="row">{rule}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const STATES: Readonly<Record<NeedState, { readonly tone: Tone; readonly text: string }>> = {
  present: { tone: 'success', text: t('present') },
  missing: { tone: 'danger', text: t('missing') },
  withheld: { tone: 'warning', text: t('present, not given to specs') },
  keyless: { tone: 'neutral', text: t('no key; it may need none') },
  unknown: { tone: 'neutral', text: t('not known') },
};

function NeedTable(props: { readonly rows: readonly NeedRow[] }) {
  return (
    <table className="sw-plain-table" aria-label={t('Credentials that the spec needs')}>
      <thead>
        <tr>
          <th scope="col">{t('Name')}</th>
          <th scope="col">{t('State')}</th>
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ id, name, kind, variable, state }) => (
          <tr key={id} data-testid={`need-${name}`} data-state={state}>
            <td>
              <span className="sw-mono">{name}</span>
              <div className="sw-faint">
                {NEED_KINDS[kind]}
                {variable !== null && variable !== name && (
                  <>
                    {rich(', looked for as {part}', {
                      part: <span className="sw-mono">{variable}</span>,
                    })}
                  </>
                )}
              </div>
            </td>
            <td>
              <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
