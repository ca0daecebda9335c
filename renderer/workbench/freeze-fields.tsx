import { Alert, Select } from '@mantine/core';
import type { BindingView } from '../../server/contract/studio/environments.ts';

/** The platform that an artifact is checked and run on. */
export function AliasField(props: {
  readonly bindings: readonly BindingView[];
  readonly value: string;
  readonly onChange: (alias: string) => void;
}) {
  return (
    <Select
      label="Alias"
      description="The platform that it is checked and run on"
      data={props.bindings.map((binding) => ({
        value: binding.alias,
        label: `${binding.alias} (${binding.platform_environment}, ${binding.capability_policy} policy)`,
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
    <Alert mt="md" color="gray" title="This draft was not imported">
      An artifact can be exported only when its source analysis is settled. For a spec written here,
      say once that no analysis is needed; your name and the time are recorded.
    </Alert>
  );
}
