import type { Service } from '../service.ts';

/** Google Calendar: a handler of its own asks it, for moments are read in the zone of an event. */
export const GOOGLE_CALENDAR: Service = {
  name: 'Google Calendar',
  type: 'n8n-nodes-base.googleCalendar',
  versions: [1, 1.3],
  server: 'https://www.googleapis.com/calendar/v3',
  auth: { googleCalendarOAuth2Api: { as: 'bearer' } },
  message: ['error.message'],
  operation: 'create',
  rows: {},
};
