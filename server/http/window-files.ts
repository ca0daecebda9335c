import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isProgramPath, SERVED_META, type Served } from '../contract/served.ts';

const INDEX = 'index.html';

/** What the window's page may load: its own files, and workers made of them. */
export const WINDOW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');
/** A file whose name changes with what it holds. */
export const KEPT_FOREVER = 'public, max-age=31536000, immutable';

/** True when the folder holds a built window. */
export function hasWindow(folder: string | undefined): folder is string {
  if (folder === undefined) return false;
  return statSync(path.join(folder, INDEX), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The file that a path names, from the folder on; undefined when it leads out, by links too, or is none. */
function fileOf(root: string, urlPath: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  if (decoded.split('/').includes('..')) return undefined;
  const candidate = path.join(root, decoded);
  const stats = statSync(candidate, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  const real = realpathSync(candidate);
  return real.startsWith(`${root}${path.sep}`) ? path.relative(root, real) : undefined;
}

function inAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The index page with what it has to know of its address. */
function indexFor(root: string, served: Served): string {
  const content = inAttribute(JSON.stringify(served));
  const meta = `<meta name="${SERVED_META}" content="${content}" />`;
  return readFileSync(path.join(root, INDEX), 'utf8').replace('<head>', () => `<head>${meta}`);
}

export interface WindowFiles {
  /** Folder of the built window. */
  readonly folder: string;
  readonly served: Served;
  /** Answers a method other than GET outside the paths of programs. */
  refuseMethod(): never;
}

/**
 * Serves the built window from a service's own address: a file of the folder, else its index, so
 * that a reload of any place works; missing assets are 404; what programs ask never gets a page
 * (contract/dashboard.md 18).
 */
export function serveWindow(fastify: FastifyInstance, files: WindowFiles): void {
  const root = realpathSync(files.folder);
  void fastify.register(fastifyStatic, { root, serve: false, cacheControl: false });
  const pathOf = (request: FastifyRequest): string => request.originalUrl.split('?')[0] ?? '/';
  const serve = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const urlPath = pathOf(request);
    const isAsset = urlPath.startsWith('/assets/');
    const file = fileOf(root, urlPath);
    void reply.header('cache-control', isAsset ? KEPT_FOREVER : 'no-cache');
    if (file !== undefined && file !== INDEX && (isAsset || !isProgramPath(urlPath))) {
      return reply.sendFile(file);
    }
    if (isAsset) return reply.code(404).type('text/plain; charset=utf-8').send('Not found');
    if (isProgramPath(urlPath)) {
      reply.callNotFound();
      return reply;
    }
    if (!reply.hasHeader('content-security-policy')) {
      void reply.header('content-security-policy', WINDOW_POLICY);
    }
    return reply.type('text/html; charset=utf-8').send(indexFor(root, files.served));
  };
  fastify.get('/*', serve);
  fastify.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    handler: (request, reply) => {
      if (isProgramPath(pathOf(request))) {
        reply.callNotFound();
        return reply;
      }
      void reply.header('allow', 'GET');
      return files.refuseMethod();
    },
  });
}
