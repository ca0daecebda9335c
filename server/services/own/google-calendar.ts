import type { OwnService } from '../own-operations.ts';

const EVENT = [
  ...['allday', 'attendees', 'color', 'description', 'guestsCanInviteOthers', 'guestsCanModify'],
  ...['guestsCanSeeOtherGuests', 'id', 'location', 'maxAttendees', 'rrule', 'sendUpdates'],
  ...['showMeAs', 'summary', 'timezone', 'visibility'],
];
const MEETING = 'conferenceDataUi.conferenceDataValues.conferenceSolution';
const REMINDERS = ['useDefaultReminders', 'remindersUi.remindersValues'];
const LISTED = [
  ...['iCalUID', 'maxAttendees', 'orderBy', 'query', 'recurringEventHandling', 'showDeleted'],
  ...['showHiddenInvitations', 'singleEvents', 'timeMax', 'timeMin', 'timeZone', 'updatedMin'],
];

function below(name: string, names: readonly string[]): string[] {
  return names.map((one) => `${name}.${one}`);
}

/** What is done of Google Calendar. */
export const GOOGLE_CALENDAR_OPERATIONS: OwnService = {
  type: 'n8n-nodes-base.googleCalendar',
  resource: 'event',
  operation: { event: 'create', calendar: 'availability' },
  of: {
    'event/create': {
      settings: [
        ...['calendar', 'start', 'end', ...REMINDERS],
        ...below('additionalFields', [...EVENT, MEETING]),
      ],
      needed: ['calendar', 'start', 'end'],
    },
    'event/update': {
      settings: [
        ...['calendar', 'eventId', ...REMINDERS],
        ...below('updateFields', [...EVENT, 'start', 'end']),
      ],
      needed: ['calendar', 'eventId'],
    },
    'event/get': {
      settings: ['calendar', 'eventId', ...below('options', ['maxAttendees', 'timeZone'])],
      needed: ['calendar', 'eventId'],
    },
    'event/getAll': {
      settings: [
        ...['calendar', 'returnAll', 'limit', 'timeMin', 'timeMax'],
        ...below('options', LISTED),
      ],
      needed: ['calendar'],
      values: { 'options.recurringEventHandling': ['expand'] },
    },
    'event/delete': {
      settings: ['calendar', 'eventId', 'options.sendUpdates'],
      needed: ['calendar', 'eventId'],
    },
    'calendar/availability': {
      settings: [...['calendar', 'timeMin', 'timeMax', 'options.outputFormat', 'options.timezone']],
      needed: ['calendar'],
    },
  },
};
