import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { GOOGLE_CALENDAR } from '../../../services/rows/google-calendar.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { listIn, objectIn } from '../../n8n/settings.ts';
import type { Api } from '../api.ts';
import { eachOperation, type Operation } from '../each-operation.ts';
import { eventOf, filledOnly, momentText } from './event.ts';

const EVENTS = '/calendars/{@path.calendar}/events';
const EVENT = `${EVENTS}/{@path.event}`;
const DEFAULT_LIMIT = 50;
const PAGE = 250;
const WEEK_MS = 604_800_000;
const HOUR_MS = 3_600_000;
/** From here on a listing and a question for free time begin now, unless they say otherwise. */
const SINCE_NOW = 1.3;

function fields(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function pathOf({ settings }: OneItem): JsonObject {
  const found = settings.value('calendar', '');
  const calendar = isObject(found) ? found['value'] : found;
  return { calendar: String(calendar ?? ''), event: settings.text('eventId') };
}

const create: Operation = async (api, one) => {
  const { settings } = one;
  const from = {
    ...settings.object('additionalFields'),
    start: settings.value('start'),
    end: settings.value('end'),
  };
  const { event, query } = eventOf(one, from);
  return fields(await api.send(`POST ${EVENTS}`, { path: pathOf(one), query, json: event }));
};

const update: Operation = async (api, one) => {
  const { event, query } = eventOf(one, one.settings.object('updateFields'));
  return fields(await api.send(`PATCH ${EVENT}`, { path: pathOf(one), query, json: event }));
};

const get: Operation = async (api, one) => {
  const { maxAttendees, timeZone } = one.settings.object('options');
  const query = filledOnly({ maxAttendees, timeZone: zoneIn(timeZone) });
  return fields(await api.send(`GET ${EVENT}`, { path: pathOf(one), query }));
};

const remove: Operation = async (api, one) => {
  const query = filledOnly({ sendUpdates: one.settings.value('options.sendUpdates') });
  await api.send(`DELETE ${EVENT}`, { path: pathOf(one), query });
  return { success: true };
};

/** A zone that is chosen from a list or typed. */
function zoneIn(value: unknown): unknown {
  return isObject(value) ? value['value'] : value;
}

/** A bound of time: a setting, or so many milliseconds from now in later versions. */
function boundOf(one: OneItem, name: string, fromNow: number): string | undefined {
  const { settings, call } = one;
  const { now, zone } = call.step.facts;
  const isLater = call.node.version >= SINCE_NOW;
  const found = settings.value(isLater ? name : `options.${name}`, isLater ? now + fromNow : '');
  return found === '' || found === null ? undefined : momentText(found, zone);
}

function listingOf(one: OneItem): JsonObject {
  const options = one.settings.object('options');
  const { iCalUID, maxAttendees, orderBy, query, showDeleted, showHiddenInvitations } = options;
  const { singleEvents, recurringEventHandling, timeZone, updatedMin } = options;
  const { zone } = one.call.step.facts;
  return filledOnly({
    ...{ iCalUID, maxAttendees, orderBy, showDeleted, showHiddenInvitations },
    q: query,
    singleEvents: recurringEventHandling === 'expand' ? true : singleEvents,
    timeZone: zoneIn(timeZone),
    timeMin: boundOf(one, 'timeMin', 0),
    timeMax: boundOf(one, 'timeMax', WEEK_MS),
    updatedMin:
      updatedMin === undefined || updatedMin === '' ? undefined : momentText(updatedMin, zone),
  });
}

const getAll: Operation = async (api, one) => {
  const { settings } = one;
  const wanted = settings.isOn('returnAll')
    ? Number.POSITIVE_INFINITY
    : Number(settings.value('limit', DEFAULT_LIMIT));
  const found: JsonObject[] = [];
  const asked = { path: pathOf(one), query: listingOf(one) };
  let pageToken: unknown;
  do {
    const maxResults = Math.min(PAGE, wanted - found.length);
    const query = { ...asked.query, maxResults, ...(pageToken === undefined ? {} : { pageToken }) };
    const page = fields(await api.send(`GET ${EVENTS}`, { ...asked, query }));
    found.push(...listIn(page, 'items'));
    pageToken = page['nextPageToken'];
  } while (pageToken !== undefined && found.length < wanted);
  return found.slice(0, wanted);
};

async function busyTimes(
  api: Api,
  one: OneItem,
): Promise<{ answer: JsonObject; busy: JsonObject[] }> {
  const { calendar } = pathOf(one);
  const { settings, call } = one;
  const { now, zone } = call.step.facts;
  const bound = (name: string, fromNow: number): string =>
    momentText(settings.value(name, now + fromNow), zone);
  const json = {
    timeMin: bound('timeMin', 0),
    timeMax: bound('timeMax', HOUR_MS),
    items: [{ id: calendar }],
    timeZone: zoneIn(settings.value('options.timezone')) ?? zone,
  };
  const answer = fields(await api.send('POST /freeBusy', { json }));
  const calendars = objectIn(answer, 'calendars');
  return { answer, busy: listIn(calendars[String(calendar)], 'busy') };
}

const availability: Operation = async (api, one) => {
  const { answer, busy } = await busyTimes(api, one);
  switch (one.settings.text('options.outputFormat', 'availability')) {
    case 'bookedSlots':
      return busy;
    case 'raw':
      return answer;
    default:
      return { available: busy.length === 0 };
  }
};

/** Google Calendar: events, and whether there is time. */
export const handleGoogleCalendar = eachOperation(GOOGLE_CALENDAR, {
  resource: 'event',
  operation: { event: 'create', calendar: 'availability' },
  of: {
    'event/create': create,
    'event/update': update,
    'event/get': get,
    'event/getAll': getAll,
    'event/delete': remove,
    'calendar/availability': availability,
  },
});
