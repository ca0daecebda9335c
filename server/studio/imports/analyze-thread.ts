import { worker } from 'workerpool';
import { analyzeTogether, convertTogether } from './analyze-together.ts';

// Entry of an import thread.
worker({ analyzeTogether, convertTogether });
