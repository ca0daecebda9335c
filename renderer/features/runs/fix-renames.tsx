import { Select } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import type { Refit } from '../../../server/contract/platform/recover.ts';
import { rich } from '../../ui/rich.ts';
import { missingSteps } from './fix-model.ts';

/** What somebody said of steps that the spec lacks: old name → new one; null = it is gone. */
export type Renames = Readonly<Record<string, string | null>>;

const NONE = '';

/** Asks for each step that the spec lacks which of its steps it is now. */
export function RenameFields(props: {
  readonly fits: readonly Refit[];
  readonly asked: Renames;
  readonly onAsked: (asked: Renames) => void;
}) {
  const { fits, asked, onAsked } = props;
  const { missing, free } = missingSteps(fits, asked);
  if (missing.length === 0 || free.length === 0) {
    return null;
  }
  const choices = [
    { value: NONE, label: t('None of its steps: it is gone') },
    ...free.map((step) => ({ value: step, label: step })),
  ];
  return (
    <fieldset className="sw-fix-names" data-testid="fix-names">
      <legend>{t('Steps that the spec has under another name, or not at all')}</legend>
      {missing.map(({ step, is, found }) => (
        <Select
          key={step}
          size="xs"
          label={<>{rich('{code} is now', { code: <code>{step}</code> })}</>}
          description={
            found && is !== null
              ? t('Found: nothing else is without a counterpart. Say so if it is not.')
              : undefined
          }
          data={choices}
          value={is ?? NONE}
          allowDeselect={false}
          comboboxProps={{ withinPortal: true }}
          onChange={(value) => onAsked({ ...asked, [step]: value === NONE ? null : value })}
          data-testid={`fix-name-${step}`}
        />
      ))}
    </fieldset>
  );
}
