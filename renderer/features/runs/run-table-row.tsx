import { type KeyboardEvent, memo } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import type { RunOrigin } from '../../../server/contract/studio/test-runs.ts';
import { shortRunId } from '../../ui/short-id.ts';
import type { RunColumn } from './run-columns.tsx';

/** What a person does with a row; the same object for all rows and draws. */
export interface RowActions {
  readonly onOpen: (run: RunRow) => void;
  readonly onSelect: (run: RunRow, on: boolean) => void;
  readonly onFocus: (place: number) => void;
  readonly onKey: (event: KeyboardEvent<HTMLElement>, place: number, run: RunRow) => void;
}

/**
 * One run of the list. It is drawn again only when something of it changed, not for each step of
 * scrolling, and holds plain elements only: a wheel brings several rows into each frame.
 */
export const RunTableRow = memo(function RunTableRow(props: {
  readonly run: RunRow;
  readonly origin: RunOrigin | undefined;
  readonly columns: readonly RunColumn[];
  readonly place: number;
  readonly height: number;
  /** The one row that Tab comes to. */
  readonly isStop: boolean;
  readonly isSelected: boolean;
  readonly actions: RowActions;
}) {
  const { run, place, isSelected, actions } = props;
  return (
    <tr
      style={{ height: props.height }}
      tabIndex={props.isStop ? 0 : -1}
      onFocus={() => actions.onFocus(place)}
      aria-rowindex={place + 2}
      data-clickable="true"
      data-selected={isSelected}
      data-place={place}
      data-status={run.status}
      data-testid={`row-${run.run_id}`}
      onClick={() => actions.onOpen(run)}
      onKeyDown={(event) => actions.onKey(event, place, run)}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keeps a press beside the box from opening the run; the box has its own keys */}
      <td onClick={(event) => event.stopPropagation()}>
        <input
          type="checkbox"
          className="sw-row-box"
          tabIndex={-1}
          aria-label={t('Select run {run}', { run: shortRunId(run.run_id) })}
          checked={isSelected}
          onChange={(event) => actions.onSelect(run, event.currentTarget.checked)}
        />
      </td>
      {props.columns.map((column) => (
        <td key={column.id} data-align={column.align ?? 'left'}>
          {column.cell(run, props.origin)}
        </td>
      ))}
    </tr>
  );
});
