import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import { SERVICE_TEXT } from '../../ui/service-text.tsx';
import '../../ui/plain-table.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  getHealthz,
  getHealth as healthRoute,
  type PlatformHealth,
} from '../../../server/contract/dashboard/probes.ts';
import { getGatewayStatus } from '../../../server/contract/gateway/status.ts';
import { runCommand } from '../../app/commands.ts';
import { routeQuery } from '../../data/query-client.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { timeText } from '../../ui/clock-text.ts';
import { durationText } from '../../ui/relative-time.ts';
import { Badge, type Tone } from '../../ui/status-badge.tsx';
import { useStore } from '../../ui/store.ts';
import { Unread } from '../../ui/unread.tsx';
import {
  type HealthLook,
  type HealthState,
  healthLooks,
  lastReady,
  outages,
  stateOf,
  withLook,
} from './health-history.ts';
import { OperatePage } from './operate-page.tsx';
import { OwnStore } from './own-store.tsx';

const EVERY_MS = 10_000;
/** So many looks fit beside each other. */
const SHOWN = 48;

const STATES: Readonly<Record<HealthState, { readonly tone: Tone; readonly text: string }>> = {
  ready: { tone: 'success', text: t('ready') },
  impaired: { tone: 'warning', text: t('ready, but a part is not well') },
  degraded: { tone: 'warning', text: t('not whole') },
  down: { tone: 'danger', text: t('down') },
  unknown: { tone: 'danger', text: t('not known') },
};

/** Whether the platform and this application are well, now and in this session of the window. */
export function HealthPage() {
  const query = useQuery({ ...routeQuery(healthRoute), refetchInterval: EVERY_MS, retry: false });
  const { data, isError, dataUpdatedAt, errorUpdatedAt } = query;
  useEffect(() => {
    if (isError) {
      healthLooks.set((looks) => withLook(looks, { at: errorUpdatedAt, state: 'unknown' }));
    } else if (data !== undefined) {
      healthLooks.set((looks) => withLook(looks, { at: dataUpdatedAt, state: stateOf(data) }));
    }
  }, [data, isError, dataUpdatedAt, errorUpdatedAt]);
  return (
    <OperatePage
      title={t('Health')}
      sub={t('The platform and this application, asked every ten seconds while this page is open')}
      testId="health-page"
    >
      <section className="sw-operate-section">
        <h2 className="sw-section-title">{t('Platform')}</h2>
        <Unread query={query} rows={4} />
        {data !== undefined && <Platform health={data} />}
      </section>
      <History />
      <ThisApplication />
    </OperatePage>
  );
}

