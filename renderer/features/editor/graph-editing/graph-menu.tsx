import { Menu } from '@mantine/core';
import { ACTIONS, type Chosen, type GraphAction, lackOf } from './graph-actions.ts';

/** The changes that fit what is chosen, where the pointer is. */
export function GraphMenu(props: {
  readonly at: { readonly x: number; readonly y: number };
  readonly chosen: Chosen;
  readonly onAction: (action: GraphAction) => void;
  readonly onClose: () => void;
}) {
  const { x: left, y: top } = props.at;
  return (
    <Menu opened onClose={props.onClose} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Menu.Target>
        <span style={{ position: 'fixed', left, top }} />
      </Menu.Target>
      <Menu.Dropdown data-testid="graph-menu">
        {ACTIONS.filter(({ action }) => lackOf(action, props.chosen) === undefined).map(
          ({ action, label, keys }) => (
            <Menu.Item
              key={action}
              rightSection={<span className="sw-graph-keys">{keys}</span>}
              {...(action === 'delete' ? { color: 'var(--sw-danger)' } : {})}
              onClick={() => props.onAction(action)}
            >
              {label}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
