import { documentOf, type Schemas } from '@product-passport/openapi';
import { inLanguage } from '../languages/words.ts';
import { templateAt } from '../templates/catalogue.ts';
import { shownImage } from './image.ts';
import type { PublicPassport } from './public-passport.ts';

/**
 * The passport as JSON-LD.
 *
 * @param labels the language of the labels
 * @param address of the document: that of an older version has its number
 */
export function passportDocument(
  passport: PublicPassport,
  siteUrl: string,
  labels: string,
  address?: string,
): Schemas['PassportDocument'] {
  const { path, row } = passport;
  const { fields, properties } = templateAt(row.product_group, row.template_version);
  const known = new Map(fields.map(({ key, label }) => [key, inLanguage(label, labels)]));
  return documentOf(passport, { siteUrl, labels: known, properties, image: shownImage(path, row)?.path, address });
}
