/** The contrast of every colour that a tenant can choose, in both themes, from the stylesheet that browsers get. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { contrastToWhite, toneOf } from '../../../server/src/site/palette.ts';
import { baseStyle } from '../../../server/src/site/rendering.ts';
import { colors } from '../../../server/src/tenants/store.ts';

type Rgb = readonly [number, number, number];

/** The custom properties of the first rule for a selector, after a place in the stylesheet. */
function properties(style: string, from: string, selector: string): Record<string, string> {
  const start = style.indexOf(`${selector} {`, style.indexOf(from));
  const rule = style.slice(start, style.indexOf('}', start));
  return Object.fromEntries([...rule.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]));
}

const light = properties(baseStyle, ':root', ':root');
const dark = { ...light, ...properties(baseStyle, '(prefers-color-scheme: dark)', ':root') };
const hero = properties(baseStyle, '.hero', '.hero');
const brand = readFileSync(new URL('../../../server/src/site/views/brand.css', import.meta.url), 'utf8');
const tone = properties(brand, '@media screen', '.tone');
const toneAtNight = { ...tone, ...properties(brand, '(prefers-color-scheme: dark)', '.tone') };
const toneOfHero = { ...hero, ...properties(brand, '@media screen', '.tone .hero') };

/** A colour over a ground: `#abc`, `#aabbcc`, `#aabbccdd`, or a mixture of two. */
function over(colour: string, ground: Rgb): Rgb {
  const [, first = '', percent, second = ''] = /^color-mix\(in srgb, (\S+) (\d+)%, (\S+)\)$/.exec(colour) ?? [];
  if (percent !== undefined) {
    const [one, other] = [over(first, ground), over(second, ground)];
    return one.map(
      (part, index) => (part * Number(percent) + Number(other[index]) * (100 - Number(percent))) / 100,
    ) as unknown as Rgb;
  }
  const digits = colour.slice(1);
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  const mixed = [red, green, blue].map((part, index) => (part * alpha + Number(ground[index]) * (255 - alpha)) / 255);
  return mixed as unknown as Rgb;
}

const solid = (colour: string): Rgb => over(colour, [0, 0, 0]);

/** WCAG 2.2. */
function luminance(colour: Rgb): number {
  return colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * Number([0.2126, 0.7152, 0.0722][index]), 0);
}

function contrast(colour: string, ground: Rgb): number {
  const [low = 0, high = 0] = [over(colour, ground), ground].map(luminance).sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}

test('a colour with enough contrast stays, and another one becomes darker', () => {
  for (const color of Object.values(colors)) expect(toneOf(color).shade).toBe(color);
  expect(contrastToWhite('#ffcc00')).toBeCloseTo(contrast('#ffcc00', solid('#fff')), 5);
  expect(toneOf('#ffcc00')).toEqual({ shade: '#635000', light: '#ffcc00' });
  expect(toneOf('#000000').light).not.toBe('#000000');
});

/** Twelve named colours, and a grid of every kind of colour that a brand can have. */
const steps = ['00', '33', '66', '99', 'cc', 'ff'];
const grid = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));

test.each([...Object.values(colors), ...grid])('%s can be read in both themes', (color) => {
  for (const [theme, root, own] of [
    ['light', light, tone],
    ['dark', dark, toneAtNight],
  ] as const) {
    const { shade, light: tint } = toneOf(color);
    const value = (name: string): string => {
      const written = own[name] ?? root[name] ?? '';
      return written.replace('var(--d)', shade).replace('var(--l)', tint);
    };
    const band = solid(value('hero'));
    // Lines of the pattern, tiles and the chosen language lighten the band.
    const grounds = [band, ...['#ffffff12', '#ffffff17', '#ffffff24'].map((layer) => over(layer, band))];
    const texts = [
      ...grounds.flatMap((ground) => ['hero-ink', 'hero-quiet'].map((name) => contrast(value(name), ground))),
      ...['paper', 'card', 'tint'].map((name) => contrast(value('accent'), solid(value(name)))),
      ...['ink', 'quiet'].map((name) => contrast(root[name] ?? '', solid(value('tint')))),
      contrast(root.card ?? '', solid(value('accent'))),
    ];
    expect([theme, Math.min(...texts) >= 4.5]).toEqual([theme, true]);
    const parts = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'].map((name) =>
      contrast(toneOfHero[name] ?? '', over('#ffffff17', band)),
    );
    const bar = ['card', 'track'].map((name) => contrast(value('c0'), solid(value(name))));
    const lines = [...parts, ...bar, contrast(value('ring'), band)];
    expect([theme, Math.min(...lines) >= 3]).toEqual([theme, true]);
  }
});
