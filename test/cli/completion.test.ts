/** The completion script in a real bash: what it offers after each line. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createProgram } from '../../server/src/cli/program.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { run } from '../support/program.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'completion-'));
  ending.defer(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'bash'), (await runHere('product-passport completion bash')).stdout);
  await writeFile(join(folder, 'shop.sqlite'), '');
});

/** Runs the function as bash does when a person presses TAB at the end of these words. The last one is unfinished. */
async function offered(...words: string[]): Promise<string[]> {
  const typed = ['product-passport', ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const script = `set -u; cd ${folder}; source ./bash; complete -p product-passport >/dev/null || exit 9
    COMP_WORDS=(${typed.join(' ')}); COMP_CWORD=${words.length}; COMPREPLY=(); _product_passport; printf '%s\\n' "\${COMPREPLY[@]:-}"`;
  const { code, stdout, stderr } = await run(script);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  test('offers every command of the program, and its options', async () => {
    const program = createProgram();
    const help = program.createHelp();
    const names = help.visibleCommands(program).map((command) => command.name());
    expect((await offered('')).sort()).toEqual(names.sort());
    const serve = program.commands.find((command) => command.name() === 'serve');
    const options = help.visibleOptions(serve ?? program).map(({ long }) => long);
    expect((await offered('serve', '--')).sort()).toEqual(options.sort());
  });

  test.each([
    [['ten'], ['tenant']],
    [['tenant', 'cr'], ['create']],
    [['product', 'activate', 'a-slug', '--all'], ['--all-complete']],
    [
      ['product', 'list', '--status', 'a'],
      ['active', 'archived'],
    ],
    [['product', 'list', '--tenant', ''], []],
    [['product', 'list', '--tenant', 'activate', '--status', 'd'], ['draft']],
    [['registry', 'set', 'a-slug', 'reg'], ['registered']],
    [['tenant', 'list', '--database', 's'], ['shop.sqlite']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['help', 'x'], []],
    // Nothing that was typed is run.
    [['tenant', '$(touch ran)', '`touch ran`', '--data'], []],
    [['tenant', 'list', '$(touch ran)', '--data'], ['--database']],
  ])('after %j offers %j', async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
    expect(await offered('tenant', 'list', '--database', 'r')).toEqual([]);
  });

  test('the script may be read twice', async () => {
    const { code, stderr } = await run(`cd ${folder}; source ./bash; source ./bash`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

test.each(['zsh', 'fish'])('the script for %s names every command', async (shell) => {
  const { code, stdout } = await runHere(`product-passport completion ${shell}`);
  expect(code).toBe(0);
  for (const { commands } of [createProgram()]) {
    for (const command of commands) expect(stdout).toContain(command.name());
  }
});

test('another shell is refused', async () => {
  expect(await runHere('product-passport completion tcsh')).toMatchObject({ code: 2, stdout: '' });
});
