/** The command that runs one case of a run again. */
import { shellWord } from '../report/shell-word.ts';

const droppedOptions = new Set(['--only', '--report', '--seed']);

/**
 * @param parameters of the command that ran, without the program
 * @param seed of the run
 */
export function repeatCommand(parameters: readonly string[], caseId: string, seed: number): string {
  const kept = parameters.filter((parameter, index) => {
    const isValue = droppedOptions.has(parameters[index - 1] ?? '');
    return !isValue && !droppedOptions.has(parameter.replace(/=.*/s, ''));
  });
  const words = [...kept, '--seed', String(seed), '--only', caseId];
  return ['npx @product-passport/contracts', ...words.map(shellWord)].join(' ');
}
