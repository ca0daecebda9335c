import { notifications, notificationsStore } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { t } from '../../preload/texts/t.ts';
import { listHumanTasks } from '../../server/contract/dashboard/human-tasks.ts';
import { listRuns, type RunList } from '../../server/contract/dashboard/runs.ts';
import { RUN_STATUSES } from '../../server/contract/platform/run-status.ts';
import { AppLink } from '../app/app-link.tsx';
import { navigateTo } from '../app/navigation.ts';
import { paths } from '../app/paths.ts';
import { useMayAsk } from '../data/environment.ts';
import { isOnScreen } from '../data/on-screen.ts';
import { preferencesStore, USUALLY_MUTED } from '../data/preferences.ts';
import { routeQuery } from '../data/query-client.ts';
import { restful } from '../data/rest.ts';
import { useStandings } from '../data/sign-in.ts';
import { announce } from '../ui/announcer.tsx';
import { freeCorner } from '../ui/free-corner.ts';
import { afterLook, type News, settled } from './news-model.ts';
import { newsStore, openNews } from './news-store.ts';

/** Runs that changed last are looked at; more than that at once are not told one by one anyway. */
const LOOKED_AT = 50;
const TOLD_MS = 8_000;
const COLORS: Partial<Record<News['kind'], string>> = { failed: 'red', finished: 'green' };
/** More than this on the screen become one word. */
const MOST_TOLD = 3;
/** The id of that one word. */
const MORE = 'more-news';

/** Of runs in other states nothing is told here but that they changed. */
const NO_NEWS_OF = RUN_STATUSES.filter((status) => status !== 'failed' && status !== 'blocked');

const pace = restful(
  ({ rows, brief = [] }: RunList) =>
    [...rows, ...brief].map(({ run_id, status }) => [run_id, status]),
  { busy: 8_000, rest: 60_000 },
);

/** True where the operating system may tell news of this window. */
export function isDesktopNewsPossible(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission !== 'denied';
}

/** Asks the browser, where it asks at all, whether this window may tell news outside of itself. */
export async function allowDesktopNews(): Promise<boolean> {
  return isDesktopNewsPossible() && (await Notification.requestPermission()) === 'granted';
}

function tellOutside({ id, title, about, to }: News): void {
  const shown = new Notification(title, { body: about, tag: id });
  shown.onclick = () => {
    window.focus();
    navigateTo(to);
  };
}

function tellInside({ id, kind, title, about, to }: News): void {
  notifications.show({
    id,
    title,
    position: freeCorner(),
    color: COLORS[kind] ?? 'yellow',
    autoClose: TOLD_MS,
    closeButtonProps: { 'aria-label': t('Dismiss') },
    message: (
      <span className="sw-news-told">
        {about !== '' && <span className="sw-news-about">{about}</span>}
        <AppLink to={to}>
          {kind === 'task' || kind === 'deadline' ? t('Decide') : t('See the run')}
        </AppLink>
      </span>
    ),
  });
}

function tell(told: readonly News[]): void {
  const outside =
    preferencesStore.get().desktop_news === true &&
    isDesktopNewsPossible() &&
    Notification.permission === 'granted' &&
    !document.hasFocus();
  // Somebody who looks at the window sees that a run has finished; what is on screen is not
  // covered by the news of it. The overview lists all of it.
  const isSeen = ({ kind, to }: News): boolean =>
    (kind === 'finished' && document.hasFocus()) ||
    (!outside && (isOnScreen(to) || isOnScreen(paths.overview())));
  for (const { title } of outside ? [] : told.filter(isSeen)) {
    announce(title);
  }
  const wanted = told.filter((news) => !isSeen(news));
  const room = outside ? MOST_TOLD : Math.max(0, MOST_TOLD - stillTold());
  for (const news of wanted.slice(0, room)) {
    (outside ? tellOutside : tellInside)(news);
  }
  if (wanted.length > room) {
    tellMore(wanted.length - room);
  }
}

/** How much of what was told stands on the screen still. */
function stillTold(): number {
  const told = new Set(newsStore.get().kept.map(({ id }) => id));
  const { notifications: shown } = notificationsStore.getState();
  return shown.filter(({ id }) => id !== undefined && told.has(id)).length;
}

/** One line for what finds no room, which counts on while it stands there. */
let more = 0;
function tellMore(count: number): void {
  const isThere = notificationsStore.getState().notifications.some(({ id }) => id === MORE);
  more = isThere ? more + count : count;
  notifications.hide(MORE);
  notifications.show({
    id: MORE,
    position: freeCorner(),
    message: t('{count} more: see the bell above', { count: more }),
    color: 'yellow',
    closeButtonProps: { 'aria-label': t('Dismiss') },
    autoClose: TOLD_MS,
  });
}

/** Looks for what is new with runs and tasks, tells it and keeps it for the centre. */
export function useNews(): void {
  const enabled = useMayAsk();
  const reader = useStandings().operator?.identity ?? '';
  useEffect(() => {
    if (enabled) {
      openNews(reader);
    }
  }, [enabled, reader]);
  const runs = useQuery({
    ...routeQuery(listRuns, {
      query: {
        limit: LOOKED_AT,
        offset: 0,
        sort_by: 'updated_at',
        sort_order: 'desc',
        brief: NO_NEWS_OF.join(','),
      },
    }),
    refetchInterval: pace,
    refetchIntervalInBackground: true,
    retry: false,
    enabled,
  });
  // The badge of the tasks reads them; this looks at what it read.
  const tasks = useQuery({ ...routeQuery(listHumanTasks, {}), enabled: false });
  const [rows, open] = [runs.data?.rows, tasks.data?.rows];
  useEffect(() => {
    if (rows !== undefined && open !== undefined) {
      const look = { runs: rows, tasks: open };
      const muted = preferencesStore.get().muted ?? USUALLY_MUTED;
      const { state, told } = afterLook(newsStore.get(), look, Date.now(), muted);
      newsStore.set(state);
      for (const { id } of settled(state.kept, open)) {
        notifications.hide(id);
      }
      tell(told);
    }
  }, [rows, open]);
}
