import type { OwnService } from '../own-operations.ts';

/** What is done of Google Docs. */
export const GOOGLE_DOCS_OPERATIONS: OwnService = {
  type: 'n8n-nodes-base.googleDocs',
  resource: 'document',
  operation: { document: 'create' },
  of: {
    'document/create': { settings: ['title', 'folderId'], needed: ['title'] },
    'document/get': { settings: ['documentURL', 'simple'], needed: ['documentURL'] },
    'document/update': {
      settings: ['documentURL', 'simple', 'actionsUi.actionFields'],
      needed: ['documentURL'],
      members: {
        'actionsUi.actionFields': {
          settings: [
            ...['object', 'action', 'text', 'replaceText', 'matchCase', 'locationChoice'],
            ...['insertSegment', 'index'],
          ],
          values: {
            object: ['text'],
            action: ['insert', 'replaceAll'],
            insertSegment: ['body'],
            locationChoice: ['endOfSegmentLocation', 'location'],
          },
        },
      },
    },
  },
};
