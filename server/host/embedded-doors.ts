import { startDashboard } from '../dashboard/service.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import type { ServiceDoors } from './service-doors.ts';

function absent(name: string): never {
  throw new StartRefusal(`The ${name} is not part of this build.`);
}

/** The three services of this program. */
export const serviceDoors: ServiceDoors = {
  platform: async () => absent('run platform'),
  dashboard: startDashboard,
  studio: async () => absent('authoring studio'),
};
