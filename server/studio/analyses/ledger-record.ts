import { z } from 'zod';
import {
  type LedgerEntry,
  LedgerFate,
  LedgerForm,
  LedgerReason,
  LedgerWhat,
} from '../../contract/studio/ledger.ts';
import { recordBinding } from './analysis-record.ts';

/** An entry as it is stored: the values alone, in the order of the contract. */
const StoredEntry = z.tuple([
  z.string(),
  LedgerWhat,
  z.string().nullable(),
  z.string(),
  LedgerFate,
  z.string().nullable(),
  LedgerForm.nullable(),
  z.array(z.string()),
  LedgerReason.nullable(),
  z.int(),
]);

/** A ledger with more text than this is not kept. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** What a sealed ledger is bound to. */
export function ledgerBinding(projectId: string, analysisId: string): string {
  return `${recordBinding(projectId, analysisId)}\u0000ledger`;
}

/** A ledger as it is sealed; null when there is none or it is too large. */
export function ledgerText(entries: readonly LedgerEntry[] | null): string | null {
  if (entries === null) return null;
  const rows = entries.map((entry): z.infer<typeof StoredEntry> => {
    const { locator, what, element, label, fate, draft, form, gaps, reason, leaves } = entry;
    return [locator, what, element, label, fate, draft, form, gaps, reason, leaves];
  });
  const text = JSON.stringify(rows);
  return text.length > MOST_CHARACTERS ? null : text;
}

/** Reads an opened ledger; undefined when it does not hold what it should. */
export function parseLedger(text: string): LedgerEntry[] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = z.array(StoredEntry).safeParse(document);
  return parsed.data?.map(
    ([locator, what, element, label, fate, draft, form, gaps, reason, leaves]) => ({
      ...{ locator, what, element, label, fate, draft, form, gaps, reason, leaves },
    }),
  );
}
