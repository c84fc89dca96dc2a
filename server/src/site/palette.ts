/** The two shades of a tenant's colour that its pages use, by the contrast of WCAG 2.2. */

type Rgb = readonly number[];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The lightest ground in the dark theme: `--tint`. */
const darkGround: Rgb = [0x1c, 0x26, 0x23];

/** With it, quiet text has a contrast of 4.5 on the lightest parts of the band, and charts one of 3. */
const leastToWhite = 7.8;
const leastToDark = 7;

/**
 * `shade` is for the band in both themes, and for headings and links on light cards; `light` for those on dark cards.
 *
 * @param color `#rrggbb`, of which a shade with enough contrast may differ
 */
export function toneOf(color: string): { shade: string; light: string } {
  const given = rgbOf(color);
  return {
    shade: hexOf(mixedUntil(given, black, (rgb) => contrast(rgb, white) >= leastToWhite)),
    light: hexOf(mixedUntil(given, white, (rgb) => contrast(rgb, darkGround) >= leastToDark)),
  };
}

/** The contrast of white text on a colour, from 1 to 21. */
export function contrastToWhite(color: string): number {
  return contrast(rgbOf(color), white);
}

/** The style that a page has in itself, as a file of its own would be one more request; none without a colour. */
export function toneStyleOf(color: string | null): string {
  if (color === null) return '';
  const { shade, light } = toneOf(color);
  return `.tone{--d:${shade};--l:${light}}`;
}

/** Mixes a colour with another one, in steps of a hundredth, until it fits. */
function mixedUntil(color: Rgb, other: Rgb, fits: (mixed: Rgb) => boolean): Rgb {
  for (let share = 0; share < 100; share += 1) {
    const mixed = color.map((part, index) => Math.round((part * (100 - share) + Number(other[index]) * share) / 100));
    if (fits(mixed)) return mixed;
  }
  return other;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rgbOf(color: string): Rgb {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

function hexOf(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
