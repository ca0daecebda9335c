import { Button, Group, Select, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import type { Project } from '../../../server/contract/studio/session.ts';
import { addProject } from '../../data/actions.ts';
import { ErrorState } from '../../ui/error-state.tsx';

const NEW = '';
const MODAL = 'choose-project';

interface ChoiceProps {
  readonly projects: readonly Project[];
  readonly initial: string;
  readonly onChosen: (projectId: string) => void;
}

function Choice(props: ChoiceProps) {
  const [chosen, setChosen] = useState(props.initial);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      props.onChosen(chosen === NEW ? (await addProject(name.trim())).id : chosen);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Select
        label="Project"
        description="Each file becomes a draft of it."
        data={[
          ...props.projects.map(({ id, name: label }) => ({ value: id, label })),
          { value: NEW, label: 'New project…' },
        ]}
        value={chosen}
        allowDeselect={false}
        onChange={(value) => setChosen(value ?? props.initial)}
        data-testid="import-project"
        mb="sm"
      />
      {chosen === NEW && (
        <TextInput
          label="Name of the new project"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          mb="sm"
        />
      )}
      {error !== undefined && <ErrorState compact error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => modals.close(MODAL)}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={busy}
          disabled={chosen === NEW && name.trim() === ''}
          data-testid="import-start"
          data-autofocus
        >
          Import
        </Button>
      </Group>
    </form>
  );
}

/** Asks which project an import goes to; undefined when the question was put away. */
export function chooseProject(
  title: string,
  projects: readonly Project[],
  initial: string,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  modals.open({
    modalId: MODAL,
    title,
    onClose: () => resolve(undefined),
    children: (
      <Choice
        projects={projects}
        initial={initial}
        onChosen={(projectId) => {
          resolve(projectId);
          modals.close(MODAL);
        }}
      />
    ),
  });
  return promise;
}
