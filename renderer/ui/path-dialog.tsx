import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../preload/texts/t.ts';
import { useAction } from '../data/use-action.ts';
import { AskForm } from './ask-form.tsx';

/** Asks for a path in the project and does something with it; stays open while that fails. */
export function PathDialog(props: {
  readonly title: string;
  readonly description: string;
  readonly initial: string;
  readonly action: string;
  readonly failure: string;
  /** Begins the names under which tests find the field and the button. */
  readonly testId: string;
  /** Also when it is the initial path. */
  readonly takesInitial?: boolean;
  readonly onSubmit: (path: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [path, setPath] = useState(props.initial);
  const wanted = path.trim();
  const work = useAction(async () => {
    await props.onSubmit(wanted);
    props.onClose();
  });
  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <AskForm
        action={work}
        failure={props.failure}
        label={props.action}
        ready={wanted !== '' && (props.takesInitial === true || wanted !== props.initial)}
        testId={props.testId}
      >
        <TextInput
          label={t('Path in the project')}
          description={props.description}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          data-autofocus
          data-testid={`${props.testId}-field`}
        />
      </AskForm>
    </Modal>
  );
}
