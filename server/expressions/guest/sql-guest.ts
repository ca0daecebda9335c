// The entry of the realm in which queries of SQL run: with a library that no other realm needs.
import type { CodeRequest } from './code.ts';
import { installDate, setClock } from './dates.ts';
import { inWords, isOfEngine } from './engine-words.ts';
import { tellDone } from './host.ts';
import { itemsOf } from './items.ts';
import { setRandom } from './random.ts';
import { runSql } from './sql.ts';

installDate();

interface Input {
  readonly rows: readonly Record<string, unknown>[];
}

function answerOf(query: string, inputs: readonly Input[]): object {
  try {
    const value = runSql(
      query,
      inputs.map(({ rows }) => rows),
    );
    return { kind: 'value', type: 'object', value };
  } catch (error) {
    if (isOfEngine(error)) throw error;
    const told = inWords(error);
    const message = told instanceof Error ? told.message : String(told);
    return { kind: 'threw', message, line: null };
  }
}

/** Runs a query; both words are JSON texts, and so is what the host is told at the end. */
export function start(requestText: string, itemsText: string): void {
  const request = JSON.parse(requestText) as CodeRequest;
  setClock(request.facts.now);
  setRandom(request.facts.seed);
  const items = itemsOf(itemsText, request.shape);
  const inputs = items.map(({ json }) => json as unknown as Input);
  tellDone(JSON.stringify([answerOf(request.code ?? '', inputs)]));
}
