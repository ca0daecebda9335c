import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../preload/texts/t.ts';
import { isExpired } from '../data/api-error.ts';
import { CopyCode } from '../ui/copy-code.tsx';
import { rich } from '../ui/rich.ts';

/** What a person can do when this browser is signed out; the page below stays as it is. */
export function SessionEnded(props: {
  readonly error: unknown;
  readonly looking: boolean;
  readonly onLookAgain: () => void;
  readonly onClose: () => void;
}) {
  const [tried, setTried] = useState(false);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={isExpired(props.error) ? t('Your session has ended') : t('You are signed out')}
      data-testid="session-ended"
    >
      <Text size="sm">
        {t('Nothing on this page is lost: text that is not saved stays where it is.')}
      </Text>
      <ol className="sw-steps">
        <li>
          {t('On the computer that runs Specwright, ask for a new link:')}
          <br />
          <CopyCode value="specwright link" label={t('Copy command')} />
          <br />
          <span className="sw-faint">
            {rich('In a checkout: {code}', {
              code: <code>npm run -s specwright -- link</code>,
            })}
          </span>
        </li>
        <li>{t('Open it in another tab of this browser. This page goes on by itself.')}</li>
      </ol>
      {tried && !props.looking && (
        <Text size="sm" role="status">
          {t('This browser is still signed out.')}
        </Text>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={props.onClose}>
          {t('Look at the page')}
        </Button>
        <Button
          data-autofocus
          loading={props.looking}
          onClick={() => {
            setTried(true);
            props.onLookAgain();
          }}
        >
          {t('Check again')}
        </Button>
      </Group>
    </Modal>
  );
}
