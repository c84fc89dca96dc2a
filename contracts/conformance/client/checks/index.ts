import type { ClientCheck } from '../check.ts';
import { creations } from './creations.ts';
import { ending } from './ending.ts';
import { growth } from './growth.ts';
import { limits } from './limits.ts';
import { pages } from './pages.ts';
import { requests } from './requests.ts';
import { secrecy } from './secrecy.ts';

export const checks: readonly ClientCheck[] = [
  ...requests,
  ...limits,
  ...creations,
  ...growth,
  ...pages,
  ...secrecy,
  ...ending,
];
