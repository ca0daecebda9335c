import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../preload/texts/t.ts';
import { WINDOW_PART } from '../app/window-parts.ts';
import { useStore } from '../ui/store.ts';
import { editorStatusStore } from './editor-status.ts';
import { layoutStore, type PanelId, showPanel, togglePart } from './layout-store.ts';
import { OutputPanel } from './output-panel.tsx';
import { ProblemsPanel } from './problems-panel.tsx';

/** Problems of the draft in front, and Output, below the main area. */
export function BottomPanel(props: { readonly hasDraft: boolean }) {
  const layout = useStore(layoutStore);
  const status = useStore(editorStatusStore);
  const tabs: readonly { id: PanelId; title: string; count?: number; body: () => ReactNode }[] = [
    {
      id: 'problems',
      title: t('Problems'),
      count: status?.problems.length ?? 0,
      body: () => <ProblemsPanel />,
    },
    { id: 'output', title: t('Output'), body: () => <OutputPanel /> },
  ];
  const shown = tabs.filter(({ id }) => id !== 'problems' || props.hasDraft);
  const active = shown.find(({ id }) => id === layout.activePanel) ?? shown[0];
  return (
    <section
      className="sw-panel"
      aria-label={t('Bottom panel')}
      {...WINDOW_PART}
      data-testid="bottom-panel"
    >
      <div className="sw-panel-head">
        <div className="sw-panel-tabs" role="tablist" aria-label={t('Bottom panel')}>
          {shown.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`panel-tab-${tab.id}`}
              aria-selected={tab === active}
              aria-controls="panel-body"
              onClick={() => showPanel(tab.id)}
              data-testid={`panel-tab-${tab.id}`}
            >
              {tab.title}
              {(tab.count ?? 0) > 0 && <span className="sw-badge">{tab.count}</span>}
            </button>
          ))}
        </div>
        <ActionIcon
          className="sw-panel-close"
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t('Close bottom panel')}
          onClick={() => togglePart('panel')}
        >
          <IconX size={14} />
        </ActionIcon>
      </div>
      <div
        className="sw-panel-body"
        role="tabpanel"
        id="panel-body"
        aria-labelledby={`panel-tab-${active?.id ?? 'output'}`}
      >
        {active?.body()}
      </div>
    </section>
  );
}
