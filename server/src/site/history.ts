/** The history of a passport as its page shows it. */
import type { Language } from '../languages/languages.ts';
import { fill, inLanguage } from '../languages/words.ts';
import { changedFields } from '../passports/published-versions.ts';
import { templateAt } from '../templates/catalogue.ts';
import { cutText } from './allowance.ts';
import { documentAddress } from './document.ts';
import type { PublicPassport } from './public-passport.ts';
import { texts } from './texts.ts';
import { presenterOf } from './values.ts';

export interface ShownVersion {
  title: string;
  moment: string;
  hash: string;
  /** Which public fields changed. Absent for the oldest version on the page. */
  change: string | undefined;
  /** The document of the version, without a token. */
  href: string;
}

/** How many changed fields of a version are named. */
const mostFields = 10;
const longestKey = 100;

/** The versions that were public, the latest first. */
export function shownVersions(
  { path, row, history }: PublicPassport,
  language: Language,
  siteUrl: string,
): ShownVersion[] {
  const text = texts[language].history;
  const presenter = presenterOf(language);
  return history.map((version, index) => {
    const before = history[index + 1];
    const labels = new Map(
      templateAt(row.product_group, version.template_version).fields.map(({ key, label }) => [key, label]),
    );
    const name = (key: string): string => {
      const label = labels.get(key);
      return label ? inLanguage(label, language) : cutText(key, longestKey);
    };
    return {
      title: fill(text.version, { version: presenter.number(version.version) }),
      moment: presenter.moment(version.created_at),
      hash: version.content_hash,
      change: before && changeOf(changedFields(before, version).map(name), text),
      href: documentAddress(path, siteUrl, version.version),
    };
  });
}

function changeOf(names: string[], text: (typeof texts)[Language]['history']): string {
  if (names.length === 0) return text.unchanged;
  const named = names.slice(0, mostFields).join(', ');
  const count = names.length - mostFields;
  return fill(text.changed, { fields: count > 0 ? fill(text.others, { fields: named, count }) : named });
}
