import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { isExpired } from '../data/api-error.ts';
import { CopyCode } from '../ui/copy-code.tsx';

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
      title={isExpired(props.error) ? 'Your session has ended' : 'You are signed out'}
      data-testid="session-ended"
    >
      <Text size="sm">Nothing on this page is lost: text that is not saved stays where it is.</Text>
      <ol className="sw-steps">
        <li>
          On the computer that runs Specwright, ask for a new link:
          <br />
          <CopyCode value="specwright link" label="Copy command" />
          <br />
          <span className="sw-faint">
            In a checkout: <code>npm run -s specwright -- link</code>
          </span>
        </li>
        <li>Open it in another tab of this browser. This page goes on by itself.</li>
      </ol>
      {tried && !props.looking && (
        <Text size="sm" role="status">
          This browser is still signed out.
        </Text>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={props.onClose}>
          Look at the page
        </Button>
        <Button
          data-autofocus
          loading={props.looking}
          onClick={() => {
            setTried(true);
            props.onLookAgain();
          }}
        >
          Check again
        </Button>
      </Group>
    </Modal>
  );
}
