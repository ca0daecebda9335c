import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { Role } from '../../../server/contract/studio/fields.ts';
import type { Member } from '../../../server/contract/studio/members.ts';
import type { Me } from '../../../server/contract/studio/session.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { giveRole, useKnownPeople } from './member-queries.ts';
import { RoleSelect } from './role-select.tsx';

/** Adds somebody from another project of whoever is signed in; nothing where there is nobody. */
export function AddPerson(props: {
  readonly projectId: string;
  readonly me: Me;
  readonly members: readonly Member[];
}) {
  const { projectId, me, members } = props;
  const known = useKnownPeople(me.projects, projectId, members);
  const [person, setPerson] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const chosen = known.find(({ principal_id }) => principal_id === person);
  const adding = useAction(async () => {
    await giveRole(projectId, person, role);
    notifyDone(
      t('{display_name} is {role} now', {
        display_name: chosen?.display_name ?? t('The person'),
        role,
      }),
    );
    setPerson('');
  });
  if (known.length === 0) {
    return null;
  }
  return (
    <section className="sw-share-section" data-testid="add-person">
      <h2 className="sw-section-title">{t('Add somebody you know')}</h2>
      <p>{t('People of your other projects come in at once, without an invitation.')}</p>
      <form
        className="sw-share-form"
        onSubmit={(event) => {
          event.preventDefault();
          adding.start();
        }}
      >
        <NativeSelect
          size="xs"
          label={t('Person')}
          data={[
            { value: '', label: t('Choose…') },
            ...known.map((one) => ({ value: one.principal_id, label: one.display_name })),
          ]}
          value={person}
          onChange={(event) => setPerson(event.currentTarget.value)}
        />
        <RoleSelect label={t('Role')} value={role} onChange={setRole} testId="add-role" />
        <Button type="submit" size="xs" loading={adding.busy} disabled={chosen === undefined}>
          {t('Add')}
        </Button>
      </form>
      {adding.error !== undefined && (
        <ErrorState compact title={t('Nobody was added')} error={adding.error} />
      )}
    </section>
  );
}
