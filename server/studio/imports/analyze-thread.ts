import { worker } from 'workerpool';
import { analyze } from '../../importers/analyze.ts';

// Entry of an import thread.
worker({ analyze });
