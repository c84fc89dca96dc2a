/** Providers that keep the description, and do what it leaves free in an unusual way. The suite must accept them. */
import type { Unusual } from './mutant.ts';
import { unusualBehaviour } from './unusual-behaviour.ts';
import { unusualRepresentation } from './unusual-representation.ts';

export const unusual: readonly Unusual[] = [...unusualRepresentation, ...unusualBehaviour];
