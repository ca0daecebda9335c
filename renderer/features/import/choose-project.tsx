import { Select, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { Project } from '../../../server/contract/studio/session.ts';
import { addProject } from '../../data/actions.ts';
import { useAction } from '../../data/use-action.ts';
import { AliasPicker } from '../../environments/alias-picker.tsx';
import { AskForm } from '../../ui/ask-form.tsx';

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
  const importing = useAction(async () =>
    props.onChosen(chosen === NEW ? (await addProject(name.trim())).id : chosen),
  );
  return (
    <AskForm
      action={importing}
      label={t('Import')}
      ready={chosen !== NEW || name.trim() !== ''}
      onCancel={() => modals.close(MODAL)}
      testId="import"
    >
      <Select
        label={t('Project')}
        description={t('Each file becomes a draft of it.')}
        data={[
          ...props.projects.map(({ id, name: label }) => ({ value: id, label })),
          { value: NEW, label: t('New project…') },
        ]}
        value={chosen}
        allowDeselect={false}
        onChange={(value) => setChosen(value ?? props.initial)}
        data-testid="import-project"
        mb="sm"
      />
      {chosen !== NEW && <AliasPicker projectId={chosen} label={t('For')} />}
      {chosen === NEW && (
        <TextInput
          label={t('Name of the new project')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </AskForm>
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
