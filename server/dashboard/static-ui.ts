import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from './refusals.ts';
import { isApiPath, pathOf } from './request-guard.ts';

/** True when the folder holds a built UI. */
export function hasUi(folder: string | undefined): folder is string {
  if (folder === undefined) return false;
  return statSync(path.join(folder, 'index.html'), { throwIfNoEntry: false })?.isFile() ?? false;
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

/**
 * Serves the built UI from the same origin: a file of the folder, else its index for deep links;
 * missing assets are 404; the API's paths never fall through (contract/dashboard.md 18).
 */
export function registerStaticUi(fastify: FastifyInstance, folder: string): void {
  const root = realpathSync(folder);
  void fastify.register(fastifyStatic, { root, serve: false, cacheControl: false });
  const serve = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const urlPath = pathOf(request);
    if (isApiPath(urlPath)) {
      reply.callNotFound();
      return reply;
    }
    const file = fileOf(root, urlPath);
    if (file !== undefined) return reply.sendFile(file);
    if (urlPath.startsWith('/assets/')) {
      return reply.code(404).type('text/plain; charset=utf-8').send('Not found');
    }
    return reply.sendFile('index.html');
  };
  fastify.get('/*', (request, reply) => serve(request, reply));
  fastify.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    handler: (request, reply) => {
      if (isApiPath(pathOf(request))) {
        reply.callNotFound();
        return reply;
      }
      void reply.header('allow', 'GET');
      throw refuse('method_not_allowed');
    },
  });
}
