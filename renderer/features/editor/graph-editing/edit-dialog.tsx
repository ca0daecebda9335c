import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../../preload/texts/t.ts';

/** A dialog that changes the graph; why it cannot stays in it. */
export function EditDialog(props: {
  readonly title: string;
  readonly submit: string;
  readonly ready: boolean;
  /** Why the last try was refused; null before it. */
  readonly refused: string | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Modal opened onClose={props.onClose} title={props.title} size="md">
      <form
        className="sw-graph-form"
        data-testid="graph-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (props.ready) props.onSubmit();
        }}
      >
        {props.children}
        {props.refused !== null && (
          <p className="sw-graph-refused" role="alert">
            {props.refused}
          </p>
        )}
        <Group justify="flex-end" mt="sm">
          <Button variant="default" onClick={props.onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" disabled={!props.ready} data-testid="graph-submit">
            {props.submit}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
