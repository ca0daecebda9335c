import { Modal, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import {
  removePassphrase,
  setPassphrase,
  unlockSecrets,
} from '../../../server/contract/gateway/secrets.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { notifyDone } from '../../ui/notify.tsx';

/** What a passphrase is asked for. */
export type PassphraseAsk = 'unlock' | 'set' | 'change' | 'remove';

const SHORTEST = 10;

const WORDS: Readonly<
  Record<PassphraseAsk, { title: string; label: string; failure: string; done: string }>
> = {
  unlock: {
    title: t('Open the encrypted file'),
    label: t('Open'),
    failure: t('The file stays locked'),
    done: t('The encrypted file is open until the program ends'),
  },
  set: {
    title: t('A passphrase for the encrypted file'),
    label: t('Set passphrase'),
    failure: t('The passphrase was not set'),
    done: t('The encrypted file opens with your passphrase only'),
  },
  change: {
    title: t('Another passphrase for the encrypted file'),
    label: t('Change passphrase'),
    failure: t('The passphrase was not changed'),
    done: t('The passphrase is changed'),
  },
  remove: {
    title: t('Remove the passphrase of the encrypted file'),
    label: t('Remove passphrase'),
    failure: t('The passphrase was not removed'),
    done: t('The encrypted file opens without a passphrase'),
  },
};

function send(ask: PassphraseAsk, current: string, fresh: string) {
  switch (ask) {
    case 'unlock':
      return call(unlockSecrets, { body: { passphrase: current } });
    case 'remove':
      return call(removePassphrase, { body: { passphrase: current } });
    case 'set':
      return call(setPassphrase, { body: { passphrase: fresh } });
    case 'change':
      return call(setPassphrase, { body: { passphrase: fresh, current } });
  }
}

function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly first: boolean;
  readonly testId: string;
  readonly error?: string | null;
  readonly description?: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <PasswordInput
      label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      autoComplete="off"
      maxLength={1024}
      required
      mb="sm"
      {...(props.description === undefined ? {} : { description: props.description })}
      error={props.error ?? null}
      {...(props.first ? { 'data-autofocus': true } : {})}
      data-testid={props.testId}
    />
  );
}

/** Asks for the passphrase of the encrypted file. What is typed is gone when the dialog closes. */
export function PassphraseDialog(props: {
  readonly ask: PassphraseAsk;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { ask } = props;
  const words = WORDS[ask];
  const [current, setCurrent] = useState('');
  const [fresh, setFresh] = useState('');
  const [again, setAgain] = useState('');
  const asksCurrent = ask !== 'set';
  const asksFresh = ask === 'set' || ask === 'change';
  const differs = again !== '' && again !== fresh;
  const ready =
    (!asksCurrent || current !== '') &&
    (!asksFresh || (fresh.length >= SHORTEST && fresh === again));
  const action = useAction(async () => {
    await send(ask, current, fresh);
    props.onDone();
    notifyDone(words.done);
    props.onClose();
  });
  return (
    <Modal opened onClose={props.onClose} title={words.title}>
      <AskForm
        action={action}
        failure={words.failure}
        label={words.label}
        ready={ready}
        onCancel={props.onClose}
        testId="passphrase"
      >
        {asksCurrent && (
          <Field
            label={asksFresh ? t('Passphrase of now') : t('Passphrase')}
            value={current}
            onChange={setCurrent}
            first
            testId="passphrase-current"
          />
        )}
        {asksFresh && (
          <>
            <Field
              label={t('New passphrase')}
              description={t(
                '10 characters or more. Nobody can recover it: without it, what the file holds is lost.',
              )}
              value={fresh}
              onChange={setFresh}
              first={!asksCurrent}
              testId="passphrase-new"
            />
            <Field
              label={t('The same again')}
              value={again}
              onChange={setAgain}
              first={false}
              error={differs ? t('The two are not the same.') : null}
              testId="passphrase-again"
            />
          </>
        )}
      </AskForm>
    </Modal>
  );
}
