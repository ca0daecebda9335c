import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  lockSecrets,
  type SecretList,
  type SecretPlaces,
  unlockKeychain,
} from '../../../server/contract/gateway/secrets.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { type PassphraseAsk, PassphraseDialog } from './passphrase-dialog.tsx';

interface Words {
  readonly tone: 'success' | 'warning' | 'neutral';
  readonly badge: string;
  readonly text: string;
}

const KEYCHAIN: Readonly<Record<SecretPlaces['keychain'], Words>> = {
  open: {
    tone: 'success',
    badge: 'answers',
    text: 'Your system keeps what is in it, under the name “specwright”.',
  },
  locked: {
    tone: 'warning',
    badge: 'locked',
    text: 'Runs that need what is in it fail until it is unlocked. Unlock asks your system for its password.',
  },
  absent: {
    tone: 'neutral',
    badge: 'does not answer',
    text: 'Nothing on this computer answers as a keychain. What you store goes into the encrypted file.',
  },
};

function fileWords({ file, has_passphrase: hasPassphrase }: SecretPlaces): Words {
  if (!hasPassphrase) {
    return {
      tone: 'neutral',
      badge: 'no passphrase',
      text: 'What opens it lies beside it, readable by your account only. A passphrase protects it in copies and backups too.',
    };
  }
  return file === 'open'
    ? { tone: 'success', badge: 'open', text: 'It is open until the program ends or you lock it.' }
    : {
        tone: 'warning',
        badge: 'locked',
        text: 'Runs that need what is in it fail until you enter its passphrase.',
      };
}

function Place(props: {
  readonly title: string;
  readonly words: Words;
  readonly testId: string;
  readonly children: React.ReactNode;
}) {
  const { tone, badge, text } = props.words;
  return (
    <li data-testid={props.testId}>
      <span className="sw-row-name">
        <strong>{props.title}</strong>
      </span>
      <span className="sw-row-state">
        <Badge {...(tone === 'neutral' ? {} : { tone })}>{badge}</Badge>
        <span className="sw-faint">{text}</span>
      </span>
      <span className="sw-key-actions">{props.children}</span>
    </li>
  );
}

/** The two places of secrets: their state, and what opens and closes them. */
export function SecretPlaceRows(props: {
  readonly list: SecretList;
  readonly onChanged: () => void;
}) {
  const { places, secrets } = props.list;
  const [ask, setAsk] = useState<PassphraseAsk | null>(null);
  const unlocking = useAction(async () => {
    try {
      await call(unlockKeychain, {});
    } finally {
      props.onChanged();
    }
    notifyDone('The keychain is unlocked');
  });
  const locking = useAction(async () => {
    await call(lockSecrets, {});
    props.onChanged();
  });
  const choices: readonly (readonly [PassphraseAsk, string])[] = places.has_passphrase
    ? [
        ...(places.file === 'locked' ? [['unlock', 'Enter passphrase…'] as const] : []),
        ['change', 'Change…'],
        ['remove', 'Remove…'],
      ]
    : [['set', 'Set passphrase…']];
  const isNeeded = secrets.some(({ kept_in }) => kept_in === 'keychain');
  return (
    <>
      <ul className="sw-rows sw-keys" data-testid="secret-places">
        <Place title="Keychain" words={KEYCHAIN[places.keychain]} testId="place-keychain">
          {places.keychain === 'locked' && isNeeded && (
            <Button
              size="compact-sm"
              variant="default"
              loading={unlocking.busy}
              onClick={() => unlocking.start()}
              data-testid="unlock-keychain"
            >
              Unlock
            </Button>
          )}
        </Place>
        <Place title="Encrypted file" words={fileWords(places)} testId="place-file">
          {places.has_passphrase && places.file === 'open' && (
            <Button
              size="compact-sm"
              variant="default"
              disabled={locking.busy}
              onClick={() => locking.start()}
              data-testid="lock-file"
            >
              Lock
            </Button>
          )}
          {choices.map(([which, label]) => (
            <Button
              key={which}
              size="compact-sm"
              variant="default"
              onClick={() => setAsk(which)}
              data-testid={`passphrase-${which}`}
              aria-label={`${label} Passphrase of the encrypted file`}
            >
              {label}
            </Button>
          ))}
        </Place>
      </ul>
      {unlocking.error !== undefined && (
        <ErrorState compact error={unlocking.error} title="The keychain is still locked" />
      )}
      {locking.error !== undefined && (
        <ErrorState compact error={locking.error} title="The encrypted file is still open" />
      )}
      {ask !== null && (
        <PassphraseDialog ask={ask} onClose={() => setAsk(null)} onDone={props.onChanged} />
      )}
    </>
  );
}
