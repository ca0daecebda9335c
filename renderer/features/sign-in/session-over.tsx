import { t } from '../../../preload/texts/t.ts';
import { listText } from '../../ui/list-text.ts';
import './sign-in.css';
import { Button, Group, Modal, Text } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useState } from 'react';
import { getMe } from '../../../server/contract/studio/session.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import { type Standings, tellWindows } from '../../data/sign-in.ts';
import { SignInCard } from './sign-in-card.tsx';
import { WORK } from './sign-in-texts.ts';

/** Every window looks who is there now; what could not be read is read again then. */
function lookAgain(): void {
  tellWindows();
  void queryClient.invalidateQueries({ queryKey: routePrefix(getMe) });
}

/** Says that a session ended and signs in again; the page below stays as it is. */
export function SessionOver(props: { readonly standings: Standings }) {
  const { standings } = props;
  const over = standings.ways.filter(({ service }) => standings[service] === 'ended');
  const key = over.map(({ service }) => service).join(' ');
  const [looked, setLooked] = useState('');
  if (over.length === 0) {
    return null;
  }
  const what = listText(over.map(({ service }) => WORK[service].title.toLowerCase()));
  if (looked === key) {
    return (
      <div className="sw-banner" role="alert" data-tone="warning" data-testid="session-over-banner">
        <IconLogin2 size={16} aria-hidden />
        <span className="sw-banner-text">
          {t('Your session for {what} has ended. Unsaved text is kept.', { what })}
        </span>
        <Button size="compact-sm" variant="default" onClick={() => setLooked('')}>
          {t('Sign in again')}
        </Button>
      </div>
    );
  }
  return (
    <Modal
      opened
      onClose={() => setLooked(key)}
      title={t('Your session has ended')}
      data-testid="session-over"
    >
      <Text size="sm">
        {t(
          'You signed out in another tab, were away for long, or were signed out by who runs the server. Nothing on this page is lost: sign in again and go on.',
        )}
      </Text>
      {over.map((way) => (
        <SignInCard key={way.service} way={way} apart onSignedIn={lookAgain} />
      ))}
      {over.some(({ mode }) => mode === 'oidc') && (
        <Text size="xs" mt="xs" className="sw-faint">
          {t('The provider opens in another tab; this page goes on by itself.')}
        </Text>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => setLooked(key)}>
          {t('Look at the page')}
        </Button>
      </Group>
    </Modal>
  );
}
