import { startDashboard } from '../dashboard/service.ts';
import { startPlatform } from '../platform/service/service.ts';
import { startStudio } from '../studio/service.ts';
import type { ServiceDoors } from './service-doors.ts';

/** The three services of this program. */
export const serviceDoors: ServiceDoors = {
  platform: startPlatform,
  dashboard: startDashboard,
  studio: startStudio,
};
