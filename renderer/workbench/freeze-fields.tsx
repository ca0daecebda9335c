import { Alert, Select } from '@mantine/core';
import { t } from '../../preload/texts/t.ts';
import type { BindingView } from '../../server/contract/studio/environments.ts';

/** The platform that an artifact is checked and run on. */
export function AliasField(props: {
  readonly bindings: readonly BindingView[];
  readonly value: string;
  readonly onChange: (alias: string) => void;
}) {
  return (
    <Select
      label={t('Alias')}
      description={t('The platform that it is checked and run on')}
      data={props.bindings.map((binding) => ({
        value: binding.alias,
        label: t('{alias} ({platform_environment}, {capability_policy} policy)', {
          alias: binding.alias,
          platform_environment: binding.platform_environment,
          capability_policy: binding.capability_policy,
        }),
      }))}
      value={props.value}
      onChange={(alias) => alias !== null && props.onChange(alias)}
      allowDeselect={false}
      data-testid="artifact-alias"
    />
  );
}

/** Said of a base that was not imported and has no word on its analysis yet. */
export function AssertNotice() {
  return (
    <Alert mt="md" color="gray" title={t('This draft was not imported')}>
      {t(
        'For export somebody says once that a spec written here needs no analysis of a source; name and time are recorded. Without that the artifact runs, and export waits.',
      )}
    </Alert>
  );
}
