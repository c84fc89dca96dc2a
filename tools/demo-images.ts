/** Makes the images of the demo's products from their drawings, as `product image set` makes an image from a file. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { encodeImage } from '../server/src/images/encode.ts';

const drawings = new URL('./demo-images/', import.meta.url);
const images = new URL('../server/data/demo_images/', import.meta.url);
const folder = await mkdtemp(join(tmpdir(), 'demo-images-'));
for (const name of await readdir(drawings)) {
  const drawing = new Resvg(await readFile(new URL(name, drawings), 'utf8'), { fitTo: { mode: 'height', value: 480 } });
  const file = join(folder, name.replace('.svg', '.png'));
  await writeFile(file, drawing.render().asPng());
  const { bytes } = await encodeImage(file);
  await writeFile(new URL(name.replace('.svg', '.webp'), images), bytes);
  process.stdout.write(`${name}: ${bytes.length} bytes\n`);
}
await rm(folder, { recursive: true });
