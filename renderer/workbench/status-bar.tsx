import { Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDot,
  IconCircleX,
  IconClockExclamation,
  IconGitMerge,
  IconLoader2,
  IconLock,
  IconPlugConnected,
  IconPlugConnectedX,
  IconShieldCheck,
  IconShieldOff,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { t } from '../../preload/texts/t.ts';
import { getHealth } from '../../server/contract/dashboard/probes.ts';
import { getReadyz } from '../../server/contract/platform/probes.ts';
import { servicesStore } from '../app/connection-provider.tsx';
import { WINDOW_PART } from '../app/window-parts.ts';
import { ApiError, isSignedOut } from '../data/api-error.ts';
import { clockSkewStore } from '../data/clock-skew.ts';
import { useConnectionStatus } from '../data/connections.ts';
import { useEnvironments } from '../data/environment.ts';
import { routeQuery } from '../data/query-client.ts';
import { isServed, SERVED } from '../data/served.ts';
import { useTrust } from '../data/trust.ts';
import { useChosenBinding } from '../environments/chosen-alias.ts';
import { useAnnounced } from '../ui/announcer.tsx';
import { durationText } from '../ui/relative-time.ts';
import { useStore } from '../ui/store.ts';
import { type EditorStatus, editorStatusStore, type SaveState } from './editor-status.ts';
import { isPartShown, layoutStore, showPanel, togglePart } from './layout-store.ts';
import { trustRequestStore } from './trust-request.ts';
import { UpdateItem } from './update-item.tsx';
import { workStore } from './work-store.ts';

type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;

const SAVE: Readonly<Record<SaveState, { text: string; icon: Icon; tone?: string }>> = {
  saved: { text: t('Saved'), icon: IconCircleCheck, tone: 'success' },
  dirty: { text: t('Unsaved changes'), icon: IconCircleDot },
  saving: { text: t('Saving'), icon: IconLoader2 },
  conflict: { text: t('Conflict'), icon: IconGitMerge, tone: 'danger' },
  read_only: { text: t('Read only'), icon: IconLock },
};

const TOLD: ReadonlySet<SaveState> = new Set(['saved', 'conflict', 'read_only']);

/** Draft state, findings, analysis, platform readiness, environment and background work. */
export function StatusBar(props: { readonly projectId: string | undefined }) {
  const status = useStore(editorStatusStore);
  const work = useStore(workStore);
  return (
    <footer className="sw-status" {...WINDOW_PART} data-testid="status-bar">
      {status !== null && <DraftItems status={status} />}
      <span className="sw-status-fill" />
      {work.length > 0 && (
        <span className="sw-status-item" role="status" data-testid="status-work">
          <IconLoader2 size={13} aria-hidden />
          {work[0]?.title}
          {work.length > 1 && t(' and {count} more', { count: work.length - 1 })}
        </span>
      )}
      <UpdateItem />
      <TrustItem projectId={props.projectId} />
      <EnvironmentItem projectId={props.projectId} />
      <ClockItem />
      {isServed('gateway') && <PlatformItem />}
      {SERVED.service === 'dashboard' && <OwnPlatformItem />}
    </footer>
  );
}

function DraftItems(props: { readonly status: EditorStatus }) {
  const { status } = props;
  const save = SAVE[status.save];
  const errors = status.problems.filter(({ severity }) => severity === 'error').length;
  const warnings = status.problems.filter(({ severity }) => severity === 'warning').length;
  // Each letter makes a draft unsaved, and each check begins anew: what comes of it is told.
  useAnnounced(TOLD.has(status.save) ? save.text : null, `${status.save} ${status.revision}`);
  const found = t(
    '{errors, plural, one {# error} other {# errors}}, {warnings, plural, one {# warning} other {# warnings}}',
    { errors, warnings },
  );
  useAnnounced(status.check === 'done' ? found : null);
  return (
    <>
      <Tooltip label={t('Revision {revision}', { revision: status.revision })}>
        <span
          className="sw-status-item"
          data-tone={save.tone}
          data-testid="status-save"
          data-state={status.save}
        >
          <save.icon size={13} aria-hidden />
          {save.text}
          <span className="sw-mono sw-faint">{status.revision.slice(0, 8)}</span>
        </span>
      </Tooltip>
      <button
        type="button"
        className="sw-status-item"
        onClick={() => {
          if (isPartShown('panel') && layoutStore.get().activePanel === 'problems') {
            togglePart('panel');
          } else {
            showPanel('problems');
          }
        }}
        title={t('Show problems')}
        data-testid="status-problems"
      >
        <IconCircleX size={13} aria-hidden /> {errors}
        <span className="sw-visually-hidden">{t('errors')}</span>
        <IconAlertTriangle size={13} aria-hidden /> {warnings}
        <span className="sw-visually-hidden">{t('warnings')}</span>
      </button>
      <span className="sw-status-item sw-faint" data-optional="true" data-testid="status-analysis">
        {CHECK_TEXT[status.check]}
      </span>
      {status.cursor !== null && (
        <span className="sw-status-item sw-faint" data-optional="true">
          {t('Line {line}, column {column}', {
            line: status.cursor.line,
            column: status.cursor.column,
          })}
        </span>
      )}
    </>
  );
}

const CHECK_TEXT = { none: t('Not checked'), running: t('Checking'), done: t('Checked') } as const;

const TRUST = { trusted: t('Trusted'), untrusted: t('Not trusted') } as const;

/** Whether code of the project may run; a press opens the question. */
function TrustItem(props: { readonly projectId: string | undefined }) {
  const { projectId } = props;
  const state = useTrust(projectId)?.state;
  if (projectId === undefined || state === undefined || state === 'unavailable') {
    return null;
  }
  const Icon = state === 'trusted' ? IconShieldCheck : IconShieldOff;
  return (
    <button
      type="button"
      className="sw-status-item"
      onClick={() => trustRequestStore.set(projectId)}
      title={
        state === 'trusted'
          ? t('Functions and programs of this folder may run. Press for what that means.')
          : t('Functions and programs of this folder do not run. Press to trust it.')
      }
      data-testid="status-trust"
      data-state={state}
    >
      <Icon size={13} aria-hidden /> {TRUST[state]}
    </button>
  );
}

function EnvironmentItem(props: { readonly projectId: string | undefined }) {
  const binding = useChosenBinding(props.projectId);
  return binding === undefined ? null : (
    <span className="sw-status-item" data-optional="true">
      {t('Environment {platform_environment}', {
        platform_environment: binding.platform_environment,
      })}
    </span>
  );
}

/** Says that the clock of this computer is wrong, or that of the services. */
function ClockItem() {
  const skew = useStore(clockSkewStore);
  if (skew === 0) {
    return null;
  }
  const time = durationText(Math.abs(skew));
  return (
    <Tooltip
      multiline
      w={320}
      label={t(
        'The clock of this computer and that of the services differ. Times left and ages are counted by the services’ clock; set the one that is wrong.',
      )}
    >
      <span className="sw-status-item" data-tone="danger" role="status" data-testid="status-clock">
        <IconClockExclamation size={13} aria-hidden />
        {skew > 0 ? t('Clock {time} behind', { time }) : t('Clock {time} ahead', { time })}
      </span>
    </Tooltip>
  );
}

/** The gateway says at once when the platform ends or comes back; this finds what it cannot see. */
const READY_MS = 60_000;
/** A platform that was not ready is asked again so soon. */
const AGAIN_MS = 5_000;
/** The status of who answers and says that it takes no work. */
const NOT_READY = 503;

/** Why the platform of a connection is not ready, in a few words. */
function downText(whose: string, error: unknown): string {
  if (isSignedOut(error)) {
    return t('Signed out');
  }
  const isAnswer = error instanceof ApiError && error.status === NOT_READY;
  return isAnswer ? t('{whose} is not ready', { whose }) : t('{whose} does not answer', { whose });
}

/**
 * The platform of this window's connection. What the gateway says of it counts before what the
 * platform itself said last, which may be a minute old.
 */
function PlatformItem() {
  const services = useStore(servicesStore);
  const status = useConnectionStatus();
  const health = useQuery({
    ...routeQuery(getReadyz),
    refetchInterval: ({ state }) => (state.error === null ? READY_MS : AGAIN_MS),
    enabled: status?.services.platform.present !== false,
    retry: false,
  });
  const starting = services !== null && services.phase !== 'ready';
  const { name, kind } = status?.connection ?? { name: '', kind: 'embedded' };
  const { present = true, reachable = true } = status?.services.platform ?? {};
  if (!present) {
    return <NoPlatform name={name} />;
  }
  const whose = kind === 'remote' ? t('Platform of {name}', { name }) : t('Platform');
  return (
    <PlatformState
      ready={!starting && reachable && health.isSuccess}
      waiting={starting || (reachable && health.isPending)}
      down={downText(whose, reachable ? health.error : null)}
    />
  );
}

function NoPlatform({ name }: { readonly name: string }) {
  return (
    <span className="sw-status-item" data-state="none" data-testid="status-platform">
      <IconPlugConnectedX size={14} aria-hidden />
      {t('{name} has no platform', { name })}
    </span>
  );
}

/** The platform as the dashboard sees it, where that is served by itself. */
function OwnPlatformItem() {
  const { limited = true, chosen = null } = useEnvironments() ?? {};
  const asks = !limited || chosen !== null;
  const health = useQuery({
    ...routeQuery(getHealth),
    enabled: asks,
    refetchInterval: ({ state }) =>
      state.error !== null || state.data?.probes.readyz === false ? AGAIN_MS : READY_MS,
    retry: false,
  });
  return !asks ? null : (
    <PlatformState
      ready={health.isSuccess && health.data.probes.readyz}
      waiting={health.isPending}
      down={
        health.data?.probes.livez === true
          ? t('Platform is not ready')
          : t('Platform does not answer')
      }
    />
  );
}

function PlatformState(props: {
  readonly ready: boolean;
  readonly waiting: boolean;
  readonly down: string;
}) {
  const { ready, waiting, down } = props;
  const text = ready ? t('Platform ready') : waiting ? t('Platform starting') : down;
  return (
    <span
      className="sw-status-item"
      data-tone={ready ? 'success' : waiting ? undefined : 'danger'}
      data-state={ready ? 'ready' : waiting ? 'starting' : 'unreachable'}
      data-testid="status-platform"
    >
      {ready ? (
        <IconPlugConnected size={14} aria-hidden />
      ) : (
        <IconPlugConnectedX size={14} aria-hidden />
      )}
      {text}
    </span>
  );
}
