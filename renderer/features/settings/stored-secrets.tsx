import { t } from '../../../preload/texts/t.ts';
import '../../ui/rows.css';
import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  listSecrets,
  moveSecrets,
  type SecretFault,
  type SecretList,
  type SecretPlace,
  type SecretView,
} from '../../../server/contract/gateway/secrets.ts';
import { call } from '../../data/api-client.ts';
import { KEEPERS, readSecretsAgain } from '../../data/key-places.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { SecretPlaceRows } from './secret-places.tsx';

const USES: Readonly<Record<SecretView['use'], string>> = {
  model: t('model provider'),
  credential: t('credential of imported workflows'),
  spec: t('named by specs'),
  platform: t('key of a saved platform'),
  remote: t('remote connection'),
};

const SHUT: Readonly<Record<Exclude<SecretView['state'], 'ready'>, string>> = {
  locked: 'locked',
  absent: t('out of reach'),
  unreadable: t('gone or damaged'),
};

const SHORT: Readonly<Record<SecretPlace, string>> = {
  keychain: 'keychain',
  file: t('encrypted file'),
};

const FAULTS: Readonly<Record<SecretFault, string>> = {
  damaged: t(
    'The file of secrets is damaged, so nothing of it can be shown. It is kept beside once you store something again.',
  ),
  newer: t(
    'A later version of Specwright wrote the file of secrets. Update this one; until then it reads and changes none of them.',
  ),
  unreadable: t(
    'The encrypted file, or the key beside it, cannot be read now. See that the folder “secrets” of the data folder is there and yours.',
  ),
};

const OTHER: Readonly<Record<SecretPlace, SecretPlace>> = { keychain: 'file', file: 'keychain' };

interface Move {
  readonly names: readonly string[];
  readonly to: SecretPlace;
}

/** Moves secrets one after the other; says which of them stay, with the reason of the first. */
async function move({ names, to }: Move): Promise<string | null> {
  try {
    const { results } = await call(moveSecrets, { body: { names: [...names], to } });
    const stay = results.flatMap(({ name, error }) => (error === null ? [] : [{ name, error }]));
    const [first] = stay;
    if (first !== undefined) {
      return t('{stay} stayed where it was. {message}', {
        stay: stay.map(({ name }) => name).join(', '),
        message: first.error.message,
      });
    }
    const count = t('{count, plural, one {The secret is} other {# secrets are}}', {
      count: results.length,
    });
    notifyDone(t('{count} kept in {keepers} now', { count, keepers: KEEPERS[to] }));
    return null;
  } finally {
    readSecretsAgain();
  }
}

/** Where each stored secret is kept, and what opens and closes the places. */
export function StoredSecrets() {
  const query = useQuery(routeQuery(listSecrets));
  if (query.isPending) return <Skeleton height={160} radius="sm" />;
  if (query.isError) {
    return <ErrorState compact error={query.error} onRetry={() => void query.refetch()} />;
  }
  const { fault } = query.data.places;
  return (
    <>
      {fault !== null && (
        <Notice
          tone="warning"
          testId="secrets-fault"
          icon={<IconAlertTriangle size={16} aria-hidden />}
        >
          {FAULTS[fault]}
        </Notice>
      )}
      <SecretPlaceRows list={query.data} onChanged={readSecretsAgain} />
      <SecretRows list={query.data} />
    </>
  );
}

function SecretRows({ list }: { readonly list: SecretList }) {
  const [stayed, setStayed] = useState<string | null>(null);
  const action = useAction(async (asked: Move) => setStayed(await move(asked)));
  if (list.secrets.length === 0) {
    // Of a file that cannot be read nobody knows what is in it.
    if (list.places.fault !== null) return null;
    return (
      <p className="sw-faint" data-testid="no-secrets">
        {t(
          'Nothing is stored yet. Keys of model providers are set above, credentials of imported workflows in the editor.',
        )}
      </p>
    );
  }
  return (
    <>
      <ul className="sw-rows sw-keys" data-testid="stored-secrets">
        {list.secrets.map((secret) => (
          <SecretRow
            key={secret.name}
            secret={secret}
            keychain={list.places.keychain}
            busy={action.busy}
            onMove={() => action.start({ names: [secret.name], to: OTHER[secret.kept_in] })}
          />
        ))}
      </ul>
      <span className="sw-key-actions">
        {(['keychain', 'file'] as const).map((to) => {
          const names = list.secrets
            .filter(({ kept_in }) => kept_in !== to)
            .map(({ name }) => name);
          const shut = to === 'keychain' && list.places.keychain === 'absent';
          if (names.length < 2 || shut) return null;
          return (
            <Button
              key={to}
              size="xs"
              variant="default"
              disabled={action.busy}
              onClick={() => action.start({ names, to })}
              data-testid={`move-all-${to}`}
            >
              {t('Move all {count} to the {short}', { count: names.length, short: SHORT[to] })}
            </Button>
          );
        })}
      </span>
      {stayed !== null && (
        <Notice
          tone="warning"
          testId="secrets-stayed"
          icon={<IconAlertTriangle size={16} aria-hidden />}
        >
          {stayed}
        </Notice>
      )}
      {action.error !== undefined && <ErrorState compact error={action.error} />}
    </>
  );
}

function SecretRow(props: {
  readonly secret: SecretView;
  readonly keychain: SecretList['places']['keychain'];
  readonly busy: boolean;
  readonly onMove: () => void;
}) {
  const { name, use, kept_in, state, stored_at, second_copy } = props.secret;
  const to = OTHER[kept_in];
  const canMove = state === 'ready' && (to === 'file' || props.keychain !== 'absent');
  return (
    <li data-testid={`secret-${name}`}>
      <span className="sw-row-name">
        <code>{name}</code>
        <span className="sw-faint">{USES[use]}</span>
      </span>
      <span className="sw-row-state">
        {state === 'ready' ? (
          <Badge tone="success">{SHORT[kept_in]}</Badge>
        ) : (
          <Badge tone="warning">{`${SHORT[kept_in]}, ${SHUT[state]}`}</Badge>
        )}
        <span className="sw-faint">
          <TimeAgo at={stored_at} />
          {second_copy && t('; a copy is still in the keychain and goes at the next change')}
          {state === 'unreadable' && t('; store it again, or remove it')}
        </span>
      </span>
      <span className="sw-key-actions">
        {canMove && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={props.busy}
            onClick={props.onMove}
            data-testid={`move-${name}`}
            aria-label={t('Move to the {short} {name}', { short: SHORT[to], name })}
          >
            {t('Move to the {short}', { short: SHORT[to] })}
          </Button>
        )}
      </span>
    </li>
  );
}
