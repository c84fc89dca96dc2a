/** Small disks of their own for the database, and what they can do. Only root may mount them. */
import { execFile } from 'node:child_process';
import { open, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

type Defer = (undo: () => Promise<void>) => void;

/**
 * Mounts a small disk in a folder, if this user may.
 *
 * @param isFile the disk is a file with ext4, where that is possible. Otherwise it is memory, which is quicker.
 */
export async function smallDisk(
  folder: string,
  { megabytes, isFile }: { megabytes: number; isFile: boolean },
  defer: Defer,
): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const mounted = (isFile && (await mountFile(folder, megabytes, defer))) || (await mountMemory(folder, megabytes));
  if (mounted) defer(async () => void (await execute('umount', ['-l', folder])));
  return mounted;
}

async function mountFile(folder: string, megabytes: number, defer: Defer): Promise<boolean> {
  const image = `${folder}.img`;
  try {
    defer(() => rm(image, { force: true }));
    await writeFile(image, '');
    await truncate(image, megabytes * 1024 * 1024);
    // Without a reserve for root.
    await execute('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
    await execute('mount', ['-o', 'loop', image, folder]);
    await execute('chmod', ['1777', folder]);
    return true;
  } catch {
    return false;
  }
}

async function mountMemory(folder: string, megabytes: number): Promise<boolean> {
  try {
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', folder]);
    return true;
  } catch {
    return false;
  }
}

/** Makes files immutable, also for a process that has them open. tmpfs would let that process write. */
export async function lockFiles(files: readonly string[]): Promise<void> {
  await execute('chattr', ['+i', ...files]);
}

export async function unlockFiles(files: readonly string[]): Promise<void> {
  await execute('chattr', ['-i', ...files]);
}

/** Whether `lockFiles` stops writes to an open file of the folder. */
export async function canLock(folder: string): Promise<boolean> {
  const path = join(folder, 'probe');
  const file = await open(path, 'w');
  try {
    await lockFiles([path]);
    const isLocked = await file.write('x').then(
      () => false,
      ({ code }) => code === 'EPERM',
    );
    await unlockFiles([path]);
    return isLocked;
  } catch {
    return false;
  } finally {
    await file.close();
    await rm(path);
  }
}
