import * as formats from '../config/formats.ts';
import { argument } from './settings.ts';

/** Parses an option that is a whole number within a range. */
export function wholeNumber(maximum: number, minimum = 0): (text: string) => number {
  return argument(formats.wholeNumber(minimum, maximum));
}
