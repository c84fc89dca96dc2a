import type { PublishedRow } from '../passports/store.ts';
import { defaultLocale } from '../tenants/rules.ts';
import type { PassportPath } from './public-passport.ts';

/** The image of a product as its page shows it. */
export interface ShownImage {
  /** The path of its address. */
  path: string;
  width: number;
  height: number;
  alt: string;
  /** The language of `alt`. */
  language: string;
}

export function shownImage({ tenant, product }: PassportPath, row: PublishedRow): ShownImage | undefined {
  const { image_hash, image_width: width, image_height: height } = row;
  if (image_hash === null || width === null || height === null) return undefined;
  return {
    path: `/p/${tenant}/${product}/image/${imageFile(image_hash)}`,
    width,
    height,
    alt: row.image_alt ?? row.name,
    language: defaultLocale(row.country),
  };
}

/** The last part of an image's address. It changes with the image, so that browsers keep each for ever. */
export function imageFile(sha256: string): string {
  return `${sha256.slice(0, 16)}.webp`;
}
