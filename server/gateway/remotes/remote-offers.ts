import { z } from 'zod';
import { PLATFORM_OFFERS, type PlatformOffer } from '../../contract/gateway/status.ts';
import { listAuditEvents } from '../../contract/platform/audit.ts';
import {
  createRun,
  putEnvironmentPolicy,
  recoverRun,
  rerunRun,
  resumeHumanTask,
} from '../../contract/platform/client-routes.ts';
import { listHumanTasks } from '../../contract/platform/human-tasks.ts';
import {
  diffCheckpoints,
  getReplay,
  getRunItems,
  getTrace,
} from '../../contract/platform/run-reads.ts';
import { cancelRun, continueRun, listRuns } from '../../contract/platform/runs.ts';
import { getCredentialNeeds } from '../../contract/platform/security.ts';
import { listSkills } from '../../contract/platform/skills.ts';
import type { Route } from '../../contract/route.ts';

/** What the window asks of a platform, in words. */
const WANTED: readonly (readonly [Route, PlatformOffer])[] = [
  [createRun, PLATFORM_OFFERS.start],
  [listRuns, PLATFORM_OFFERS.list],
  [cancelRun, PLATFORM_OFFERS.stop],
  [continueRun, PLATFORM_OFFERS.continue],
  [rerunRun, PLATFORM_OFFERS.rerun],
  [recoverRun, PLATFORM_OFFERS.recover],
  [getTrace, PLATFORM_OFFERS.trace],
  [getReplay, PLATFORM_OFFERS.replay],
  [getRunItems, PLATFORM_OFFERS.items],
  [diffCheckpoints, PLATFORM_OFFERS.diff],
  [listHumanTasks, PLATFORM_OFFERS.tasks],
  [resumeHumanTask, PLATFORM_OFFERS.answer],
  [listSkills, PLATFORM_OFFERS.skills],
  [getCredentialNeeds, PLATFORM_OFFERS.needs],
  [putEnvironmentPolicy, PLATFORM_OFFERS.policies],
  [listAuditEvents, PLATFORM_OFFERS.audit],
];

const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** A path without the names of its parameters. */
function shapeOf(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
}

/** What a platform does not offer, by its own description. */
export class Lacks {
  readonly #routes: readonly (readonly [Route, PlatformOffer])[];

  private constructor(routes: readonly (readonly [Route, PlatformOffer])[]) {
    this.#routes = routes;
  }

  /** Reads a description; undefined for what is none. */
  static in(described: unknown): Lacks | undefined {
    const read = document.safeParse(described);
    if (!read.success) return undefined;
    const offered = new Set(
      Object.entries(read.data.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
      ),
    );
    const isOffered = ({ method, path }: Route): boolean =>
      offered.has(`${method} /v1${shapeOf(path)}`) || offered.has(`${method} ${shapeOf(path)}`);
    return new Lacks(WANTED.filter(([route]) => !isOffered(route)));
  }

  /** In words, in the order of the table. */
  get words(): readonly PlatformOffer[] {
    return this.#routes.map(([, words]) => words);
  }

  /** True for a request that the platform could only answer with "no such address". */
  covers(method: string, target: string): boolean {
    const segments = (target.split('?')[0] ?? '').split('/');
    return this.#routes.some(([route]) => {
      const wanted = `/v1${route.path}`.split('/');
      return (
        route.method === method &&
        wanted.length === segments.length &&
        wanted.every((part, index) => part.startsWith('{') || part === segments[index])
      );
    });
  }
}
