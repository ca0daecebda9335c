import type { GraphOperation } from '../../../../server/spec/edit/graph/operation.ts';
import { type AddPlace, AddStepDialog } from './add-step-dialog.tsx';
import type { DrawnLine, DrawnStep, GraphEditing } from './editing-types.ts';
import type { Chosen } from './graph-actions.ts';
import { ConditionDialog, ConnectDialog, RetargetDialog } from './line-dialogs.tsx';
import type { GraphEditSession } from './use-graph-edit.ts';
import { WrapDialog } from './wrap-dialog.tsx';

/** The dialogs of the graph. */
export type GraphDialog = 'add' | 'connect' | 'condition' | 'retarget' | 'wrap';

/** A new step goes behind the chosen one, or onto the chosen edge. */
function addPlace(step: DrawnStep | undefined, line: DrawnLine | undefined): AddPlace {
  if (step !== undefined) {
    const { workflow, step: at } = step.at;
    return { workflow, place: typeof at === 'number' ? `list ${at + 1}` : `after ${at}` };
  }
  if (line === undefined) return { workflow: null, place: null };
  return {
    workflow: line.at.workflow,
    place: 'edge' in line.at ? `on ${line.at.edge}` : null,
  };
}

/** The dialog that is open, about what is chosen. */
export function GraphDialogs(props: {
  readonly dialog: GraphDialog;
  readonly editing: GraphEditing;
  readonly chosen: Chosen;
  readonly session: GraphEditSession;
  readonly onMake: (operation: GraphOperation, done: string) => void;
  readonly onClose: () => void;
}) {
  const { dialog, editing, chosen, session, onMake, onClose } = props;
  const refused = session.word?.tone === 'refused' ? session.word.text : null;
  const shared = { editing, refused, onMake, onClose };
  const [first] = chosen.nodes;
  const step = first === undefined ? undefined : editing.steps[first];
  const line = chosen.line === null ? undefined : editing.lines[chosen.line];
  switch (dialog) {
    case 'add':
      return <AddStepDialog {...shared} at={addPlace(step, line)} />;
    case 'wrap':
      return (
        <WrapDialog {...shared} steps={chosen.nodes.flatMap((id) => editing.steps[id] ?? [])} />
      );
    case 'connect':
      return step === undefined ? null : (
        <ConnectDialog {...shared} source={step} faultsFrom={session.faultsFrom} />
      );
    case 'condition':
      return line === undefined ? null : <ConditionDialog {...shared} line={line} />;
    case 'retarget':
      return line === undefined ? null : <RetargetDialog {...shared} line={line} />;
  }
}
