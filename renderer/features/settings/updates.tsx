import { Button, Group, Progress, SegmentedControl, Switch } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { UpdateAction, UpdateState } from '../../../preload/desktop-api.ts';
import { t } from '../../../preload/texts/t.ts';
import { updatesStore } from '../../data/updates.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { MarkdownView } from '../../ui/markdown-view.tsx';
import { megabytesText } from '../../ui/megabytes-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { rich } from '../../ui/rich.ts';
import { useStore } from '../../ui/store.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { StoreCopies } from './store-copies.tsx';

const CHANNELS = [
  { value: 'stable', label: t('Stable') },
  { value: 'beta', label: t('Beta') },
] as const;

function act(action: UpdateAction): void {
  void desktopApi()?.update(action);
}

/** Updates of this program: what is there, how far it is, and what a person wants of them. */
export function Updates() {
  const state = useStore(updatesStore);
  if (state === null) {
    return null;
  }
  return (
    <div data-testid="updates" data-state={state.phase}>
      {state.why_not === null ? <Standing state={state} /> : <Off text={state.why_not} />}
      <StoreCopies after={state.after} />
    </div>
  );
}

function Off(props: { readonly text: string }) {
  return (
    <Notice tone="info" icon={<IconInfoCircle size={16} aria-hidden />} testId="updates-off">
      {t('This program does not update itself. {text}', { text: props.text })}
    </Notice>
  );
}

function Standing(props: { readonly state: UpdateState }) {
  const { state } = props;
  return (
    <>
      <Choices state={state} />
      <p role="status" data-testid="update-standing">
        <StandingText state={state} />
      </p>
      {state.problem !== null && (
        <Notice
          tone="warning"
          icon={<IconAlertTriangle size={16} aria-hidden />}
          testId="update-problem"
        >
          {state.problem.message}
        </Notice>
      )}
      {state.offer !== null && state.received > 0 && (
        <Progress
          value={(state.received / state.offer.bytes) * 100}
          aria-label={t('Download of the update')}
          my="xs"
        />
      )}
      <Steps state={state} />
      {state.offer !== null && state.offer.notes !== '' && (
        <section
          aria-label={t('What is new in {version}', { version: state.offer.version })}
          data-testid="update-notes"
        >
          <MarkdownView text={state.offer.notes} />
        </section>
      )}
    </>
  );
}

function Choices(props: { readonly state: UpdateState }) {
  const { channel, automatic, on_quit, asks_password } = props.state;
  const choose = desktopApi()?.chooseUpdates;
  return (
    <dl className="sw-facts">
      <dt>{t('Channel')}</dt>
      <dd>
        <SegmentedControl
          aria-label={t('Channel')}
          value={channel}
          data={[...CHANNELS]}
          onChange={(chosen) => void choose?.({ channel: chosen })}
        />
      </dd>
      <dt>{t('Look for updates')}</dt>
      <dd>
        <Switch
          checked={automatic}
          label={t('Once a day. Off: nobody is asked until you press Check now.')}
          onChange={(event) => void choose?.({ automatic: event.currentTarget.checked })}
          data-testid="updates-automatic"
        />
      </dd>
      {!asks_password && (
        <>
          <dt>{t('Install')}</dt>
          <dd>
            <Switch
              checked={on_quit}
              label={t('When the program ends. Off: only when you press Restart.')}
              onChange={(event) => void choose?.({ on_quit: event.currentTarget.checked })}
              data-testid="updates-on-quit"
            />
          </dd>
        </>
      )}
    </dl>
  );
}

function StandingText(props: { readonly state: UpdateState }) {
  const { phase, offer, version, received, checked_at, on_quit, asks_password } = props.state;
  const size = offer === null ? '' : megabytesText(offer.bytes);
  switch (phase) {
    case 'checking':
      return t('Looking for a newer version.');
    case 'available':
      return t('Version {version} is there ({size}).', { version: offer?.version, size });
    case 'downloading':
      return t('Downloading {megabytes} of {size}.', { megabytes: megabytesText(received), size });
    case 'paused':
      return t('Paused at {megabytes} of {size}.', { megabytes: megabytesText(received), size });
    case 'preparing':
      return t('The update is proved and made ready.');
    case 'ready':
      if (asks_password)
        return t(
          'Version {version} is ready. Your system installs it and asks for your password.',
          { version: offer?.version },
        );
      return t('Version {version} is ready{detail}.', {
        version: offer?.version,
        detail: on_quit ? t(': it is installed when the program ends') : '',
      });
    case 'installing':
      return t('The update is being installed.');
    case 'refused':
    case 'failed':
      return t('This is version {version}. Nothing was changed.', { version });
    default:
      return (
        <>
          {rich('This is version {version}. {detail}', {
            version,
            detail:
              checked_at === null ? (
                t('Nobody has looked for a newer one yet.')
              ) : (
                <>{rich('There was none newer {time}.', { time: <TimeAgo at={checked_at} /> })}</>
              ),
          })}
        </>
      );
  }
}

const STEPS: readonly {
  readonly action: UpdateAction;
  readonly label: string;
  readonly phases: readonly UpdateState['phase'][];
}[] = [
  { action: 'check', label: t('Check now'), phases: ['idle', 'refused', 'failed', 'available'] },
  { action: 'download', label: t('Download'), phases: ['available'] },
  { action: 'pause', label: t('Pause'), phases: ['downloading'] },
  { action: 'download', label: t('Resume'), phases: ['paused'] },
  { action: 'restart', label: t('Restart and install'), phases: ['ready'] },
  { action: 'dismiss', label: t('Dismiss'), phases: ['refused'] },
];

function Steps(props: { readonly state: UpdateState }) {
  const { phase, offer } = props.state;
  // A download that broke off goes on; before that there is nothing to go on with.
  const goesOn = phase === 'failed' && offer !== null;
  return (
    <Group gap="xs">
      {STEPS.filter(
        ({ label, phases }) => phases.includes(phase) || (goesOn && label === 'Resume'),
      ).map(({ action, label }) => (
        <Button
          key={label}
          size="compact-sm"
          variant="default"
          onClick={() => act(action)}
          data-testid={`update-${label.split(' ')[0]?.toLowerCase()}`}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
