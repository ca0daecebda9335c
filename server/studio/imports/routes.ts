import { importSource as importRoute, listImportSources } from '../../contract/studio/imports.ts';
import { IMPORT_SOURCES } from '../../importers/import-sources.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { importSource } from './import-source.ts';

export function registerImportRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(listImportSources, () => ({ sources: [...IMPORT_SOURCES] }));
  app.implement(importRoute, ({ params, body }, context) =>
    importSource(deps, memberOf(context), {
      source: params.source,
      raw: body.raw,
      alias: body.alias,
      source_name: body.source_name,
      conversion: body.conversion,
      related: body.related ?? [],
      idempotencyKey: context.headers['idempotency-key'],
    }),
  );
}
