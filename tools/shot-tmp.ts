import { launchBrowser } from '../test/support/tools.ts';

const [address = '', out = '', width = '360', height = '640', full = ''] = process.argv.slice(2);
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) } });
for (const [i, one] of address.split('|').entries()) {
  await page.goto(one);
  if (full === 'open')
    await page.evaluate(() => {
      for (const d of document.querySelectorAll('details')) d.open = true;
    });
  await page.screenshot({ path: `${out}-${i}.png`, fullPage: full !== '' });
}
await browser.close();
