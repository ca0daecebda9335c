// The entry of the realm in which code runs.
import { Settings } from 'luxon';
import { type CodeRequest, putScope, startCode } from './code.ts';
import { fireTimer, installGlobals, settle } from './code-globals.ts';
import { installDate, setClock } from './dates.ts';
import { installIntl } from './intl.ts';
import { setRandom } from './random.ts';
import { installZones } from './zones.ts';

installDate();
installIntl();
installZones();
putScope();
installGlobals();
Settings.defaultLocale = 'en-US';

/** Starts code; both words are JSON texts, and so is what the host is told at the end. */
export function start(requestText: string, itemsText: string): void {
  const request = JSON.parse(requestText) as CodeRequest;
  setClock(request.facts.now);
  setRandom(request.facts.seed);
  Settings.defaultZone = request.facts.zone;
  void startCode(request, itemsText);
}

export { fireTimer, settle };
