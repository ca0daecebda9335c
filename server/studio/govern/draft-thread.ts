import { worker } from 'workerpool';
import { DRAFT_WORK } from './draft-work.ts';

// Entry of the draft thread.
worker(DRAFT_WORK);
