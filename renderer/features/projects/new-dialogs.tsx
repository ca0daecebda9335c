import { TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type ReactNode, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { addDraft, addProject, draftStem, freeName, takenNames } from '../../data/actions.ts';
import { useDrafts } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { rich } from '../../ui/rich.ts';
import { BLANK_SPEC } from './blank-spec.ts';

/** Asks for a name and makes a project. */
export function newProject(): void {
  modals.open({
    modalId: 'new-project',
    title: t('New project'),
    children: (
      <NameForm
        label={t('Name')}
        action={t('Create project')}
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
    title: t('New draft'),
    children: (
      <NameForm
        label={t('Name')}
        describe={(name) => <DraftFile projectId={projectId} title={name} />}
        action={t('Create draft')}
        onSubmit={async (name) => {
          const draft = await addDraft(projectId, name, BLANK_SPEC);
          modals.close('new-draft');
          navigateTo(paths.draft(projectId, draft.ref));
        }}
      />
    ),
  });
}

/** The file that a draft of this title will be, and why its name has a number. */
function DraftFile(props: { readonly projectId: string; readonly title: string }) {
  const drafts = useDrafts(props.projectId).data;
  if (props.title === '') {
    return t('The file is made in Drafts.');
  }
  const stem = draftStem(props.title);
  const free = freeName(stem, takenNames(drafts ?? []));
  return (
    <span data-testid="name-preview">
      {rich('{value}Makes {b} in Drafts.', {
        value: free !== stem && t('{stem}.yaml exists already. ', { stem }),
        b: <strong>{free}.yaml</strong>,
      })}
    </span>
  );
}

function NameForm(props: {
  readonly label: string;
  /** What will be made of the name, as it is typed. */
  readonly describe?: (name: string) => ReactNode;
  readonly action: string;
  readonly onSubmit: (name: string) => Promise<void>;
}) {
  const [name, setName] = useState('');
  const creating = useAction(() => props.onSubmit(name.trim()));
  return (
    <AskForm
      action={creating}
      failure={t('Nothing was created')}
      label={props.action}
      ready={name.trim() !== ''}
      testId="name"
    >
      <TextInput
        label={props.label}
        {...(props.describe === undefined ? {} : { description: props.describe(name.trim()) })}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        data-testid="name-field"
        maxLength={255}
        required
      />
    </AskForm>
  );
}
