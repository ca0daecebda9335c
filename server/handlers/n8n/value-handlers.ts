import type { Handler } from '../handler.ts';
import { handleCrypto } from './crypto.ts';
import { handleDateTime } from './dates/date-time.ts';
import { handleCompression } from './files/compression.ts';
import { handleConvertToFile } from './files/convert-to-file.ts';
import { refuseDiskFiles } from './files/disk-files.ts';
import { handleExtractFromFile } from './files/extract-from-file.ts';
import { handleMoveBinaryData } from './files/move-binary-data.ts';
import { handleSpreadsheetFile } from './files/spreadsheet-file.ts';
import { handleHtml } from './html/html.ts';
import { handleHtmlExtract } from './html/html-extract.ts';
import { handleMarkdown } from './markdown/markdown.ts';
import { handleXml } from './xml.ts';

/** Handlers of values and files, by their type. */
export const VALUE_HANDLERS: Readonly<Record<string, Handler>> = {
  'n8n-nodes-base.compression': handleCompression,
  'n8n-nodes-base.convertToFile': handleConvertToFile,
  'n8n-nodes-base.crypto': handleCrypto,
  'n8n-nodes-base.dateTime': handleDateTime,
  'n8n-nodes-base.extractFromFile': handleExtractFromFile,
  'n8n-nodes-base.html': handleHtml,
  'n8n-nodes-base.htmlExtract': handleHtmlExtract,
  'n8n-nodes-base.markdown': handleMarkdown,
  'n8n-nodes-base.moveBinaryData': handleMoveBinaryData,
  'n8n-nodes-base.readWriteFile': refuseDiskFiles,
  'n8n-nodes-base.spreadsheetFile': handleSpreadsheetFile,
  'n8n-nodes-base.xml': handleXml,
};
