import { useMemo } from 'react';
import { itemsInText } from '../../ui/item-fields.ts';
import { ItemsView } from '../../ui/items-view.tsx';
import { RunText } from './run-text.tsx';

/** What a run gave: a JSON list of objects as a table, any other text as it is. */
export function RunResult(props: { readonly text: string; readonly testId?: string }) {
  const items = useMemo(() => itemsInText(props.text), [props.text]);
  return items === null ? (
    <RunText {...props} />
  ) : (
    <div data-testid={props.testId}>
      <ItemsView label="Output" items={items} />
    </div>
  );
}
