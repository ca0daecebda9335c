import { Modal, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { GenerationView } from '../../../server/contract/studio/bindings.ts';
import { CapabilityPolicy } from '../../../server/contract/studio/environments.ts';
import { bindAlias, useProfiles } from '../../data/environments.ts';
import { useAction } from '../../data/use-action.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Unread } from '../../ui/unread.tsx';
import { POLICY_MEANING } from './environments-model.ts';

const ALIAS = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const AS_USUAL = 'as-usual';

/** Binds another alias, or gives one (`live`) its next generation. */
export function BindDialog(props: {
  readonly projectId: string;
  readonly live: GenerationView | undefined;
  readonly onClose: () => void;
}) {
  const { projectId, live } = props;
  const profiles = useProfiles(projectId);
  const [alias, setAlias] = useState(live?.alias ?? '');
  const [profile, setProfile] = useState<string | null>(null);
  const [environment, setEnvironment] = useState(live?.platform_environment ?? 'dev');
  const [policy, setPolicy] = useState(AS_USUAL);
  const chosenPolicy = CapabilityPolicy.safeParse(policy);
  const binding = useAction(async () => {
    const made = await bindAlias(projectId, {
      alias,
      ...(profile === null ? {} : { profile }),
      platform_environment: environment.trim(),
      ...(chosenPolicy.success ? { capability_policy: chosenPolicy.data } : {}),
    });
    notifyDone(
      t('{alias} is bound, generation {generation}', {
        alias: made.alias,
        generation: made.generation,
      }),
    );
    props.onClose();
  });
  const named = ALIAS.test(alias);
  const ready = named && environment.trim() !== '' && (live !== undefined || profile !== null);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={
        live === undefined
          ? t('Bind an alias')
          : t('Next generation of {alias}', { alias: live.alias })
      }
    >
      <Unread query={profiles} rows={3} compact />
      {profiles.isSuccess && (
        <AskForm
          action={binding}
          failure={t('Nothing was bound')}
          label={
            live === undefined
              ? t('Bind')
              : t('Make generation {generation}', { generation: live.generation + 1 })
          }
          ready={ready}
          onCancel={props.onClose}
          testId="bind"
        >
          {live === undefined ? (
            <TextInput
              label={t('Alias')}
              description={t('What drafts and artifacts call it')}
              value={alias}
              onChange={(event) => setAlias(event.currentTarget.value)}
              error={
                alias !== '' && !named
                  ? t('Small letters, digits, - and _; at most 64.')
                  : undefined
              }
              data-autofocus
              data-testid="bind-name"
            />
          ) : (
            <p className="sw-dialog-text">
              {t(
                'Artifacts stay frozen to generation {generation}. New ones, previews and runs of drafts use the next one. Its registry comes along.',
                { generation: live.generation },
              )}
            </p>
          )}
          <Select
            mt="sm"
            label={t('Platform')}
            description={t(
              'Profiles of this computer; addresses and keys stand in the profiles file',
            )}
            placeholder={live === undefined ? t('Choose a profile') : t('As it is')}
            data={profiles.data.map(({ name, own, url, problem }) => ({
              value: name,
              label: own ? t('The platform of this computer') : `${name} (${problem ?? url})`,
              disabled: problem !== null,
            }))}
            value={profile}
            onChange={setProfile}
            clearable={live !== undefined}
            data-testid="bind-profile"
          />
          <TextInput
            mt="sm"
            label={t('Environment')}
            description={t('The name that the platform keeps its policy under')}
            value={environment}
            onChange={(event) => setEnvironment(event.currentTarget.value)}
            data-testid="bind-environment"
          />
          <Select
            mt="sm"
            label={t('Capabilities')}
            data={[
              {
                value: AS_USUAL,
                label: live === undefined ? t('As usual for the platform') : t('As it is'),
              },
              { value: 'strict', label: POLICY_MEANING.strict },
              { value: 'local', label: POLICY_MEANING.local },
            ]}
            value={policy}
            onChange={(next) => setPolicy(next ?? AS_USUAL)}
            allowDeselect={false}
          />
        </AskForm>
      )}
    </Modal>
  );
}
