import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { t } from '../../preload/texts/t.ts';
import { draftOf, placeOf, projectOf } from '../app/paths.ts';
import { WINDOW_PART } from '../app/window-parts.ts';
import { isServed } from '../data/served.ts';
import { useStore } from '../ui/store.ts';
import { ActivityRail } from './activity-rail.tsx';
import { BottomPanel } from './bottom-panel.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { closeOver, layoutStore } from './layout-store.ts';
import { OverPart, usePart } from './over-part.tsx';
import { pageProjectStore } from './page-project.ts';
import { ServicesBanner } from './services-banner.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import { UpdateBanner } from './update-banner.tsx';

export interface FrameParts {
  /** The sidebar of the Author place, for the project in the address. */
  readonly sidebar: (projectId: string) => ReactNode;
  /** Tabs above the main area of the Author place. */
  readonly tabs: (projectId: string) => ReactNode;
  readonly children: ReactNode;
}

/** The frame around every view: title bar, rail, sidebar, main area, bottom panel, status bar. */
export function Frame(props: FrameParts) {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const place = placeOf(pathname);
  const projectId = place === 'author' && isServed('studio') ? projectOf(pathname) : undefined;
  const pageProject = useStore(pageProjectStore);
  // A small or zoomed window folds what stands around the main part; it comes back with the room.
  const sidebar = usePart('sidebar');
  const panel = usePart('panel');
  // Problems are a draft's: without one they leave their room to the page.
  const hasDraft = draftOf(pathname) !== undefined;
  const { activePanel } = useStore(layoutStore);
  const showPanel = panel.docked && (hasDraft || activePanel !== 'problems');
  const showSidebar = sidebar.docked && projectId !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what closes it
  useEffect(closeOver, [pathname]);
  const columns = useDefaultLayout({
    id: 'sw:columns',
    panelIds: showSidebar ? ['sidebar', 'main'] : ['main'],
    storage: localStorage,
  });
  const rows = useDefaultLayout({
    id: 'sw:rows',
    panelIds: showPanel ? ['view', 'bottom'] : ['view'],
    storage: localStorage,
  });
  return (
    <div className="sw-frame">
      <TitleBar projectId={projectId ?? pageProject} />
      <ActivityRail place={place} folded={!sidebar.room && projectId !== undefined} />
      <main className="sw-main">
        <Group
          orientation="horizontal"
          id="columns"
          defaultLayout={columns.defaultLayout}
          onLayoutChanged={columns.onLayoutChanged}
        >
          {showSidebar && (
            <>
              <Panel
                id="sidebar"
                defaultSize={264}
                minSize={180}
                maxSize={520}
                groupResizeBehavior="preserve-pixel-size"
              >
                {props.sidebar(projectId)}
              </Panel>
              <Separator className="sw-separator" aria-label={t('Resize sidebar')} />
            </>
          )}
          <Panel id="main" minSize={320}>
            <div className="sw-column" {...WINDOW_PART}>
              <UpdateBanner />
              <ServicesBanner />
              <ConnectionBanner />
              {projectId !== undefined && props.tabs(projectId)}
              <div className="sw-column-main">
                <Group
                  orientation="vertical"
                  id="rows"
                  defaultLayout={rows.defaultLayout}
                  onLayoutChanged={rows.onLayoutChanged}
                >
                  <Panel id="view" minSize={160}>
                    {props.children}
                  </Panel>
                  {showPanel && (
                    <>
                      <Separator className="sw-separator" aria-label={t('Resize bottom panel')} />
                      <Panel
                        id="bottom"
                        defaultSize={200}
                        minSize={100}
                        groupResizeBehavior="preserve-pixel-size"
                      >
                        <BottomPanel hasDraft={hasDraft} />
                      </Panel>
                    </>
                  )}
                </Group>
              </div>
            </div>
          </Panel>
        </Group>
      </main>
      <StatusBar projectId={projectId} />
      {projectId !== undefined && (
        <OverPart title={t('Project')} position="left" opened={sidebar.over}>
          {props.sidebar(projectId)}
        </OverPart>
      )}
      <OverPart title={t('Problems and output')} position="bottom" opened={panel.over}>
        <BottomPanel hasDraft={hasDraft} />
      </OverPart>
    </div>
  );
}
