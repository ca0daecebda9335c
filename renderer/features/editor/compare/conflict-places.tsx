import { SegmentedControl } from '@mantine/core';
import { t } from '../../../../preload/texts/t.ts';
import type { Json } from '../../../../server/kernel/json.ts';
import type { Choice, MergeConflict } from '../../../../server/spec/merge/conflict.ts';
import { emitYaml } from '../../../../server/spec/yaml/emit-yaml.ts';

const LABELS: Readonly<Record<Exclude<Choice, 'theirs'>, string>> = {
  ours: t('Keep mine'),
  both: t('Both'),
};

function valueText(value: Json): string {
  if (typeof value === 'string') return value === '' ? t('(empty)') : value;
  return typeof value === 'object' && value !== null ? emitYaml(value).trimEnd() : String(value);
}

/** Every thing that both writers changed, to be decided one by one. */
export function ConflictPlaces(props: {
  readonly conflicts: readonly MergeConflict[];
  /** What the other side is called. */
  readonly theirs: string;
  readonly onChoose: (id: string, choice: Choice) => void;
}) {
  const { conflicts, theirs, onChoose } = props;
  const labels = { ...LABELS, theirs: t('Take {lowerCase}', { lowerCase: theirs.toLowerCase() }) };
  return (
    <ol className="sw-conflicts" aria-label={t('What both changed')}>
      {conflicts.map((conflict) => (
        <li key={conflict.id} data-testid="conflict" data-chosen={conflict.chosen ?? 'open'}>
          <div className="sw-conflict-head">
            <div>
              <strong>{conflict.part}</strong>
              <span className="sw-faint"> {whatOf(conflict)}</span>
            </div>
            <SegmentedControl
              size="xs"
              aria-label={conflict.text}
              value={conflict.chosen ?? ''}
              onChange={(value) => {
                const choice = conflict.choices.find((known) => known === value);
                if (choice !== undefined) onChoose(conflict.id, choice);
              }}
              data={conflict.choices.map((value) => ({ value, label: labels[value] }))}
            />
          </div>
          <div className="sw-conflict-sides">
            <Value label={t('Before')} value={conflict.sides.base} missing={t('(was not there)')} />
            <Value label={t('Mine')} value={conflict.sides.ours} missing="(removed)" />
            <Value label={theirs} value={conflict.sides.theirs} missing="(removed)" />
          </div>
        </li>
      ))}
    </ol>
  );
}

function whatOf({ kind, field }: MergeConflict): string {
  switch (kind) {
    case 'removed_in_ours':
      return field === null
        ? t('you removed it, they changed it')
        : t('{field}: you removed it', { field });
    case 'removed_in_theirs':
      return field === null
        ? t('you changed it, they removed it')
        : t('{field}: they removed it', { field });
    case 'added':
      return field === null
        ? t('both added it, each otherwise')
        : t('{field}: both added it', { field });
    case 'order':
      return t('order of {field}', { field: field ?? t('its parts') });
    case 'changed':
      return field ?? t('both changed it');
  }
}

function Value(props: {
  readonly label: string;
  readonly value: Json | undefined;
  readonly missing: string;
}) {
  const { label, value, missing } = props;
  return (
    <div>
      <span className="sw-faint">{label}</span>
      <pre data-missing={value === undefined}>
        {value === undefined ? missing : valueText(value)}
      </pre>
    </div>
  );
}
