import './preflight.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AppLink } from '../app/app-link.tsx';
import { paths } from '../app/paths.ts';
import { lacking, type NeedRow, needRows } from './preflight-model.ts';
import { type Preflight, PreflightFailure } from './preflight-view.tsx';

/** What a run comes to without it. */
const WITHOUT: Readonly<Record<NeedRow['kind'], string>> = {
  'Model provider': 'its calls fail, or the offline runtime answers them',
  Secret: 'what needs it fails',
};

/**
 * Above the start of a run: what its platform lacks for it, with the way to each. Nothing stands
 * here while all is there, or while it is not known yet.
 */
export function RunNeeds(props: {
  readonly projectId: string;
  readonly alias: string;
  readonly preflight: Preflight | undefined;
  readonly error: unknown;
  /** Names that are told elsewhere. */
  readonly except?: readonly string[];
  readonly onRetry: () => void;
}) {
  const { projectId, alias, preflight } = props;
  if (props.error !== undefined && props.error !== null) {
    return (
      <div className="sw-run-needs" data-testid="run-needs-unknown">
        <PreflightFailure
          projectId={projectId}
          alias={alias}
          error={props.error}
          onRetry={props.onRetry}
        />
      </div>
    );
  }
  if (preflight === undefined) return null;
  const { policy, credentials, needs } = preflight;
  const missing = lacking(needRows(needs, credentials.credentials)).filter(
    ({ name }) => props.except?.includes(name) !== true,
  );
  const isAway = policy.state === 'unavailable';
  if (missing.length === 0 && !isAway) return null;
  return (
    <div className="sw-run-needs" role="status" data-testid="run-needs">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        {isAway && (
          <p>
            {policy.unavailable_reason ?? 'The platform of this alias cannot be used.'}{' '}
            <AppLink to={paths.environments(projectId, { alias, open: 'next' })}>
              Next generation of the alias
            </AppLink>
          </p>
        )}
        {missing.length > 0 && (
          <>
            <p>
              {policy.platform_environment} lacks what this run asks for. It can be started all the
              same.
            </p>
            <ul>
              {missing.map((row) => (
                <li key={row.id} data-testid={`lacks-${row.name}`}>
                  <Lack row={row} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}

function Lack(props: { readonly row: NeedRow }) {
  const { kind, name, variable, state } = props.row;
  const what = (
    <>
      {kind} <span className="sw-mono">{name}</span>
    </>
  );
  if (state === 'withheld') {
    return (
      <>
        {what} is there, but specs may not read it. Trust the project’s folder, store it under{' '}
        <AppLink to={paths.settings('models')}>Settings</AppLink>, or let whoever runs the platform
        list it in <span className="sw-mono">SERV_SPEC_SECRETS</span>.
      </>
    );
  }
  return (
    <>
      {what} is missing: {WITHOUT[kind]}. Store it under{' '}
      <AppLink to={paths.settings('models')} testId="lack-settings">
        Settings
      </AppLink>
      {variable !== null && (
        <>
          , or set <span className="sw-mono">{variable}</span> where the platform runs
        </>
      )}
      .
    </>
  );
}
