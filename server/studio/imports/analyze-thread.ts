import { worker } from 'workerpool';
import { ANALYSIS_WORK } from './analyze-together.ts';

// Entry of an import thread.
worker(ANALYSIS_WORK);
