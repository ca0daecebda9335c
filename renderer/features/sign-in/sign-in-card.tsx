import { Button } from '@mantine/core';
import { IconExternalLink, IconLogin2 } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import { login } from '../../../server/contract/dashboard/session.ts';
import { startOidcLogin } from '../../../server/contract/studio/session.ts';
import { routeUrl } from '../../data/route-url.ts';
import type { Way } from '../../data/sign-in.ts';
import { FaultNotice, useWait } from './fault-notice.tsx';
import { KeyForm } from './key-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { keepReturn } from './return-place.ts';
import { type SignInFault, WORK } from './sign-in-texts.ts';

/** Where a browser begins a sign-in at the provider: whole pages, which the gateway passes on. */
const STARTS = { studio: startOidcLogin, dashboard: login } as const;

/** The way in to one service. */
export function SignInCard(props: {
  readonly way: Way;
  readonly fault?: SignInFault | undefined;
  /** In another tab, so that what is on screen stays. */
  readonly apart?: boolean;
  readonly onSignedIn: () => void;
}) {
  const { way, fault, apart = false } = props;
  const left = useWait(fault);
  const Icon = apart ? IconExternalLink : IconLogin2;
  return (
    <section className="sw-sign-in-card" aria-label={WORK[way.service].title}>
      <header>
        <h2>{WORK[way.service].title}</h2>
        <p className="sw-faint">{WORK[way.service].text}</p>
      </header>
      {fault !== undefined && <FaultNotice fault={fault} left={left} />}
      {way.mode === 'static' && <PasswordForm isFirst={!apart} onSignedIn={props.onSignedIn} />}
      {way.mode === 'key' && <KeyForm service={way.service} onSignedIn={props.onSignedIn} />}
      {way.mode === 'oidc' && (
        <Button
          component="a"
          href={routeUrl(STARTS[way.service])}
          variant="default"
          data-autofocus
          fullWidth
          leftSection={<Icon size={16} stroke={1.75} aria-hidden />}
          data-testid={`provider-${way.service}`}
          {...(apart ? { target: '_blank', rel: 'noopener' } : { onClick: () => keepReturn() })}
        >
          {t('Sign in with {provider}', { provider: way.provider })}
        </Button>
      )}
    </section>
  );
}
