import * as formats from '../config/formats.ts';
import { argument } from './settings.ts';

/** Parses an option that is a whole number from 0 to a maximum. */
export function wholeNumber(maximum: number): (text: string) => number {
  return argument(formats.wholeNumber(0, maximum));
}
