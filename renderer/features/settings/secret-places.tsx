import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
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
    text: t('Your system keeps what is in it, under the name “specwright”.'),
  },
  locked: {
    tone: 'warning',
    badge: 'locked',
    text: t(
      'Runs that need what is in it fail until it is unlocked. Unlock asks your system for its password.',
    ),
  },
  absent: {
    tone: 'neutral',
    badge: t('does not answer'),
    text: t(
      'Nothing on this computer answers as a keychain. What you store goes into the encrypted file.',
    ),
  },
};

function fileWords({ file, has_passphrase: hasPassphrase }: SecretPlaces): Words {
  if (!hasPassphrase) {
    return {
      tone: 'neutral',
      badge: t('no passphrase'),
      text: t(
        'What opens it lies beside it, readable by your account only. A passphrase protects it in copies and backups too.',
      ),
    };
  }
  return file === 'open'
    ? {
        tone: 'success',
        badge: 'open',
        text: t('It is open until the program ends or you lock it.'),
      }
    : {
        tone: 'warning',
        badge: 'locked',
        text: t('Runs that need what is in it fail until you enter its passphrase.'),
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
    notifyDone(t('The keychain is unlocked'));
  });
  const locking = useAction(async () => {
    await call(lockSecrets, {});
    props.onChanged();
  });
  const choices: readonly (readonly [PassphraseAsk, string])[] = places.has_passphrase
    ? [
        ...(places.file === 'locked' ? [['unlock', t('Enter passphrase…')] as const] : []),
        ['change', t('Change…')],
        ['remove', t('Remove…')],
      ]
    : [['set', t('Set passphrase…')]];
  const isNeeded = secrets.some(({ kept_in }) => kept_in === 'keychain');
  return (
    <>
      <ul className="sw-rows sw-keys" data-testid="secret-places">
        <Place title={t('Keychain')} words={KEYCHAIN[places.keychain]} testId="place-keychain">
          {places.keychain === 'locked' && isNeeded && (
            <Button
              size="compact-sm"
              variant="default"
              loading={unlocking.busy}
              onClick={() => unlocking.start()}
              data-testid="unlock-keychain"
            >
              {t('Unlock')}
            </Button>
          )}
        </Place>
        <Place title={t('Encrypted file')} words={fileWords(places)} testId="place-file">
          {places.has_passphrase && places.file === 'open' && (
            <Button
              size="compact-sm"
              variant="default"
              disabled={locking.busy}
              onClick={() => locking.start()}
              data-testid="lock-file"
            >
              {t('Lock')}
            </Button>
          )}
          {choices.map(([which, label]) => (
            <Button
              key={which}
              size="compact-sm"
              variant="default"
              onClick={() => setAsk(which)}
              data-testid={`passphrase-${which}`}
              aria-label={t('{label} Passphrase of the encrypted file', { label })}
            >
              {label}
            </Button>
          ))}
        </Place>
      </ul>
      {unlocking.error !== undefined && (
        <ErrorState compact error={unlocking.error} title={t('The keychain is still locked')} />
      )}
      {locking.error !== undefined && (
        <ErrorState compact error={locking.error} title={t('The encrypted file is still open')} />
      )}
      {ask !== null && (
        <PassphraseDialog ask={ask} onClose={() => setAsk(null)} onDone={props.onChanged} />
      )}
    </>
  );
}
