import {
  IconBraces,
  IconCircleDot,
  IconCube,
  IconHash,
  IconRobot,
  IconSitemap,
} from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { moveFocus } from '../../ui/move-focus.ts';
import { outlineRows, outlineTrail } from './outline-model.ts';
import type { OutlineItem, TextRange } from './spec-protocol.ts';

const ICONS: Readonly<Record<string, typeof IconCube>> = {
  section: IconBraces,
  agent: IconRobot,
  workflow: IconSitemap,
  step: IconCircleDot,
  part: IconCube,
};

/** The parts of the text by name; a press goes to the part. Arrow keys move. */
export function OutlinePanel(props: {
  readonly items: readonly OutlineItem[];
  readonly cursor: { readonly line: number } | null;
  readonly onOpen: (range: TextRange) => void;
}) {
  const rows = outlineRows(props.items);
  const here = props.cursor && outlineTrail(props.items, props.cursor.line).at(-1);
  if (rows.length === 0) {
    return (
      <EmptyState title={t('Nothing to list')}>{t('The text has no named parts yet.')}</EmptyState>
    );
  }
  return (
    <nav
      className="sw-outline"
      aria-label={t('Outline')}
      data-testid="outline"
      onKeyDown={(event) => moveFocus(event, '.sw-outline-row')}
    >
      {rows.map(({ item, depth }) => {
        const Icon = ICONS[item.kind] ?? IconHash;
        return (
          <button
            key={`${item.path} ${item.range.startLine}`}
            type="button"
            className="sw-outline-row"
            aria-current={item === here ? 'location' : undefined}
            style={{ paddingLeft: 10 + depth * 16 }}
            onClick={() => props.onOpen(item.selection)}
          >
            <Icon size={14} stroke={1.6} aria-hidden />
            <span className="sw-outline-name">{item.name}</span>
            {item.detail !== '' && <span className="sw-outline-detail">{item.detail}</span>}
          </button>
        );
      })}
    </nav>
  );
}

/** Where the cursor stands in the document; a press goes to the part. */
export function EditorBreadcrumbs(props: {
  readonly items: readonly OutlineItem[];
  readonly cursor: { readonly line: number } | null;
  readonly onOpen: (range: TextRange) => void;
}) {
  const trail = outlineTrail(props.items, props.cursor === null ? 1 : props.cursor.line);
  return (
    <nav className="sw-crumbs" aria-label={t('Place in the document')} data-testid="breadcrumbs">
      {trail.map((item) => (
        <button
          key={`${item.path} ${item.range.startLine}`}
          type="button"
          className="sw-crumb"
          onClick={() => props.onOpen(item.selection)}
        >
          {item.name}
        </button>
      ))}
    </nav>
  );
}
