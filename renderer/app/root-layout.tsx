import { Outlet, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { t } from '../../preload/texts/t.ts';
import { connectionStore } from '../data/chosen-connection.ts';
import { environmentStore } from '../data/chosen-environment.ts';
import { isServed } from '../data/served.ts';
import { isUsable, type Standing, type Standings, signOut } from '../data/sign-in.ts';
import { useMe } from '../data/studio.ts';
import {
  desktopApi,
  type OpenedFile,
  onOpenedFiles,
  openImportFiles,
  openImportFolder,
} from '../desktop/bridge.ts';
import { readDropped } from '../desktop/import-files.ts';
import { CreateArtifactDialog } from '../features/artifacts/create-artifact-dialog.tsx';
import { DecisionToast } from '../features/human-tasks/decision-toast.tsx';
import { DropTarget } from '../features/import/drop-target.tsx';
import { showImportOptions } from '../features/import/import-options.tsx';
import { ReimportDialog } from '../features/import/reimport-dialog.tsx';
import { runImport } from '../features/import/run-import.tsx';
import { RecoveryGate } from '../features/operations/recovery-gate.tsx';
import { AuthorSidebar } from '../features/projects/author-sidebar.tsx';
import { DraftTabs } from '../features/projects/draft-tabs.tsx';
import { addDropped, droppedSpecs } from '../features/projects/files/drop-files.ts';
import { newDraft, newProject } from '../features/projects/new-dialogs.tsx';
import { bundleIn, chooseBundle, showBundle } from '../features/projects/open-bundle.tsx';
import {
  askAboutFolder,
  folderIn,
  holdsSpecs,
  openFolder,
  showOpenedFolder,
} from '../features/projects/open-folder.tsx';
import { TrustDialog } from '../features/projects/trust-dialog.tsx';
import { FixBar } from '../features/runs/fix-bar.tsx';
import { askToSignOut } from '../features/settings/browser-session.tsx';
import { ConnectionGate } from '../features/settings/connections/connection-gate.tsx';
import { EnvironmentGate } from '../features/sign-in/environment-gate.tsx';
import { PlaceGate } from '../features/sign-in/place-gate.tsx';
import { SessionOver } from '../features/sign-in/session-over.tsx';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { useSignIn } from '../features/sign-in/use-sign-in.ts';
import { SAMPLE_EXPORT } from '../features/welcome/examples.ts';
import { targetProject } from '../features/welcome/welcome-page.tsx';
import { keepPreferences } from '../ui/keep-preferences.ts';
import { notifyError } from '../ui/notify.tsx';
import { useStore } from '../ui/store.ts';
import { composeStore } from '../workbench/compose-request.ts';
import { Frame } from '../workbench/frame.tsx';
import { showPanel, togglePanel, togglePart } from '../workbench/layout-store.ts';
import { reimportStore } from '../workbench/reimport-request.ts';
import { trustRequestStore } from '../workbench/trust-request.ts';
import { followEnvironment } from './choose-environment.ts';
import { openPalette } from './command-palette.tsx';
import { runCommand } from './commands.ts';
import { keepFocus } from './keep-focus.ts';
import { listenForShortcuts } from './keyboard.ts';
import { showKeys } from './keys-dialog.tsx';
import { keepPlaceOnLeave, rememberPlace } from './last-place.ts';
import { followNativeMenu, tellRecent } from './native-menu.ts';
import { followLinks, history, navigateTo } from './navigation.ts';
import { useOperateCommands } from './operate-places.ts';
import { draftOf, pathOfDeepLink, paths, placeOf, projectOf } from './paths.ts';
import { usePlaceCommands } from './project-places.ts';
import { lastAuthorPath, rememberAuthorPath, rememberDraft, rememberProject } from './recent.ts';
import { tellIncident } from './tell-incident.ts';
import { useCommand } from './use-command.ts';
import { usePreferences } from './use-preferences.ts';
import { useSingleKeys } from './use-single-keys.ts';
import { goToPart } from './window-parts.ts';

/** The project that a window-wide action works on: the one in the address, else the latest. */
function useTargetProject() {
  const me = useMe();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const projects = me.data?.projects ?? [];
  const open = projectOf(pathname);
  // When the address names a project that is not listed, an import must not go to another project.
  return open === undefined ? targetProject(projects) : projects.find(({ id }) => id === open);
}

const AUTHORS_HERE = isServed('studio');
const OPERATORS_HERE = isServed('dashboard');
const HERE = (['studio', 'dashboard'] as const).filter((service) => isServed(service));
const SIGN_IN = '/sign-in';
const SERVICE_OF = {
  author: 'studio',
  operate: 'dashboard',
  runs: 'dashboard',
  tasks: 'dashboard',
  settings: undefined,
} as const;

/** A page whose session ended stays as it is. */
function isShown(standing: Standing): boolean {
  return isUsable(standing) || standing === 'ended';
}

const OUTSIDE: ReadonlySet<Standing> = new Set(['out', 'shut', 'elsewhere']);

/** True for somebody whom no service lets in; one that has not answered yet may still. */
function isOutside({ studio, dashboard }: Standings): boolean {
  return [studio, dashboard].every((standing) => OUTSIDE.has(standing));
}

/** The frame with the view of the current address in it, and every window-wide command. */
export function RootLayout() {
  const composing = useStore(composeStore);
  const reimporting = useStore(reimportStore);
  const trusting = useStore(trustRequestStore);
  const project = useTargetProject();
  const projectId = project?.id;
  const offer = useCallback(
    (files: readonly OpenedFile[]) => {
      if (projectId !== undefined && files.length > 0) {
        runImport(projectId, files).catch((error) => notifyError(t('The import failed'), error));
      }
    },
    [projectId],
  );
  const onDrop = useCallback(
    (transfer: DataTransfer, place: string | undefined) => {
      const bundle = bundleIn(transfer);
      if (bundle !== undefined) {
        showBundle(bundle);
        return;
      }
      // The list of files is empty once the event is over.
      const files = [...transfer.files];
      const folder = folderIn(transfer);
      const dropped = readDropped(transfer);
      const take = async (): Promise<void> => {
        const specs = place === undefined ? undefined : await droppedSpecs(files);
        if (place !== undefined && specs !== undefined) {
          await addDropped(place, specs);
        } else {
          const found = await dropped;
          if (folder !== undefined && holdsSpecs(found)) {
            askAboutFolder(folder, found, () => offer(found));
          } else {
            offer(found);
          }
        }
      };
      take().catch((error) => notifyError(t('The drop was not read'), error));
    },
    [offer],
  );
  const standings = useSignIn();
  const environment = useStore(environmentStore);
  const connection = useStore(connectionStore);
  useGlobalCommands(projectId, offer, standings);
  useShellEvents(offer);
  useVisits();
  const location = useRouterState({ select: (state) => state.location });
  useStart(isUsable(standings.dashboard));
  if (HERE.every((service) => standings[service] === 'unknown')) {
    return null;
  }
  if (isOutside(standings) || location.pathname === SIGN_IN) {
    return <SignInPage standings={standings} search={location.search} />;
  }
  const authors = isShown(standings.studio);
  const service = SERVICE_OF[placeOf(location.pathname)];
  return (
    <Frame
      sidebar={(id) => authors && <AuthorSidebar projectId={id} />}
      tabs={(id) => authors && <DraftTabs projectId={id} />}
    >
      <PlaceGate service={service} standings={standings}>
        <ConnectionGate service={service}>
          {service === 'dashboard' ? (
            <RecoveryGate key={connection}>
              <EnvironmentGate key={`${connection} ${environment}`}>
                <Outlet />
              </EnvironmentGate>
            </RecoveryGate>
          ) : (
            <Outlet />
          )}
        </ConnectionGate>
      </PlaceGate>
      <SessionOver standings={standings} />
      {AUTHORS_HERE && <DropTarget onDrop={onDrop} />}
      {OPERATORS_HERE && <DecisionToast />}
      {OPERATORS_HERE && <FixBar path={location.pathname} />}
      {trusting !== null && (
        <TrustDialog projectId={trusting} onClose={() => trustRequestStore.set(null)} />
      )}
      {reimporting !== null && (
        <ReimportDialog
          key={`${reimporting.ref} ${reimporting.sourceSha256}`}
          {...reimporting}
          onClose={() => reimportStore.set(null)}
        />
      )}
      {composing !== null && (
        <CreateArtifactDialog {...composing} onClose={() => composeStore.set(null)} />
      )}
    </Frame>
  );
}

/** Where nobody writes specs, the window starts with what runs. */
function useStart(isIn: boolean): void {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    // Somebody who just signed in may be on the way back to where they were.
    const here = history.location.pathname === pathname;
    if (isIn && here && pathname === paths.welcome() && !AUTHORS_HERE) {
      navigateTo(paths.overview(), { replace: true });
    }
  }, [isIn, pathname]);
}

