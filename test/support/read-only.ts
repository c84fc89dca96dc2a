import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ending } from './ending.ts';
import { run } from './program.ts';

/** Makes a folder and its files read-only. The mode does not bind root, so root uses a mount. It ends with the test file. */
export async function makeReadOnly(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) {
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o444);
    await chmod(folder, 0o555);
    ending.defer(() => chmod(folder, 0o755));
    return;
  }
  const mounted = await run(`mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`);
  ending.defer(async () => void (await run(`umount ${folder}`)));
  if (mounted.code !== 0) throw new Error(`Run this test as a user that is not root: ${mounted.stderr}`);
}