function Platform({ health }: { readonly health: PlatformHealth }) {
  const state = stateOf(health);
  const { tone, text } = STATES[state];
  return (
    <>
      <p data-testid="platform-health">
        <Badge tone={tone}>{text}</Badge> {health.service} {health.version}
        {typeof health.address === 'string' && (
          <> {rich('at {code}', { code: <code>{health.address}</code> })}</>
        )}
      </p>
      {state === 'down' && <Down />}
      <table className="sw-plain-table">
        <thead>
          <tr>
            <th scope="col">{t('Part')}</th>
            <th scope="col">{t('State')}</th>
            <th scope="col">{t('What it says')}</th>
          </tr>
        </thead>
        <tbody>
          <ProbeRow name={t('Lives')} ok={health.probes.livez} says={t('It answers at all.')} />
          <ProbeRow name={t('Ready')} ok={health.probes.readyz} says={t('It takes new runs.')} />
          <ProbeRow name={t('Whole')} ok={health.probes.healthz} says={t('Its parts answer it.')} />
          {health.subsystems.map((part) => (
            <tr key={part.name}>
              <td {...SERVICE_TEXT}>{part.name.replaceAll('_', ' ')}</td>
              <td>
                <Badge tone={part.ok ? (part.degraded ? 'warning' : 'success') : 'danger'}>
                  {part.ok ? (part.degraded ? t('degraded') : t('ok')) : t('failing')}
                </Badge>
              </td>
              <td {...SERVICE_TEXT}>{part.detail}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function ProbeRow(props: { readonly name: string; readonly ok: boolean; readonly says: string }) {
  return (
    <tr>
      <td>{props.name}</td>
      <td>
        <Badge tone={props.ok ? 'success' : 'danger'}>{props.ok ? t('yes') : t('no')}</Badge>
      </td>
      <td>{props.says}</td>
    </tr>
  );
}

/** What to do about a platform that does not answer. */
function Down() {
  const status = useQuery(routeQuery(getGatewayStatus));
  const address = status.data?.services.platform.address ?? null;
  const embedded = status.data?.connection.kind === 'embedded';
  const last = lastReady(useStore(healthLooks));
  return (
    <div role="alert" data-testid="platform-down">
      <p>
        {t('The platform does not answer{detail}. {detail2}{detail3}', {
          detail: address === null ? '' : t(' at {address}', { address }),
          detail2:
            last === undefined
              ? t('It has not been ready since this window was opened. ')
              : t('It was last seen ready at {time}. ', { time: timeText(last) }),
          detail3: embedded
            ? t(
                'It runs inside this application and comes back by itself; if it does not, restart the services or look at the logs.',
              )
            : t(
                'Check that it runs, that its address is right and that nothing between here and there blocks it.',
              ),
        })}
      </p>
      {desktopApi() !== undefined && (
        <p>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => runCommand('app.restart-services')}
          >
            {t('Restart services')}
          </Button>{' '}
          <Button size="compact-sm" variant="default" onClick={() => runCommand('app.logs')}>
            {t('Show logs')}
          </Button>
        </p>
      )}
    </div>
  );
}

function History() {
  const looks = useStore(healthLooks);
  const [first] = looks;
  const found = outages(looks);
  if (first === undefined) {
    return null;
  }
  return (
    <section className="sw-operate-section" data-testid="health-history">
      <h2 className="sw-section-title">{t('This session')}</h2>
      <p>
        {t('{count, plural, one {# look} other {# looks}} since {time}. {detail}', {
          count: looks.length,
          time: timeText(first.at),
          detail:
            found.length === 0
              ? t('The platform was ready each time.')
              : t('Something was not well {count, plural, one {# time} other {# times}}.', {
                  count: found.length,
                }),
        })}
      </p>
      <div
        className="sw-strip"
        role="img"
        aria-label={t('The last {count, plural, one {# look} other {# looks}}', {
          count: Math.min(looks.length, SHOWN),
        })}
      >
        {looks.slice(-SHOWN).map((look) => (
          <Mark key={look.at} look={look} />
        ))}
      </div>
      {found.length > 0 && (
        <ul>
          {found.map(({ from, until }) => (
            <li key={from}>
              {until === undefined
                ? t('from {time}, still', { time: timeText(from) })
                : t('from {time} to {until} ({duration})', {
                    time: timeText(from),
                    until: timeText(until),
                    duration: durationText(until - from),
                  })}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** States that look alike in the strip; their words stand on hover. */
const MARKS: Partial<Record<HealthState, HealthState>> = { unknown: 'down', impaired: 'degraded' };

function Mark({ look }: { readonly look: HealthLook }) {
  const state = MARKS[look.state] ?? look.state;
  return <i data-state={state} title={`${timeText(look.at)}: ${STATES[look.state].text}`} />;
}

const SIGN_IN = {
  configured: t('at the identity provider'),
  disabled: t('none of its own'),
  not_configured: t('the identity provider is not set up'),
} as const;

/** What the dashboard says of itself. */
function ThisApplication() {
  const query = useQuery({
    ...routeQuery(getHealthz),
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const status = useQuery(routeQuery(getGatewayStatus));
  const checks = query.data?.checks;
  return (
    <section className="sw-operate-section" data-testid="own-health">
      <h2 className="sw-section-title">{t('This application')}</h2>
      <Unread query={query} rows={3} />
      {checks !== undefined && (
        <dl className="sw-facts">
          {status.data !== undefined && (
            <>
              <dt>{t('Program')}</dt>
              <dd>{status.data.version}</dd>
            </>
          )}
          <dt>{t('Store')}</dt>
          <dd>
            <Badge tone={checks.store ? 'success' : 'danger'}>
              {checks.store ? t('answers') : t('does not answer, or its disk is full')}
            </Badge>
          </dd>
          <dt>{t('Recovery')}</dt>
          <dd>
            {checks.recovery_mode
              ? t('going on: what operators do is refused until the restored store is confirmed')
              : t('not needed')}
          </dd>
          <dt>{t('Sign-in')}</dt>
          <dd>{SIGN_IN[checks.oidc]}</dd>
        </dl>
      )}
      <OwnStore />
    </section>
  );
}