function useGlobalCommands(
  projectId: string | undefined,
  offer: (files: readonly OpenedFile[]) => void,
  standings: Standings,
): void {
  usePreferences();
  const known = projectId !== undefined;
  const hasDraft = useRouterState({
    select: ({ location }) => draftOf(location.pathname) !== undefined,
  });
  useEffect(() => listenForShortcuts(window), []);
  useEffect(followLinks, []);
  useEffect(followEnvironment, []);
  useEffect(followNativeMenu, []);
  useEffect(() => keepFocus(document), []);
  useCommand('palette.open', openPalette);
  useCommand('app.keys', showKeys);
  useSingleKeys({ 'keys.show': showKeys });
  useCommand('go.welcome', () => navigateTo(paths.welcome()), AUTHORS_HERE);
  useCommand('go.author', () => navigateTo(lastAuthorPath()), AUTHORS_HERE);
  useCommand('go.runs', () => navigateTo(paths.runs()), OPERATORS_HERE);
  useCommand('go.tasks', () => navigateTo(paths.tasks()), OPERATORS_HERE);
  useCommand('go.settings', () => navigateTo(paths.settings()));
  useCommand(
    'go.connections',
    () => navigateTo(paths.settings('connections')),
    isServed('gateway') && standings.ways.length === 0,
  );
  useOperateCommands();
  useCommand('go.back', () => history.back());
  useCommand('go.forward', () => history.forward());
  usePlaceCommands(projectId);
  useCommand('file.import', () => void openImportFiles().then(offer), known);
  useCommand(
    'file.import-folder',
    () => {
      openImportFolder().then(offer, (error) => notifyError(t('The folder was not read'), error));
    },
    known,
  );
  useCommand('file.import-options', showImportOptions, known);
  useCommand('file.import-sample', () => offer([SAMPLE_EXPORT]), known);
  useCommand('file.open-bundle', chooseBundle, AUTHORS_HERE);
  useCommand('file.new-draft', () => newDraft(projectId ?? ''), known);
  useCommand('file.open-folder', openFolder, AUTHORS_HERE);
  useCommand('file.new-project', newProject, AUTHORS_HERE);
  useCommand('project.trust', () => trustRequestStore.set(projectId ?? null), known);
  useCommand('view.sidebar', () => togglePart('sidebar'));
  useCommand('view.panel', () => togglePanel(hasDraft));
  useCommand('view.next-part', () => goToPart(1));
  useCommand('view.part-before', () => goToPart(-1));
  useCommand('view.problems', () => showPanel('problems'), hasDraft);
  useCommand('view.theme-light', () => keepPreferences({ theme: 'light' }));
  useCommand('view.theme-dark', () => keepPreferences({ theme: 'dark' }));
  useCommand('view.theme-system', () => keepPreferences({ theme: 'auto' }));
  const desktop = desktopApi();
  const leave = (): void => {
    signOut(standings).catch((error) => notifyError(t('You are still signed in'), error));
  };
  useCommand(
    'app.sign-out',
    standings.ways.length > 0 ? leave : askToSignOut,
    desktop === undefined && (isServed('gateway') || standings.ways.length > 0),
  );
  useCommand('app.new-window', () => void desktop?.newWindow(), desktop !== undefined);
  useCommand('app.restart-services', () => void desktop?.restartServices(), desktop !== undefined);
  useCommand('view.zoom-in', () => void desktop?.setZoom('in'), desktop !== undefined);
  useCommand('view.zoom-out', () => void desktop?.setZoom('out'), desktop !== undefined);
  useCommand('view.zoom-reset', () => void desktop?.setZoom('reset'), desktop !== undefined);
  useCommand('app.logs', () => navigateTo(paths.logs()), desktop !== undefined);
  useCommand('app.diagnostics', () => navigateTo(paths.diagnostics()), desktop !== undefined);
  useCommand('app.about', () => navigateTo(paths.settings('program')), desktop !== undefined);
}

