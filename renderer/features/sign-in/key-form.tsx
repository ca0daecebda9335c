import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getMe as getOperator } from '../../../server/contract/dashboard/session.ts';
import { getMe } from '../../../server/contract/studio/session.ts';
import { call } from '../../data/api-client.ts';
import { ApiError } from '../../data/api-error.ts';
import { setEndpoint } from '../../data/endpoint.ts';
import { forgetKey, keepKey } from '../../data/own-key.ts';
import type { SignInService } from '../../data/sign-in.ts';
import { useAction } from '../../data/use-action.ts';
import { FaultNotice } from './fault-notice.tsx';
import { faultOfError, type SignInFault } from './sign-in-texts.ts';

const WRONG_KEY: SignInFault = {
  title: t('This key does not open it'),
  text: t('A service that was started again has another one. Look into the file once more.'),
};

const ME = { studio: getMe, dashboard: getOperator } as const;

/** The key of a service that runs by itself and asks nobody for a name. */
export function KeyForm(props: {
  readonly service: SignInService;
  readonly onSignedIn: () => void;
}) {
  const [fault, setFault] = useState<SignInFault>();
  const attempt = useAction(async (key: string) => {
    setEndpoint({ baseUrl: '', token: key });
    keepKey(key);
    try {
      await call(ME[props.service]);
      setFault(undefined);
      props.onSignedIn();
    } catch (error) {
      forgetKey();
      setEndpoint({ baseUrl: '', token: null });
      const refused = error instanceof ApiError && error.status === 401;
      setFault(refused ? WRONG_KEY : faultOfError(error, ''));
    }
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get('key');
    attempt.start(String(given ?? '').trim());
  };
  return (
    <form className="sw-sign-in-form" onSubmit={submit} data-testid="key-form">
      <PasswordInput
        label={t('Key of the service')}
        description={t(
          'It stands in the file that the service named when it started. This tab keeps it until it is closed.',
        )}
        name="key"
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': t('Show key'), tabIndex: 0 }}
      />
      {fault !== undefined && <FaultNotice fault={fault} left={0} />}
      <Button type="submit" fullWidth loading={attempt.busy}>
        {t('Open')}
      </Button>
    </form>
  );
}
