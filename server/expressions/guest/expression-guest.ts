// The entry of the realm in which expressions are evaluated.
import { Settings } from 'luxon';
import { installDate, setClock } from './dates.ts';
import { type EvaluationRequest, evaluateAll } from './evaluate.ts';
import { EXTENSION_NAMES } from './extensions/extend.ts';
import { installIntl } from './intl.ts';
import { setRandom } from './random.ts';
import { SCOPE_NAMES } from './scope.ts';
import { installZones } from './zones.ts';

installDate();
installIntl();
installZones();
Settings.defaultLocale = 'en-US';

Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): string {
    return String(this);
  },
});

/** Evaluates a request; both words and the answer are JSON texts. */
export function evaluate(requestText: string, itemsText: string): string {
  const request = JSON.parse(requestText) as EvaluationRequest;
  setClock(request.facts.now);
  setRandom(request.facts.seed);
  Settings.defaultZone = request.facts.zone;
  return evaluateAll(request, itemsText);
}

/** The names that the rewriting of expressions rests on. */
export function names(): string {
  return JSON.stringify({ extensions: EXTENSION_NAMES, scope: SCOPE_NAMES });
}
