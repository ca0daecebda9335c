import { worker } from 'workerpool';
import { SPEC_THREAD_WORK } from './spec-thread-work.ts';

// Entry of a thread that checks large specs.
worker(SPEC_THREAD_WORK);
