import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { net, protocol } from 'electron';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { resolveAsset } from './resolve-asset.ts';

/** The origin of the window: stable, so that local state survives a new port of the services. */
export const WINDOW_ORIGIN = 'app://specwright';

/** Must run before the application is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'app',
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: true,
        stream: true,
        codeCache: true,
      },
    },
  ]);
}

/** Serves the built renderer at `app://specwright/`. `gateway` is asked for each document. */
export function serveRenderer(folder: string, gateway: () => string): void {
  const isFile = (file: string) => existsSync(file) && statSync(file).isFile();
  protocol.handle('app', async (request) => {
    const url = new URL(request.url);
    if (url.origin !== WINDOW_ORIGIN && url.host !== 'specwright') {
      return new Response('not found', { status: 404 });
    }
    const file = resolveAsset(folder, url.pathname, isFile);
    if (file === undefined) return new Response('not found', { status: 404 });
    const answer = await net.fetch(pathToFileURL(file).href);
    const headers = new Headers(answer.headers);
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', 'no-referrer');
    if (path.extname(file) === '.html') {
      headers.set('content-security-policy', contentSecurityPolicy([gateway()]));
      headers.set('cache-control', 'no-store');
    }
    return new Response(answer.body, { status: answer.status, headers });
  });
}
