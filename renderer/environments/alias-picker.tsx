import { Select } from '@mantine/core';
import { t } from '../../preload/texts/t.ts';
import type { BindingView } from '../../server/contract/studio/environments.ts';
import { useBindings } from '../data/studio.ts';
import { chooseAlias, useChosenBinding } from './chosen-alias.ts';

/** `team · staging`: the alias, and the environment of its platform. */
function aliasText(binding: BindingView): string {
  return `${binding.alias} · ${binding.platform_environment}`;
}

/** The alias that is used here: a choice among several, else its name alone. */
export function AliasPicker(props: { readonly projectId: string; readonly label: string }) {
  const { projectId, label } = props;
  const bindings = useBindings(projectId).data ?? [];
  const binding = useChosenBinding(projectId);
  if (binding === undefined) {
    return null;
  }
  return bindings.length === 1 ? (
    <span className="sw-faint" data-testid="alias">
      {label} <strong>{aliasText(binding)}</strong>
    </span>
  ) : (
    <Select
      size="xs"
      w={190}
      aria-label={t('{label} alias', { label })}
      data={bindings.map((row) => ({ value: row.alias, label: aliasText(row) }))}
      value={binding.alias}
      onChange={(alias) => alias !== null && chooseAlias(projectId, alias)}
      allowDeselect={false}
      data-testid="alias-picker"
    />
  );
}