function useShellEvents(offer: (files: readonly OpenedFile[]) => void): void {
  useEffect(() => {
    const api = desktopApi();
    if (api === undefined) {
      return undefined;
    }
    const stops = [
      onOpenedFiles(offer, (error) => notifyError(t('The files were not read'), error)),
      api.onCommand((id) => runCommand(id)),
      api.onIncident(tellIncident),
      api.onOpenFolder(showOpenedFolder),
      api.onOpenLink((address) => {
        const path = pathOfDeepLink(address);
        if (path !== undefined) {
          navigateTo(path);
        }
      }),
    ];
    return () => {
      for (const stop of stops) {
        stop();
      }
    };
  }, [offer]);
}

/** Remembers where the Author place is and which project was open. */
function useVisits(): void {
  const href = useRouterState({ select: (state) => state.location.href });
  const me = useMe();
  const name = me.data?.projects.find(({ id }) => id === projectOf(href))?.name;
  useEffect(keepPlaceOnLeave, []);
  useEffect(() => {
    const projectId = projectOf(href);
    rememberPlace(href);
    const draft = draftOf(href);
    if (draft !== undefined) {
      rememberDraft(draft.projectId, draft.ref);
    }
    if (placeOf(href) === 'author') {
      rememberAuthorPath(href);
    }
    if (projectId !== undefined && name !== undefined) {
      rememberProject(projectId, name);
      tellRecent();
    }
  }, [href, name]);
}
