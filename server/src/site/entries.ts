import { type PassportValue, typeset } from '@product-passport/openapi';
import type { Language } from '../languages/languages.ts';
import { inLanguage, texts } from '../languages/words.ts';
import type { Template } from '../templates/catalogue.ts';
import type { Findings, Origin } from './inspection.ts';
import { type Picture, pictureOf } from './pictures.ts';
import type { PublicPassport } from './public-passport.ts';
import { pageBudget, presenterOf, type ShownValue } from './values.ts';

/** A value with its label, as a page shows it. */
export interface Entry {
  /** The `field_key` of the value. */
  key: string;
  label: string;
  value: ShownValue;
  /** Drawn above the value. The text of the value says the same. */
  picture: Picture | undefined;
  /** The language of the value's texts if it differs from the page's. */
  language: string | undefined;
  /** The audience of a value that is not public. */
  level: string | undefined;
  /** The page shows only a part of the value. */
  isShortened: boolean;
  /** What the field means, where its label does not say it. */
  meaning: string | undefined;
  /** Only for inspectors: what differs from the other values. */
  origin: Origin | undefined;
  /** Whether the inspector's first screen names the value. */
  hasFinding: boolean;
  /** The `id` of the value on an inspector's page. */
  anchor: string | undefined;
}

/** An entry and the section of the template that it belongs to. */
export interface PlacedEntry extends Entry {
  section: string | undefined;
}

/** The values in the order of the template. Values that the template does not have come last. */
export function entriesOf(
  { values }: PublicPassport,
  { fields }: Template,
  language: Language,
  findings: Findings | undefined,
): PlacedEntry[] {
  const text = texts[language];
  const presenter = presenterOf(language);
  const places = new Map(fields.map((field, index) => [field.key, { field, index }]));
  const budget = { ...pageBudget };
  return values
    .map((value) => ({ value, ...(places.get(value.field_key) ?? { field: undefined, index: fields.length }) }))
    .sort((a, b) => a.index - b.index)
    .map(({ value, field }) => {
      const shown = presenter.entry(value, field, budget);
      return {
        key: value.field_key,
        section: field?.section,
        ...shown,
        picture: value.is_unknown ? undefined : pictureOf(value, field, shown.value),
        language: foreign(value, language),
        level: value.access_level === 'public' ? undefined : text.levels[value.access_level],
        meaning: field?.meaning && typeset(inLanguage(field.meaning, language)),
        ...(findings?.of(value) ?? { origin: undefined, hasFinding: false, anchor: undefined }),
      };
    });
}

/** The language of a value, unless it is the page's. */
export function foreign({ locale }: PassportValue, language: Language): string | undefined {
  return locale === language ? undefined : locale;
}

/**
 * Computes the hash of the public values from a document, and compares it with the one in the document. The form of
 * RFC 8785 for what JSON.parse returns: members in the order of UTF-16 code units, everything else as JSON.stringify has it.
 */
const check = [
  'const j=v=>v&&typeof v=="object"?Array.isArray(v)?"["+v.map(j)+"]":"{"+Object.keys(v).sort().map(k=>JSON.stringify(k)+":"+j(v[k]))+"}":JSON.stringify(v)',
  'fetch(process.argv[1]).then(r=>r.json()).then(d=>{const h=require("crypto").createHash("sha256").update(j(d.additionalProperty.filter(p=>p["dpp:accessLevel"]=="public").map(p=>({field_key:p.propertyID,is_unknown:p["dpp:isUnknown"]??false,locale:p["dpp:locale"],unit:p.unitText??null,value:p.value?.["@type"]=="@json"?p.value["@value"]:p.value??null})))).digest("hex")',
  'console.log(h==d.hasDigitalProductPassport["dpp:publicContentHash"]?"OK":"DIFFERENT",h)})',
].join(';');

/** A command in one line for any POSIX shell that checks the public hash of a document. It needs only Node.js. */
export function checkCommand(document: string): string {
  return `node -e '${check}' '${document.replaceAll("'", '%27')}'`;
}
