import type { OwnService } from '../own-operations.ts';
import { GMAIL_OPERATIONS } from './gmail.ts';
import { GOOGLE_CALENDAR_OPERATIONS } from './google-calendar.ts';
import { GOOGLE_DOCS_OPERATIONS } from './google-docs.ts';
import { GOOGLE_DRIVE_OPERATIONS } from './google-drive.ts';
import { GOOGLE_SHEETS_OPERATIONS } from './google-sheets.ts';

/** Every vendor's node that a handler of its own carries out. */
export const OWN_SERVICES: readonly OwnService[] = [
  GMAIL_OPERATIONS,
  GOOGLE_CALENDAR_OPERATIONS,
  GOOGLE_DOCS_OPERATIONS,
  GOOGLE_DRIVE_OPERATIONS,
  GOOGLE_SHEETS_OPERATIONS,
];
