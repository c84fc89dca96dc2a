/** The text files that commands read. */
import { readFileSync, statSync } from 'node:fs';
import { textOfFile, UnreadableText } from '@product-passport/openapi';
import { UsageError, unreadable } from '../usage-error.ts';

/**
 * @param file `-` for standard input
 * @param check receives the size of a file before it is read
 * @throws UsageError if it cannot be read
 */
export function textOf(file: string, check: (bytes: number) => void = () => {}): string {
  try {
    if (file !== '-') check(statSync(file).size);
    return textOfFile(readFileSync(file === '-' ? 0 : file), file === '-' ? 'Standard input' : file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw error instanceof UnreadableText ? new UsageError(error.message) : unreadable(file, error);
  }
}
