import type { FastifyInstance } from 'fastify';
import { revokeFolderBody, type TrustedFolderView } from '../contract/gateway/trusted-folders.ts';
import { refuseAtGateway } from './gateway-errors.ts';

/** The folders that whoever started the program trusts. Trust is given where a project is shown. */
export interface TrustedFolderDesk {
  list(): readonly TrustedFolderView[];
  remove(folder: string): boolean;
}

/** Lists the trusted folders and takes trust back. */
export function registerTrustedFolderRoutes(app: FastifyInstance, desk: TrustedFolderDesk): void {
  const path = '/gateway/trusted-folders';
  app.get(path, () => ({ folders: desk.list() }));
  app.post(`${path}/revoke`, (request) => {
    const body = revokeFolderBody.safeParse(request.body);
    if (!body.success) throw refuseAtGateway('request_invalid');
    desk.remove(body.data.folder);
    return { folders: desk.list() };
  });
}
