import { afterAll, describe, expect, it } from 'vitest';
import { type ServiceTry, startServicePeer } from '../../../../test/support/service-peer.ts';

const peer = await startServicePeer();
afterAll(() => peer.close());

const API = 'https://www.googleapis.com/calendar/v3';
const EVENTS = `${API}/calendars/desk@example.com/events`;
const credential = { kind: 'bearer', token: 'the-token-of-calendar' } as const;
const PLACE = { calendar: { __rl: true, mode: 'list', value: 'desk@example.com' } };
const EVENT = { json: { id: 'e1', summary: 'Talk' } };

function run(parameters: ServiceTry['parameters'], more: Partial<ServiceTry> = {}) {
  return peer.run({
    ...{ type: 'googleCalendar', version: 1.3, credential, answers: [EVENT] },
    ...more,
    parameters: { ...PLACE, ...parameters },
  });
}

describe('events', () => {
  it('are made: moments in the zone of the event, guests, reminders and a meeting', async () => {
    const { asked, outputs } = await run({
      start: '2026-06-01T09:00:00',
      end: '2026-06-01 10:00:00',
      useDefaultReminders: false,
      remindersUi: { remindersValues: [{ method: 'popup', minutes: 5 }] },
      additionalFields: {
        ...{ summary: 'Talk', attendees: ['a@x.org, b@x.org', 'c@x.org'], color: '2' },
        ...{ timezone: 'Europe/Berlin', showMeAs: 'transparent', sendUpdates: 'all' },
        conferenceDataUi: { conferenceDataValues: { conferenceSolution: 'hangoutsMeet' } },
      },
    });
    expect(asked).toMatchObject([
      {
        call: `POST ${EVENTS}?sendUpdates=all&conferenceDataVersion=1`,
        body: {
          ...{ summary: 'Talk', colorId: '2', transparency: 'transparent' },
          start: { dateTime: '2026-06-01T07:00:00Z', timeZone: 'Europe/Berlin' },
          end: { dateTime: '2026-06-01T08:00:00Z', timeZone: 'Europe/Berlin' },
          attendees: [{ email: 'a@x.org' }, { email: 'b@x.org' }, { email: 'c@x.org' }],
          reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
          conferenceData: {
            createRequest: { conferenceSolutionKey: { type: 'hangoutsMeet' } },
          },
        },
      },
    ]);
    expect(outputs).toEqual([[{ json: EVENT.json, pairedItem: { item: 0 } }]]);
  });

  it('may last whole days', async () => {
    const { asked } = await run({
      start: '2026-06-01T23:30:00-04:00',
      end: '2026-06-03',
      additionalFields: { allday: 'yes' },
    });
    expect(asked[0]?.body).toEqual({ start: { date: '2026-06-01' }, end: { date: '2026-06-03' } });
  });

  it('are changed in what is said, and deleted', async () => {
    const updateFields = { summary: 'New', start: '2026-01-01T00:00:00Z' };
    const { asked } = await run({ operation: 'update', eventId: 'e1', updateFields });
    expect(asked).toMatchObject([{ call: `PATCH ${EVENTS}/e1` }]);
    expect(asked[0]?.body).toEqual({
      summary: 'New',
      start: { dateTime: '2026-01-01T00:00:00Z', timeZone: 'America/New_York' },
    });
    const options = { sendUpdates: 'none' };
    const gone = await run(
      { operation: 'delete', eventId: 'e1', options },
      { answers: [{ status: 204 }] },
    );
    expect(gone.asked[0]?.call).toBe(`DELETE ${EVENTS}/e1?sendUpdates=none`);
    expect(gone.outputs?.[0]?.[0]?.json).toEqual({ success: true });
    expect((await run({ operation: 'get', eventId: 'e1' })).asked[0]?.call).toBe(
      `GET ${EVENTS}/e1`,
    );
  });

  it('are listed page by page: from now for a week, or as the step says', async () => {
    const pages = [{ items: [{ id: 'a' }], nextPageToken: 'n' }, { items: [{ id: 'b' }] }];
    const answers = pages.map((json) => ({ json }));
    const { asked, outputs } = await run({ operation: 'getAll', returnAll: true }, { answers });
    expect(asked.map(({ call }) => call)).toEqual([
      `GET ${EVENTS}?timeMin=2026-01-31T17%3A00%3A00Z&timeMax=2026-02-07T17%3A00%3A00Z&maxResults=250`,
      `GET ${EVENTS}?timeMin=2026-01-31T17%3A00%3A00Z&timeMax=2026-02-07T17%3A00%3A00Z&maxResults=250&pageToken=n`,
    ]);
    expect(outputs?.[0]?.map(({ json }) => json)).toEqual([{ id: 'a' }, { id: 'b' }]);
    const options = { timeMin: '2026-01-01T00:00:00Z', query: 'x', singleEvents: true };
    const old = await run({ operation: 'getAll', limit: 1, options }, { version: 1.1, answers });
    expect(old.asked[0]?.call).toBe(
      `GET ${EVENTS}?q=x&singleEvents=true&timeMin=2026-01-01T00%3A00%3A00Z&maxResults=1`,
    );
  });

  it('without a moment are refused', async () => {
    const { failed } = await run({ start: 'someday', end: '2026-01-01' });
    expect(failed).toBe("'someday' is no moment.");
  });
});

it('there is time where nothing is booked', async () => {
  const busy = [{ start: 's', end: 'e' }];
  const answer = { calendars: { 'desk@example.com': { busy } } };
  const ask = (options: object, json: unknown = answer) =>
    run(
      {
        ...{
          resource: 'calendar',
          timeMin: '2026-01-01T08:00:00Z',
          timeMax: '2026-01-01T09:00:00Z',
        },
        options,
      },
      { answers: [{ json }] },
    );
  const { asked, outputs } = await ask({});
  expect(asked).toMatchObject([
    {
      call: `POST ${API}/freeBusy`,
      body: {
        ...{ timeMin: '2026-01-01T08:00:00Z', timeMax: '2026-01-01T09:00:00Z' },
        ...{ items: [{ id: 'desk@example.com' }], timeZone: 'America/New_York' },
      },
    },
  ]);
  expect(outputs?.[0]?.[0]?.json).toEqual({ available: false });
  const free = await ask({}, { calendars: { 'desk@example.com': { busy: [] } } });
  expect(free.outputs?.[0]?.[0]?.json).toEqual({ available: true });
  const slots = await ask({ outputFormat: 'bookedSlots' });
  expect(slots.outputs?.[0]?.map(({ json }) => json)).toEqual(busy);
});
