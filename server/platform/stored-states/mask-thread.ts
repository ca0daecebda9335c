import { worker } from 'workerpool';
import { maskLeft } from './mask-run.ts';

// Entry of a thread that masks what large runs left.

worker({ mask: maskLeft });
