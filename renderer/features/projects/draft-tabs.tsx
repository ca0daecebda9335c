import { t } from '../../../preload/texts/t.ts';
import './projects.css';
import { IconX } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { hrefOf, isAtPath, navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { fileName } from '../../data/draft-names.ts';
import { useStore } from '../../ui/store.ts';
import { dirtyDraftsStore } from '../../workbench/dirty-drafts.ts';
import { closeTab, tabsStore } from '../../workbench/tabs-store.ts';

/** One tab for each open draft; the current one is scrolled into view. Closing one keeps its unsaved text for the next time. */
export function DraftTabs(props: { readonly projectId: string }) {
  const { projectId } = props;
  const open = useStore(tabsStore)[projectId] ?? [];
  const dirty = useStore(dirtyDraftsStore);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const tabs = useRef<HTMLElement>(null);
  const current = open.findIndex((ref) => isAtPath(pathname, paths.draft(projectId, ref)));
  useEffect(() => {
    tabs.current?.children[current]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  if (open.length === 0) {
    return null;
  }
  const close = (ref: string, active: boolean): void => {
    const next = closeTab(projectId, ref);
    if (active) {
      navigateTo(next === undefined ? paths.project(projectId) : paths.draft(projectId, next));
    }
  };
  return (
    <nav className="sw-tabs" ref={tabs} aria-label={t('Open drafts')} data-testid="tabs">
      {open.map((ref) => {
        const path = paths.draft(projectId, ref);
        const active = isAtPath(pathname, path);
        return (
          <div className="sw-tab" key={ref} data-active={active} data-testid={`tab-${ref}`}>
            <a href={hrefOf(path)} aria-current={active ? 'page' : undefined} title={ref}>
              <span>{fileName(ref)}</span>
              {dirty.has(`${projectId}\n${ref}`) && (
                <span className="sw-tree-dot" role="img" aria-label={t('Unsaved changes')} />
              )}
            </a>
            <button
              type="button"
              aria-label={t('Close {file}', { file: fileName(ref) })}
              onClick={() => close(ref, active)}
            >
              <IconX size={13} aria-hidden />
            </button>
          </div>
        );
      })}
    </nav>
  );
}
