import { NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { GraphOperation } from '../../../../server/spec/edit/graph/operation.ts';
import { freeName, keysOf } from './catalogue.ts';
import { ConditionFields } from './condition-fields.tsx';
import { type BuiltCondition, conditionOf, EMPTY_ROW } from './condition-rows.ts';
import { EditDialog } from './edit-dialog.tsx';
import type { DrawnStep, GraphEditing } from './editing-types.ts';

/** Puts steps into a workflow of their own, which runs once or in a loop. */
export function WrapDialog(props: {
  readonly editing: GraphEditing;
  readonly steps: readonly DrawnStep[];
  readonly refused: string | null;
  readonly onMake: (operation: GraphOperation, done: string) => void;
  readonly onClose: () => void;
}) {
  const { editing, steps } = props;
  const workflow = steps[0]?.at.workflow ?? null;
  const taken = new Set([...keysOf(editing, workflow), ...editing.parts.workflows]);
  const [name, setName] = useState(freeName('part', taken));
  const [loops, setLoops] = useState(false);
  const [rounds, setRounds] = useState(3);
  const [condition, setCondition] = useState<BuiltCondition>({ when: 'all', rows: [EMPTY_ROW] });
  const again = loops ? conditionOf(condition) : null;
  return (
    <EditDialog
      title={t('Wrap {steps}', { steps: steps.map(({ key }) => key).join(', ') })}
      submit={t('Wrap')}
      ready={name.trim() !== '' && (!loops || again !== null)}
      refused={props.refused}
      onSubmit={() =>
        props.onMake(
          {
            op: 'wrap',
            steps: steps.map(({ at }) => at),
            name: name.trim(),
            loop: again === null ? null : { condition: again, rounds },
          },
          t('"{name}" runs {count, plural, one {the step} other {the # steps}} now.', {
            name: name.trim(),
            count: steps.length,
          }),
        )
      }
      onClose={props.onClose}
    >
      <TextInput
        label={t('Name of the workflow')}
        value={name}
        data-autofocus
        data-testid="graph-name"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label={t('How often')}
        value={loops ? 'loop' : 'once'}
        onChange={(value) => setLoops(value === 'loop')}
        data={[
          { value: 'once', label: t('Runs once') },
          { value: 'loop', label: t('Runs in a loop') },
        ]}
      />
      {loops && (
        <>
          <ConditionFields
            label={t('It runs again')}
            needed
            condition={condition}
            onChange={setCondition}
          />
          <NumberInput
            label={t('At most so many rounds')}
            min={1}
            allowDecimal={false}
            value={rounds}
            onChange={(value) => setRounds(Math.max(1, Number(value) || 1))}
          />
        </>
      )}
    </EditDialog>
  );
}
