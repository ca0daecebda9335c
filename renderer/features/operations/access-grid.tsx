import { t } from '../../../preload/texts/t.ts';
import '../../ui/plain-table.css';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getMe } from '../../../server/contract/dashboard/session.ts';
import { getAccess, putAccess } from '../../../server/contract/dashboard/settings.ts';
import { call } from '../../data/api-client.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { useEdited } from '../../data/use-edited.ts';
import { CAPABILITIES } from '../../ui/audit-words.ts';
import { notifyDone } from '../../ui/notify.tsx';
import { accessChanges, isLocked, type Lists, ROLES, withCapability } from './access-model.ts';
import { readAgain, SaveSetting } from './save-setting.tsx';

function writable(lists: Lists): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([role, names]) => [role, [...names]]));
}

/** Which role may do what; the changes are told before they are saved. */
export function AccessGrid(props: {
  readonly stored: { readonly capabilities: Lists; readonly version: number };
  readonly hindrance: string | undefined;
}) {
  const { stored, hindrance } = props;
  const me = useQuery(routeQuery(getMe));
  const edited = useEdited<Lists, number>(
    { value: stored.capabilities, version: stored.version },
    (left, right) => accessChanges(left, right).length === 0,
  );
  const { draft: map, setDraft: setMap, base } = edited;
  const changes = accessChanges(base.value, map);
  const saving = useAction(async () => {
    try {
      const body = { capabilities: writable(map), version: base.version };
      await call(putAccess, { body });
      notifyDone(t('The roles are saved'));
    } finally {
      await readAgain(getAccess, getMe);
    }
  });
  return (
    <>
      <table className="sw-plain-table" data-testid="access-grid">
        <thead>
          <tr>
            <th scope="col">{t('May')}</th>
            {ROLES.map((role) => (
              <th key={role} scope="col" translate="no">
                {role}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {CAPABILITIES.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              {ROLES.map((role) => (
                <td key={role}>
                  <Checkbox
                    size="xs"
                    aria-label={t('{role}: {label}', { role, label })}
                    checked={map[role]?.includes(name) ?? false}
                    disabled={hindrance !== undefined || isLocked(role, name)}
                    title={
                      isLocked(role, name)
                        ? t('Without it nobody could change this page')
                        : hindrance
                    }
                    onChange={(event) =>
                      setMap(withCapability(map, role, name, event.currentTarget.checked))
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > 0 && (
        <div className="sw-operate-preview" data-testid="access-changes">
          <ul>
            {changes.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {me.data?.auth_mode === 'oidc' && <p>{t('Everybody must sign in again, you too.')}</p>}
        </div>
      )}
      <SaveSetting action={saving} edited={edited} testId="access" />
    </>
  );
}
