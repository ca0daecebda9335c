import {
  IconArrowsSort,
  IconCursorText,
  IconMinus,
  IconPencil,
  IconPlus,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { PlacedChange } from './compare-model.ts';

const ICONS: Readonly<Record<PlacedChange['change'], ComponentType<IconProps>>> = {
  added: IconPlus,
  removed: IconMinus,
  changed: IconPencil,
  renamed: IconCursorText,
  moved: IconArrowsSort,
};

const GROUPS: readonly [title: string, has: (change: PlacedChange) => boolean][] = [
  [t('May do more, or is watched less'), ({ privilege }) => privilege === 'gained'],
  [t('May do less, or is watched more'), ({ privilege }) => privilege === 'lost'],
  [t('Does something else'), ({ privilege, behaviour }) => privilege === null && behaviour],
  [t('Without effect on a run'), ({ privilege, behaviour }) => privilege === null && !behaviour],
];

/** Changes in the language's terms, gained privileges first; each leads to its line. */
export function ChangeList(props: {
  readonly changes: readonly PlacedChange[];
  readonly onOpen?: ((change: PlacedChange) => void) | undefined;
}) {
  const { changes, onOpen } = props;
  return (
    <div className="sw-changes" data-testid="change-list">
      {GROUPS.map(([title, has]) => {
        const group = changes.filter(has);
        return (
          group.length > 0 && (
            <section key={title} data-gained={group[0]?.privilege === 'gained'}>
              <h3>{title}</h3>
              <ul>
                {group.map((change) => (
                  <li key={`${change.side} ${change.line} ${change.text}`}>
                    <Change change={change} onOpen={onOpen} />
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
    </div>
  );
}

function Change(props: {
  readonly change: PlacedChange;
  readonly onOpen: ((change: PlacedChange) => void) | undefined;
}) {
  const { change, onOpen } = props;
  const Icon = ICONS[change.change];
  const said = (
    <>
      <span className="sw-change-sign" data-change={change.change}>
        <Icon size={14} stroke={2} aria-hidden />
      </span>
      <span>{change.text}</span>
    </>
  );
  if (onOpen === undefined || change.line === null) return <div className="sw-change">{said}</div>;
  return (
    <button type="button" className="sw-change" onClick={() => onOpen(change)}>
      {said}
      <span className="sw-faint sw-change-line">
        {change.side === 'left' ? t('old line') : t('line')} {change.line}
      </span>
    </button>
  );
}
