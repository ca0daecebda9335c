import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './sign-in.css';
import { IconKey, IconLogin2, IconMapPinOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { queryClient } from '../../data/query-client.ts';
import { isUsable, type SignInService, type Standings, tellWindows } from '../../data/sign-in.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { WORK } from './sign-in-texts.ts';

/** A place of the workbench, or what it takes to come in. */
export function PlaceGate(props: {
  readonly service: SignInService | undefined;
  readonly standings: Standings;
  readonly children: ReactNode;
}) {
  const { service, standings } = props;
  const standing = service === undefined ? 'open' : standings[service];
  if (service === undefined || isUsable(standing) || standing === 'ended') {
    return props.children;
  }
  const way = standings.ways.find((one) => one.service === service);
  if (standing === 'unknown') {
    return null;
  }
  if (standing === 'elsewhere') {
    return (
      <EmptyState
        icon={<IconMapPinOff size={28} stroke={1.5} aria-hidden />}
        title={t('{title} is not at this address', { title: WORK[service].title })}
        testId="place-elsewhere"
      >
        {rich('Here is {alone} alone. The whole workbench has both: {code}', {
          alone: WORK[service === 'studio' ? 'dashboard' : 'studio'].alone,
          code: <CopyCode value="specwright serve" label={t('Copy command')} />,
        })}
      </EmptyState>
    );
  }
  if (way === undefined) {
    return (
      <EmptyState
        icon={<IconKey size={28} stroke={1.5} aria-hidden />}
        title={WORK[service].shut}
        testId="place-shut"
      >
        {rich(
          'They open it with the link that this command prints on the server, in the browser that it is for: {code}',
          { code: <CopyCode value="specwright link" label={t('Copy command')} /> },
        )}
      </EmptyState>
    );
  }
  return (
    <div className="sw-sign-in-place-gate" data-testid="place-sign-in">
      <IconLogin2 size={28} stroke={1.5} aria-hidden />
      <h1>{t('Sign in to {lowerCase}', { lowerCase: WORK[service].title.toLowerCase() })}</h1>
      <SignInCard
        way={way}
        onSignedIn={() => {
          tellWindows();
          void queryClient.resetQueries();
        }}
      />
    </div>
  );
}
