// Starts a platform with the settings of argv, makes a run, and prints which modules of telemetry
// were loaded for it, as JSON.
import { registerHooks } from 'node:module';
import { TINY } from './specs.ts';

/** The API alone comes with the library of `/metrics`, whatever is switched on. */
const OURS = /\/@opentelemetry\/(?!api\/)|\/platform\/telemetry\//;
const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    if (OURS.test(url)) loaded.push(url);
    return next(url, context);
  },
});
const { startTestPlatform } = await import('./platform.ts');
const platform = await startTestPlatform({ env: JSON.parse(process.argv[2] ?? '{}') });
await platform.post('/v1/runs', { input: 'x', spec: TINY });
await platform.stop();
process.stdout.write(JSON.stringify(loaded));
