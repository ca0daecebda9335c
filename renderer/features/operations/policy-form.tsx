import { Button, Group, Switch, TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { previewPolicy } from '../../../server/contract/dashboard/policies.ts';
import { call } from '../../data/api-client.ts';
import { useLack } from '../../data/connections.ts';
import { useHindrance } from '../../data/operator.ts';
import { policyWords } from '../../data/policy-words.ts';
import { routePrefix } from '../../data/query-client.ts';
import { useEdited } from '../../data/use-edited.ts';
import { Unread } from '../../ui/unread.tsx';
import { ApplyPolicy } from './apply-policy.tsx';
import { RunLink } from './audit-parts.tsx';
import {
  changeRows,
  isSamePolicy,
  KNOWN_CODES,
  NEW_POLICY,
  type Policy,
  SWITCHES,
} from './policies-model.ts';
import { Overtaken } from './save-setting.tsx';

const TYPING_MS = 300;
/** So many runs are named; the rest is counted. */
const NAMED = 12;

function usePreview(environment: string, policy: Policy, enabled: boolean) {
  return useQuery({
    queryKey: [...routePrefix(previewPolicy), environment, policy],
    queryFn: ({ signal }) =>
      call(previewPolicy, { params: { environment }, body: policy }, { signal }),
    enabled,
  });
}

/** The policy of an environment: read by everybody, changed by who may, never without its effect. */
export function PolicyForm(props: {
  readonly environment: string;
  /** Undefined: none is stored. */
  readonly stored: Policy | undefined;
}) {
  const { environment, stored } = props;
  const mayNot = useHindrance('policy.write');
  const hindrance = useLack('policies') ?? mayNot;
  const edited = useEdited(
    { value: stored ?? NEW_POLICY, version: stored === undefined ? '' : JSON.stringify(stored) },
    isSamePolicy,
  );
  const { draft: policy, setDraft: setPolicy } = edited;
  const [asked] = useDebouncedValue(policy, TYPING_MS);
  const [applying, setApplying] = useState(false);
  const locked = hindrance !== undefined;
  const isChanged = stored === undefined || edited.isChanged;
  const preview = usePreview(environment, asked, !locked && isChanged);
  return (
    <section className="sw-operate-section" data-testid="policy-form">
      <h2 className="sw-section-title">{environment}</h2>
      <p>
        {stored === undefined
          ? t('No policy is stored: everything that is valid runs.')
          : t('A change holds for runs that start after it.')}
        {locked && ` ${hindrance}`}
      </p>
      {SWITCHES.map(({ name, label, about }) => (
        <Switch
          key={name}
          mb="sm"
          label={label}
          description={about}
          disabled={locked}
          checked={policy[name]}
          onChange={(event) => setPolicy({ ...policy, [name]: event.currentTarget.checked })}
          data-testid={`policy-${name}`}
        />
      ))}
      <TagsInput
        label={t('Findings that stop a spec')}
        description={t(
          'Codes of the policy report, such as W_TOOL_SHELL_ALLOWED. Another code can be typed.',
        )}
        data={[...KNOWN_CODES]}
        renderOption={({ option: { value } }) => (
          <span>
            {value} <span className="sw-faint">{policyWords(value)}</span>
          </span>
        )}
        disabled={locked}
        value={policy.blocked_diagnostic_codes}
        onChange={(codes) => setPolicy({ ...policy, blocked_diagnostic_codes: codes })}
        data-testid="policy-codes"
      />
      {policy.blocked_diagnostic_codes.length > 0 && (
        <dl className="sw-facts" data-testid="policy-code-words">
          {policy.blocked_diagnostic_codes.map((code) => (
            <div key={code} style={{ display: 'contents' }}>
              <dt className="sw-mono">{code}</dt>
              <dd>{policyWords(code) ?? t('Any finding of a spec with this code stops it.')}</dd>
            </div>
          ))}
        </dl>
      )}
      {isChanged && !locked && (
        <div className="sw-operate-preview" data-testid="policy-preview">
          <h3 className="sw-section-title">{t('What the change does')}</h3>
          <Overtaken edited={edited} />
          <Unread query={preview} rows={2} compact />
          {preview.data !== undefined && <Effect preview={preview.data} />}
          <Group mt="sm" gap="xs">
            <Button
              size="xs"
              disabled={preview.data === undefined || asked !== policy || edited.isOvertaken}
              onClick={() => setApplying(true)}
              data-testid="policy-apply"
            >
              {stored === undefined ? t('Store this policy…') : t('Apply…')}
            </Button>
            {stored !== undefined && (
              <Button size="xs" variant="default" onClick={edited.takeStored}>
                {t('Discard the change')}
              </Button>
            )}
          </Group>
        </div>
      )}
      {applying && preview.data !== undefined && (
        <ApplyPolicy
          environment={environment}
          policy={policy}
          affected={preview.data.affected_count}
          onClose={() => setApplying(false)}
        />
      )}
    </section>
  );
}

type Preview = Awaited<ReturnType<typeof call<typeof previewPolicy>>>;

function Effect({ preview }: { readonly preview: Preview }) {
  const { diff, affected_run_ids, affected_count } = preview;
  const rows = changeRows(diff);
  return (
    <>
      {rows.length > 0 && (
        <table className="sw-plain-table">
          <thead>
            <tr>
              <th scope="col">{t('Rule')}</th>
              <th scope="col">{t('Now')}</th>
              <th scope="col">{t('Then')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([rule, before, after]) => (
              <tr key={rule}>
                <td>{rule}</td>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p data-testid="policy-affected">
        {affected_count === 0
          ? t('None of the newest runs of this environment would have been answered otherwise.')
          : t(
              '{count, plural, one {# run} other {# runs}} of this environment would have been answered otherwise: ',
              { count: affected_count },
            )}
        {affected_run_ids.slice(0, NAMED).map((id) => (
          <span key={id}>
            <RunLink runId={id} />{' '}
          </span>
        ))}
        {affected_count > NAMED &&
          t('and {affected_count} more', { affected_count: affected_count - NAMED })}
      </p>
    </>
  );
}
