import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { GraphOperation, StepAddress } from '../../../../server/spec/edit/graph/operation.ts';
import { ConditionFields } from './condition-fields.tsx';
import { type BuiltCondition, conditionOf, EMPTY_ROW, rowsOf } from './condition-rows.ts';
import { EditDialog } from './edit-dialog.tsx';
import type { DrawnLine, DrawnStep, GraphEditing } from './editing-types.ts';
import { retargetWords } from './graph-actions.ts';

interface DialogProps {
  readonly editing: GraphEditing;
  readonly refused: string | null;
  readonly onMake: (operation: GraphOperation, done: string) => void;
  readonly onClose: () => void;
}

const DEEP = t(
  'This condition is nested deeper than rows can show. What is chosen here takes its place.',
);

/** When an edge is taken, and what stands on it. */
export function ConditionDialog(props: DialogProps & { readonly line: DrawnLine }) {
  const { line } = props;
  const known = rowsOf(line.condition);
  const [condition, setCondition] = useState<BuiltCondition>(
    known ?? { when: 'all', rows: [EMPTY_ROW] },
  );
  const [label, setLabel] = useState(line.label ?? '');
  return (
    <EditDialog
      title={t('Edge from {from} to {to}', { from: line.from, to: line.to })}
      submit={t('Set condition')}
      ready
      refused={props.refused}
      onSubmit={() =>
        props.onMake(
          {
            op: 'set_condition',
            line: line.at,
            condition: conditionOf(condition),
            label: label.trim() === '' ? null : label.trim(),
          },
          t('The edge was changed.'),
        )
      }
      onClose={props.onClose}
    >
      {known === undefined && <p className="sw-graph-none">{DEEP}</p>}
      <ConditionFields label={t('It is taken')} condition={condition} onChange={setCondition} />
      <TextInput
        label={t('Label')}
        placeholder={t('none')}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
    </EditDialog>
  );
}

function TargetSelect(props: {
  readonly editing: GraphEditing;
  readonly workflow: string | null;
  readonly label: string;
  readonly faults: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const steps = Object.entries(props.editing.steps).filter(
    ([, { at }]) => at.workflow === props.workflow,
  );
  return (
    <NativeSelect
      label={props.label}
      value={props.value}
      data-autofocus
      data-testid="graph-target"
      description={props.faults[props.value] ?? ' '}
      data={[
        { value: '', label: t('Choose a step') },
        ...steps.map(([value, { key }]) => ({
          value,
          label: props.faults[value] === undefined ? key : t('{key} (cannot be)', { key }),
        })),
      ]}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** The step that an edge from another one leads to, and when. */
export function ConnectDialog(
  props: DialogProps & {
    readonly source: DrawnStep;
    readonly faultsFrom: (from: StepAddress) => Promise<Readonly<Record<string, string>>>;
  },
) {
  const { editing, source, faultsFrom } = props;
  const [target, setTarget] = useState('');
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [condition, setCondition] = useState<BuiltCondition>({ when: 'always', rows: [] });
  const address = source.at;
  useEffect(() => {
    let open = true;
    void faultsFrom(address).then((answer) => {
      if (open) setFaults(answer);
    });
    return () => {
      open = false;
    };
  }, [address, faultsFrom]);
  const to = editing.steps[target];
  return (
    <EditDialog
      title={t('Connect {key}', { key: source.key })}
      submit={t('Connect')}
      ready={to !== undefined && faults[target] === undefined}
      refused={faults[target] === undefined ? props.refused : null}
      onSubmit={() => {
        if (to === undefined) return;
        props.onMake(
          { op: 'connect', from: source.at, to: to.at, condition: conditionOf(condition) },
          t('"{key}" leads to "{key2}" now.', { key: source.key, key2: to.key }),
        );
      }}
      onClose={props.onClose}
    >
      <TargetSelect
        editing={editing}
        workflow={source.at.workflow}
        label={t('To')}
        faults={faults}
        value={target}
        onChange={setTarget}
      />
      <ConditionFields label={t('It is taken')} condition={condition} onChange={setCondition} />
    </EditDialog>
  );
}

/** Another step for an end of an edge. */
export function RetargetDialog(props: DialogProps & { readonly line: DrawnLine }) {
  const { editing, line } = props;
  const [end, setEnd] = useState<'from' | 'to'>('to');
  const [target, setTarget] = useState('');
  const to = editing.steps[target];
  return (
    <EditDialog
      title={t('Edge from {from} to {to}', { from: line.from, to: line.to })}
      submit={t('Lead it there')}
      ready={to !== undefined}
      refused={props.refused}
      onSubmit={() => {
        if (to === undefined) return;
        props.onMake({ op: 'retarget', line: line.at, end, to: to.at }, retargetWords(end, to.key));
      }}
      onClose={props.onClose}
    >
      <SegmentedControl
        aria-label={t('Which end')}
        value={end}
        onChange={(value) => setEnd(value === 'from' ? 'from' : 'to')}
        data={[
          { value: 'to', label: t('Where it leads') },
          { value: 'from', label: t('Where it begins') },
        ]}
      />
      <TargetSelect
        editing={editing}
        workflow={line.at.workflow}
        label={t('Step')}
        faults={{}}
        value={target}
        onChange={setTarget}
      />
    </EditDialog>
  );
}
