import { ActionIcon, Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { FormEdit } from '../../../../server/spec/language/inspect/form.ts';
import { formatPath, type Path } from '../../../../server/spec/values/path.ts';

interface ListItem {
  readonly label: string;
  readonly path: Path;
  /** Shows its own form. */
  readonly open?: () => void;
}

const MOST_ITEMS = 20;

/** The items of a list or mapping: opened, moved, taken away and added, each as one edit of the text. */
export function ListItems(props: {
  readonly label: string;
  readonly items: readonly ListItem[];
  readonly ordered: boolean;
  readonly disabled: boolean;
  readonly change: (edit: FormEdit) => Promise<boolean>;
  readonly onAdd?: (() => void) | undefined;
  readonly tools?: ReactNode;
}) {
  const { label, items, disabled, change, onAdd } = props;
  return (
    <>
      <span className="sw-inspect-label">
        {label}{' '}
        <span className="sw-faint">
          {t('{count, plural, one {# item} other {# items}}', { count: items.length })}
        </span>
      </span>
      <span className="sw-inspect-tools">{props.tools}</span>
      <ol className="sw-inspect-items" aria-label={label}>
        {items.slice(0, MOST_ITEMS).map((item, index) => (
          <li key={formatPath(item.path)}>
            {item.open === undefined ? (
              <span>{item.label}</span>
            ) : (
              <Button size="compact-xs" variant="default" onClick={item.open}>
                {item.label}
              </Button>
            )}
            {props.ordered && (
              <>
                <ItemAction
                  label={t('Move {label} up', { label: item.label })}
                  icon={<IconArrowUp size={13} />}
                  disabled={disabled || index === 0}
                  onClick={() => void change({ op: 'move', path: item.path, to: index - 1 })}
                />
                <ItemAction
                  label={t('Move {label} down', { label: item.label })}
                  icon={<IconArrowDown size={13} />}
                  disabled={disabled || index === items.length - 1}
                  onClick={() => void change({ op: 'move', path: item.path, to: index + 1 })}
                />
              </>
            )}
            <ItemAction
              label={t('Remove {label}', { label: item.label })}
              icon={<IconTrash size={13} />}
              disabled={disabled}
              onClick={() => void change({ op: 'remove', path: item.path })}
            />
          </li>
        ))}
      </ol>
      {items.length > MOST_ITEMS && (
        <span className="sw-faint">
          {t('and {count} more, in the text', { count: items.length - MOST_ITEMS })}
        </span>
      )}
      {onAdd !== undefined && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={13} />}
          disabled={disabled}
          aria-label={t('Add to {label}', { label })}
          onClick={onAdd}
        >
          {t('Add')}
        </Button>
      )}
    </>
  );
}

function ItemAction(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly disabled: boolean;
  readonly onClick: () => void;
}) {
  return (
    <ActionIcon
      size={22}
      variant="subtle"
      color="gray"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.icon}
    </ActionIcon>
  );
}
