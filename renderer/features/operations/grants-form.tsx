import { NativeSelect, TagsInput } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import {
  getEnvironmentGrants,
  putEnvironmentGrants,
} from '../../../server/contract/dashboard/settings.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { useEdited } from '../../data/use-edited.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { isSameLists, type Lists, ROLES, withGrant } from './access-model.ts';
import { readAgain, SaveSetting } from './save-setting.tsx';

/** Which role may use which environment; an admin may use every one. */
export function GrantsForm(props: {
  readonly stored: { readonly environments: Lists; readonly version: number };
  /** Environments to choose from; others can be typed. */
  readonly names: readonly string[];
  readonly hindrance: string | undefined;
}) {
  const { stored, names, hindrance } = props;
  const edited = useEdited<Lists, number>(
    { value: stored.environments, version: stored.version },
    isSameLists,
  );
  const { draft: grants, setDraft: setGrants, base } = edited;
  const saving = useAction(async () => {
    try {
      const environments = Object.fromEntries(
        Object.entries(grants).map(([role, list]) => [role, [...list]]),
      );
      await call(putEnvironmentGrants, { body: { environments, version: base.version } });
      notifyDone(t('It is saved who may use which environment'));
    } finally {
      await readAgain(getEnvironmentGrants);
    }
  });
  const locked = hindrance !== undefined;
  return (
    <>
      <p>
        {t(
          'A role with a list must choose an environment; with an empty one it may use none. Admins may use every environment.',
        )}
      </p>
      {ROLES.filter((role) => role !== 'admin').map((role) => {
        const list = grants[role];
        return (
          <div key={role} className="sw-operate-grant">
            <NativeSelect
              label={<span translate="no">{role}</span>}
              disabled={locked}
              title={hindrance}
              value={list === undefined ? 'all' : 'some'}
              onChange={(event) =>
                setGrants(
                  withGrant(grants, role, event.currentTarget.value === 'all' ? undefined : []),
                )
              }
              data={[
                { value: 'all', label: t('every environment') },
                { value: 'some', label: t('only these') },
              ]}
              data-testid={`grant-${role}`}
            />
            {list !== undefined && (
              <TagsInput
                aria-label={t('Environments of {role}', { role })}
                data={[...names]}
                disabled={locked}
                value={[...list]}
                onChange={(chosen) => setGrants(withGrant(grants, role, chosen))}
              />
            )}
          </div>
        );
      })}
      <SaveSetting action={saving} edited={edited} testId="grants" />
    </>
  );
}
