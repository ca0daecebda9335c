// Set-up of each file of the vitest project `postgres`: its services keep their state in the run's server.
import { inject } from 'vitest';

process.env['SPECWRIGHT_TEST_POSTGRES'] = JSON.stringify(inject('postgres'));
