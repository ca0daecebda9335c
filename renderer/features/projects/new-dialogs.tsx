import { Button, Group, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { addDraft, addProject } from '../../data/actions.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { BLANK_SPEC } from './blank-spec.ts';

/** Asks for a name and makes a project. */
export function newProject(): void {
  modals.open({
    modalId: 'new-project',
    title: 'New project',
    children: (
      <NameForm
        label="Name"
        action="Create project"
        onSubmit={async (name) => {
          const project = await addProject(name);
          modals.close('new-project');
          navigateTo(paths.project(project.id));
        }}
      />
    ),
  });
}

/** Asks for a name and makes a draft with the smallest valid spec. */
export function newDraft(projectId: string): void {
  modals.open({
    modalId: 'new-draft',
    title: 'New draft',
    children: (
      <NameForm
        label="Name"
        description="The file is made in Drafts; a name that is taken gets a number."
        action="Create draft"
        onSubmit={async (name) => {
          const draft = await addDraft(projectId, name, BLANK_SPEC);
          modals.close('new-draft');
          navigateTo(paths.draft(projectId, draft.ref));
        }}
      />
    ),
  });
}

function NameForm(props: {
  readonly label: string;
  readonly description?: string;
  readonly action: string;
  readonly onSubmit: (name: string) => Promise<void>;
}) {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await props.onSubmit(name.trim());
    } catch (cause) {
      setError(cause);
    } finally {
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
      <TextInput
        label={props.label}
        {...(props.description === undefined ? {} : { description: props.description })}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        data-testid="name-field"
        maxLength={255}
        required
      />
      {error !== undefined && <ErrorState compact title="Nothing was created" error={error} />}
      <Group justify="flex-end" mt="md">
        <Button
          type="submit"
          loading={busy}
          disabled={name.trim() === ''}
          data-testid="name-submit"
        >
          {props.action}
        </Button>
      </Group>
    </form>
  );
}
