import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import { ServiceText } from '../../ui/service-text.tsx';
import '../../ui/plain-table.css';
import { Button, Menu } from '@mantine/core';
import { IconDots, IconListDetails, IconPlugX, IconRefresh, IconStack2 } from '@tabler/icons-react';
import type { EnvironmentState, GenerationView } from '../../../server/contract/studio/bindings.ts';
import { askAgain, useEnvironmentState } from '../../data/environments.ts';
import { policyInShort } from '../../environments/policy-words.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import {
  type AliasGroup,
  type EnvironmentDialog,
  POLICY_MEANING,
  stateLook,
} from './environments-model.ts';

interface SectionProps {
  readonly projectId: string;
  readonly group: AliasGroup;
  /** Why this person may change nothing here. */
  readonly hindrance: string | undefined;
  readonly onOpen: (dialog: EnvironmentDialog) => void;
}

/** One alias: where it leads, what that platform says, and its generations. */
export function AliasSection(props: SectionProps) {
  const { alias, live, generations } = props.group;
  return (
    <section
      className="sw-alias"
      aria-label={t('Alias {alias}', { alias })}
      data-testid={`alias-${alias}`}
    >
      {live === undefined ? (
        <header className="sw-alias-head">
          <h2>{alias}</h2>
          <Badge>{t('Retired')}</Badge>
        </header>
      ) : (
        <LiveAlias {...props} live={live} />
      )}
      {(generations.length > 1 || live === undefined) && <Generations {...props} />}
    </section>
  );
}

function LiveAlias(props: SectionProps & { readonly live: GenerationView }) {
  const { projectId, live, hindrance, onOpen } = props;
  const { alias } = live;
  const state = useEnvironmentState(projectId, alias);
  const ask = (): void => {
    void askAgain(projectId);
  };
  const locked = { disabled: hindrance !== undefined, title: hindrance };
  return (
    <>
      <header className="sw-alias-head">
        <h2>{alias}</h2>
        <span className="sw-faint">
          {t('generation {generation}', { generation: live.generation })}
        </span>
        <StateBadge state={state.data} failed={state.isError} />
        <span className="sw-alias-actions">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconStack2 size={14} />}
            onClick={() => onOpen({ kind: 'next', alias })}
            {...locked}
            data-testid="next-generation"
          >
            {t('Next generation')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconListDetails size={14} />}
            onClick={() => onOpen({ kind: 'registry', alias })}
            data-testid="open-registry"
          >
            {t('Registry')}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                size="xs"
                variant="default"
                px={7}
                aria-label={t('More actions of {alias}', { alias })}
              >
                <IconDots size={14} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconRefresh size={15} />} onClick={ask}>
                {t('Ask the platform again')}
              </Menu.Item>
              <Menu.Item
                color="var(--sw-danger)"
                leftSection={<IconPlugX size={15} />}
                disabled={hindrance !== undefined}
                onClick={() => onOpen({ kind: 'retire', alias, generation: null })}
                data-testid="retire-alias"
              >
                {t('Retire {alias}…', { alias })}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      </header>
      <StateHelp {...props} state={state.data} onRetry={ask} />
      <dl className="sw-facts">
        <dt>{t('Platform')}</dt>
        <dd>
          {live.endpoint === 'own' && t('This installation’s own ')}
          {live.url === '' ? (
            t('Not known: its profile cannot be loaded')
          ) : (
            <CopyCode value={live.url} />
          )}
          {state.data?.version != null && (
            <span className="sw-faint">
              {' '}
              {t('contract {version}', { version: state.data.version })}
            </span>
          )}
        </dd>
        <dt>{t('Environment')}</dt>
        <dd>{live.platform_environment}</dd>
        <dt>{t('Its policy')}</dt>
        <dd>
          {state.data?.state === 'reachable' ? policyInShort(state.data.policy) : t('Not known')}
        </dd>
        <dt>{t('Capabilities')}</dt>
        <dd>{POLICY_MEANING[live.capability_policy]}</dd>
        <dt>{t('Registry')}</dt>
        <dd>
          {live.registry.length === 0 ? (
            t('None attached; a reference to one stops a spec')
          ) : (
            <>
              {rich('{count, plural, one {# name} other {# names}} since {time}', {
                count: live.registry.length,
                time: <TimeAgo at={live.registry_since} />,
              })}
            </>
          )}
        </dd>
        <dt>{t('Frozen to it')}</dt>
        <dd>
          {t('{count, plural, one {# artifact} other {# artifacts}}', { count: live.artifacts })}
        </dd>
      </dl>
    </>
  );
}

function StateBadge(props: {
  readonly state: EnvironmentState | undefined;
  readonly failed: boolean;
}) {
  if (props.state === undefined) {
    return <Badge>{props.failed ? t('Not known') : t('Being asked…')}</Badge>;
  }
  const { tone, text } = stateLook(props.state.state);
  return (
    <Badge tone={tone} testId="environment-state">
      {text}
    </Badge>
  );
}

/** What keeps the platform from being used, and the way out. */
function StateHelp(
  props: SectionProps & {
    readonly live: GenerationView;
    readonly state: EnvironmentState | undefined;
    readonly onRetry: () => void;
  },
) {
  const { state, live, hindrance } = props;
  const remedy = state === undefined ? undefined : stateLook(state.state).remedy;
  if (state === undefined || remedy === undefined) {
    return null;
  }
  return (
    <div className="sw-alias-help" role="status">
      <span>
        <ServiceText>{state.detail}</ServiceText>{' '}
        {remedy === 'rotate' &&
          t(
            'A new generation takes the address as it is now; artifacts of this one stay frozen to it.',
          )}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        disabled={remedy === 'rotate' && hindrance !== undefined}
        onClick={() =>
          remedy === 'rotate' ? props.onOpen({ kind: 'next', alias: live.alias }) : props.onRetry()
        }
        data-testid="state-remedy"
      >
        {remedy === 'rotate' ? t('Next generation') : t('Ask again')}
      </Button>
    </div>
  );
}

function Generations(props: SectionProps) {
  const { alias, generations } = props.group;
  return (
    <div className="sw-alias-generations">
      <table className="sw-plain-table" aria-label={t('Generations of {alias}', { alias })}>
        <thead>
          <tr>
            <th scope="col">{t('Generation')}</th>
            <th scope="col">{t('State')}</th>
            <th scope="col">{t('Platform')}</th>
            <th scope="col">{t('Artifacts')}</th>
            <th scope="col">{t('Made')}</th>
            <th scope="col">
              <span className="sw-visually-hidden">{t('Action')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {generations.map((row) => (
            <tr key={row.generation} data-testid={`generation-${row.generation}`}>
              <td>{row.generation}</td>
              <td>{generationState(row)}</td>
              <td>
                {row.platform_environment}, {row.capability_policy}
              </td>
              <td>{row.artifacts}</td>
              <td>
                <TimeAgo at={row.created_at} />
              </td>
              <td data-align="right">
                {row.retired_at === null && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={t('Retire generation {generation} of {alias}', {
                      generation: row.generation,
                      alias,
                    })}
                    disabled={props.hindrance !== undefined}
                    onClick={() =>
                      props.onOpen({ kind: 'retire', alias, generation: row.generation })
                    }
                    data-testid="retire-generation"
                  >
                    {t('Retire')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function generationState(row: GenerationView): string {
  if (row.retired_at !== null) {
    return t('Retired');
  }
  return row.live ? t('In use') : t('Superseded');
}
