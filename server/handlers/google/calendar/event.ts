import { DateTime } from 'luxon';
import type { JsonObject } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { StepFailure } from '../../handler.ts';
import type { OneItem } from '../../n8n/each-item.ts';
import { listIn, objectIn } from '../../n8n/settings.ts';

const IN_UTC = "yyyy-MM-dd'T'HH:mm:ss'Z'";

/** Members that are said. */
export function filledOnly(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== null && value !== '',
    ),
  );
}

/** A moment; texts without a zone are of this one. @throws StepFailure */
function momentOf(value: unknown, zone: string): DateTime {
  const read =
    typeof value === 'number'
      ? DateTime.fromMillis(value, { zone })
      : DateTime.fromISO(String(value).trim().replace(' ', 'T'), { zone });
  if (read.isValid) return read.setZone(zone);
  throw new StepFailure(`'${String(value)}' is no moment.`);
}

/** A moment as the service takes it. @throws StepFailure */
export function momentText(value: unknown, zone: string): string {
  return momentOf(value, zone).toUTC().toFormat(IN_UTC);
}

function zoneOf({ call }: OneItem, { timezone }: JsonObject): string {
  const named = isObject(timezone) ? timezone['value'] : timezone;
  return named === undefined || named === '' ? call.step.facts.zone : String(named);
}

function placed(value: unknown, zone: string, isWholeDay: boolean): JsonObject | undefined {
  if (value === undefined || value === '') return undefined;
  return isWholeDay
    ? { date: momentOf(value, zone).toISODate() }
    : { dateTime: momentText(value, zone), timeZone: zone };
}

function attendeesIn(value: unknown): JsonObject[] | undefined {
  if (value === undefined) return undefined;
  const texts = (Array.isArray(value) ? value : [value]).flatMap((one) => String(one).split(','));
  return texts
    .map((email) => email.trim())
    .filter((email) => email !== '')
    .map((email) => ({ email }));
}

function remindersOf({ settings }: OneItem): JsonObject | undefined {
  if (settings.value('useDefaultReminders', true) !== false) return undefined;
  const overrides = listIn(settings.object('remindersUi'), 'remindersValues');
  return { useDefault: false, ...(overrides.length === 0 ? {} : { overrides }) };
}

function meetingOf({ call }: OneItem, from: JsonObject): JsonObject | undefined {
  const { conferenceSolution } = objectIn(
    objectIn(from, 'conferenceDataUi'),
    'conferenceDataValues',
  );
  if (conferenceSolution === undefined || conferenceSolution === '') return undefined;
  const conferenceSolutionKey = { type: conferenceSolution };
  return { createRequest: { requestId: call.crypto.randomUuid(), conferenceSolutionKey } };
}

/** An event as the service takes it, and what stands beside it in the address. */
export function eventOf(one: OneItem, from: JsonObject): { event: JsonObject; query: JsonObject } {
  const zone = zoneOf(one, from);
  const isWholeDay = from['allday'] === 'yes' || from['allday'] === true;
  const conferenceData = meetingOf(one, from);
  const { summary, description, location, visibility, id, rrule, maxAttendees, sendUpdates } = from;
  const { guestsCanInviteOthers, guestsCanModify, guestsCanSeeOtherGuests } = from;
  const event = filledOnly({
    ...{ summary, description, location, visibility, id },
    ...{ guestsCanInviteOthers, guestsCanModify, guestsCanSeeOtherGuests },
    start: placed(from['start'], zone, isWholeDay),
    end: placed(from['end'], zone, isWholeDay),
    attendees: attendeesIn(from['attendees']),
    colorId: from['color'],
    transparency: from['showMeAs'],
    recurrence: rrule === undefined || rrule === '' ? undefined : [`RRULE:${String(rrule)}`],
    reminders: remindersOf(one),
    conferenceData,
  });
  const conferenceDataVersion = conferenceData === undefined ? undefined : 1;
  return { event, query: filledOnly({ maxAttendees, sendUpdates, conferenceDataVersion }) };
}
