import * as contract from '../../contract/dashboard/annotations.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import {
  createAnnotation,
  deleteAnnotation,
  listAnnotations,
  listTagged,
  updateAnnotation,
} from './annotations.ts';

/** Binds the notes on runs. */
export function registerAnnotationRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.listAnnotations, ({ params }) => listAnnotations(deps, params.run_id));
  app.implement(contract.listTaggedAnnotations, ({ query }, { principal, signal }) =>
    listTagged(deps, principal, query, signal),
  );
  app.implement(contract.createAnnotation, ({ params, body }, { principal }) =>
    createAnnotation(deps, principal, params.run_id, body),
  );
  app.implement(contract.updateAnnotation, ({ params, body }) =>
    updateAnnotation(deps, params.annotation_id, body),
  );
  app.implement(contract.deleteAnnotation, async ({ params, query }) => {
    await deleteAnnotation(deps, params.annotation_id, query.version);
    return undefined;
  });
}
