import { Button, PasswordInput, TextInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { login } from '../../../server/contract/studio/session.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { FaultNotice, useWait } from './fault-notice.tsx';
import { faultOfError, type SignInFault } from './sign-in-texts.ts';

/** Name and password, and for the first person the token of the server. */
export function PasswordForm(props: {
  /** The server's token is offered: nobody was signed in before. */
  readonly isFirst: boolean;
  readonly onSignedIn: () => void;
}) {
  const [fault, setFault] = useState<SignInFault>();
  const [claims, setClaims] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const left = useWait(fault);
  const attempt = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const username = String(given.get('username') ?? '');
    const claim = String(given.get('bootstrap_claim') ?? '').trim();
    try {
      await call(login, {
        body: {
          username,
          password: String(given.get('password') ?? ''),
          bootstrap_claim: claim === '' ? null : claim,
        },
      });
      setFault(undefined);
      props.onSignedIn();
    } catch (error) {
      setFault(faultOfError(error, username));
      password.current?.select();
      password.current?.focus();
    }
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    attempt.start(event.currentTarget);
  };
  return (
    <form className="sw-sign-in-form" onSubmit={submit} data-testid="password-form">
      <TextInput
        label={t('Name')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        maxLength={256}
        data-autofocus
        autoFocus
      />
      <PasswordInput
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        ref={password}
        visibilityToggleButtonProps={{ 'aria-label': t('Show password'), tabIndex: 0 }}
      />
      {claims && (
        <TextInput
          label={t('Token of the server')}
          description={t('Printed by: specwright studio bootstrap-token')}
          name="bootstrap_claim"
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
        />
      )}
      {fault !== undefined && <FaultNotice fault={fault} left={left} />}
      <Button type="submit" fullWidth loading={attempt.busy} disabled={left > 0}>
        {claims ? t('Sign in and take over') : t('Sign in')}
      </Button>
      {props.isFirst && (
        <UnstyledButton
          className="sw-sign-in-more"
          aria-expanded={claims}
          onClick={() => setClaims(!claims)}
          data-testid="claim-toggle"
        >
          {claims ? t('I have no token') : t('First person here? Use the token of the server')}
        </UnstyledButton>
      )}
    </form>
  );
}
