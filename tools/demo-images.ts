/** Makes the images of the demo's products from `demo-images.svg`, as `product image set` makes an image from a file. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { encodeImage } from '../server/src/images/encode.ts';

const sheet = await readFile(new URL('demo-images.svg', import.meta.url), 'utf8');
const folder = await mkdtemp(join(tmpdir(), 'demo-images-'));
for (const [, name = '', viewBox = '', drawing = ''] of sheet.matchAll(
  /<svg id="([^"]+)" [^>]*viewBox="([^"]+)">(.*?)<\/svg>/gs,
)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${drawing}</svg>`;
  const file = join(folder, `${name}.png`);
  await writeFile(file, new Resvg(svg, { fitTo: { mode: 'height', value: 480 } }).render().asPng());
  const { bytes } = await encodeImage(file);
  await writeFile(new URL(`../server/data/demo_images/${name}.webp`, import.meta.url), bytes);
  process.stdout.write(`${name}: ${bytes.length} bytes\n`);
}
await rm(folder, { recursive: true });
