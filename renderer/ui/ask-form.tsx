import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../preload/texts/t.ts';
import type { Action } from '../data/use-action.ts';
import { CapabilityFindings } from './capability-findings.tsx';
import { ErrorState } from './error-state.tsx';

/** The form of a dialog: its fields, why it failed the last time, and its buttons. */
export function AskForm(props: {
  readonly children: ReactNode;
  readonly action: Action;
  /** What did not happen, above the reason. */
  readonly failure?: string;
  /** What the button says that starts the action. */
  readonly label: string;
  readonly ready: boolean;
  readonly onCancel?: () => void;
  /** Begins the names under which tests find the form and its button. */
  readonly testId: string;
}) {
  const { action, failure, onCancel } = props;
  // In a long dialog the reason would stand below what is in sight.
  const reason = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (action.error !== undefined) {
      reason.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [action.error]);
  return (
    <form
      data-testid={`${props.testId}-dialog`}
      onSubmit={(event) => {
        event.preventDefault();
        action.start();
      }}
    >
      {props.children}
      {action.error !== undefined && (
        <div ref={reason}>
          <ErrorState
            compact
            {...(failure === undefined ? {} : { title: failure })}
            error={action.error}
          />
          <CapabilityFindings error={action.error} />
        </div>
      )}
      <Group justify="flex-end" mt="md">
        {onCancel !== undefined && (
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
        <Button
          type="submit"
          loading={action.busy}
          disabled={!props.ready}
          data-testid={`${props.testId}-submit`}
          data-autofocus
        >
          {props.label}
        </Button>
      </Group>
    </form>
  );
}
