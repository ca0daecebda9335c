import { t } from '../../preload/texts/t.ts';
import { rich } from '../ui/rich.ts';
import './preflight.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AppLink } from '../app/app-link.tsx';
import { paths } from '../app/paths.ts';
import { lacking, NEED_KINDS, type NeedRow, needRows } from './preflight-model.ts';
import { type Preflight, PreflightFailure } from './preflight-view.tsx';

/** What a run comes to without it. */
const WITHOUT: Readonly<Record<NeedRow['kind'], string>> = {
  provider: t('its calls fail, or the offline runtime answers them'),
  secret: t('what needs it fails'),
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
            {policy.unavailable_reason ?? t('The platform of this alias cannot be used.')}{' '}
            <AppLink to={paths.environments(projectId, { alias, open: 'next' })}>
              {t('Next generation of the alias')}
            </AppLink>
          </p>
        )}
        {missing.length > 0 && (
          <>
            <p>
              {t(
                '{platform_environment} lacks what this run asks for. It can be started all the same.',
                { platform_environment: policy.platform_environment },
              )}
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
      {NEED_KINDS[kind]} <span className="sw-mono">{name}</span>
    </>
  );
  if (state === 'withheld') {
    return (
      <>
        {rich(
          '{what} is there, but specs may not read it. Trust the project’s folder, store it under <link>Settings</link>, or let whoever runs the platform list it in <part>SERV_SPEC_SECRETS</part>.',
          {
            what,
            link: (text) => <AppLink to={paths.settings('models')}>{text}</AppLink>,
            part: (text) => <span className="sw-mono">{text}</span>,
          },
        )}
      </>
    );
  }
  return (
    <>
      {rich('{what} is missing: {without}. Store it under <link>Settings</link>{value}.', {
        what,
        without: WITHOUT[kind],
        link: (text) => (
          <AppLink to={paths.settings('models')} testId="lack-settings">
            {text}
          </AppLink>
        ),
        value: variable !== null && (
          <>
            {rich(', or set {part} where the platform runs', {
              part: <span className="sw-mono">{variable}</span>,
            })}
          </>
        ),
      })}
    </>
  );
}
