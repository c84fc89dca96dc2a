/** Builds a copy of the SDK with an edit, and loads it. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Sdk } from '../../consumer/case.ts';
import { edited } from '../matrix.ts';
import type { SdkMutant } from './mutants.ts';

const source = fileURLToPath(new URL('../../../sdk/src/', import.meta.url));

/** @param edit nothing for the SDK as it is */
export async function loadSdk(edit?: SdkMutant): Promise<Sdk> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './client.ts'; export * from './public.ts';",
      resolveDir: source,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'edit',
        setup({ onLoad }) {
          onLoad({ filter: /sdk\/src\/.*\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8');
            const isEdited = edit !== undefined && path === source + edit.file;
            return { contents: isEdited ? edited(text, edit) : text, loader: 'ts' };
          });
        },
      },
    ],
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('The bundler made no file.');
  return import(`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`);
}
