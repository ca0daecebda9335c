import { worker } from 'workerpool';
import { analyzeTogether } from './analyze-together.ts';

// Entry of an import thread.
worker({ analyzeTogether });
