import './news.css';
import { ActionIcon, Button, Checkbox, Indicator, Popover, Switch } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBell,
  IconCircleCheck,
  IconClockExclamation,
  IconHandStop,
  IconUserCheck,
} from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../preload/texts/t.ts';
import { navigateTo } from '../app/navigation.ts';
import { NEWS_KINDS, type NewsKind, preferencesStore, USUALLY_MUTED } from '../data/preferences.ts';
import { isUsable, useStandings } from '../data/sign-in.ts';
import { keepPreferences } from '../ui/keep-preferences.ts';
import { notifyHint } from '../ui/notify.tsx';
import { useStore } from '../ui/store.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import { NEWS_WORDS, type News } from './news-model.ts';
import { clearNews, newsStore, readNews } from './news-store.ts';
import { allowDesktopNews } from './use-news.tsx';

const ICONS = {
  failed: IconAlertTriangle,
  blocked: IconHandStop,
  task: IconUserCheck,
  deadline: IconClockExclamation,
  finished: IconCircleCheck,
} as const;

/** What happened while the window was open, and which of it is told. */
export function NewsMenu() {
  const { dashboard } = useStandings();
  const { kept, unread } = useStore(newsStore);
  const [opened, setOpened] = useState(false);
  if (!isUsable(dashboard)) {
    return null;
  }
  // What is new stays marked until it has been looked at.
  const turn = (open: boolean): void => {
    setOpened(open);
    if (!open) {
      readNews();
    }
  };
  return (
    <Popover opened={opened} onChange={turn} position="bottom-end" width={380} trapFocus withArrow>
      <Indicator disabled={unread === 0} label={unread} size={16} color="red" offset={4}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={unread === 0 ? t('News') : t('News: {unread} not seen', { unread })}
            onClick={() => turn(!opened)}
            data-testid="news"
          >
            <IconBell size={17} stroke={1.75} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown data-testid="news-centre">
        <div className="sw-news-head">
          <h2 className="sw-section-title">{t('News')}</h2>
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={unread === 0}
            onClick={readNews}
            data-testid="news-read"
          >
            {t('Mark as read')}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={kept.length === 0}
            onClick={clearNews}
            data-testid="news-clear"
          >
            {t('Clear')}
          </Button>
        </div>
        {kept.length === 0 && (
          <p className="sw-faint">
            {t('Nothing is new. What happens while the window is open is kept here.')}
          </p>
        )}
        <ul className="sw-news">
          {kept.map((news, at) => (
            <Entry
              key={news.id}
              news={news}
              isNew={at < unread}
              onOpen={() => {
                setOpened(false);
                readNews();
              }}
            />
          ))}
        </ul>
        <Choice />
      </Popover.Dropdown>
    </Popover>
  );
}

function Entry(props: {
  readonly news: News;
  readonly isNew: boolean;
  readonly onOpen: () => void;
}) {
  const { kind, title, about, to, at } = props.news;
  const Icon = ICONS[kind];
  return (
    <li data-new={props.isNew}>
      <button
        type="button"
        onClick={() => {
          props.onOpen();
          navigateTo(to);
        }}
      >
        <Icon size={16} stroke={1.5} aria-hidden />
        <strong title={title}>
          {props.isNew && <span className="sw-visually-hidden">{t('New: ')}</span>}
          {title}
        </strong>
        <span className="sw-faint sw-unbroken">
          <TimeAgo at={new Date(at).toISOString()} narrow />
        </span>
        {about !== '' && <small title={about}>{about}</small>}
      </button>
    </li>
  );
}

/** Which kinds are told, and whether the operating system tells them too. */
export function Choice() {
  const { muted = USUALLY_MUTED, desktop_news = false } = useStore(preferencesStore);
  const turn = (kind: NewsKind, isTold: boolean): void => {
    const others = muted.filter((one) => one !== kind);
    keepPreferences({ muted: isTold ? others : [...others, kind] });
  };
  const outside = async (isWanted: boolean): Promise<void> => {
    if (isWanted && !(await allowDesktopNews())) {
      notifyHint(t('This browser does not let the window tell anything outside of itself.'));
      return;
    }
    keepPreferences({ desktop_news: isWanted });
  };
  return (
    <fieldset className="sw-news-choice">
      <legend>{t('Tell me of')}</legend>
      {NEWS_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          size="xs"
          label={NEWS_WORDS[kind]}
          checked={!muted.includes(kind)}
          onChange={(event) => turn(kind, event.currentTarget.checked)}
        />
      ))}
      <Switch
        size="xs"
        label={t('Also outside this window, while it is not in front')}
        checked={desktop_news}
        onChange={(event) => void outside(event.currentTarget.checked)}
        data-testid="desktop-news"
      />
    </fieldset>
  );
}
