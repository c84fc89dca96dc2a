/** Characters in place of those that keyboards have, and places to break a line. They are for pages only. */
import type { Language } from '../languages/languages.ts';
import { wordsOf } from '../languages/words.ts';

const symbols = new Set(
  (
    'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo ' +
    'Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl ' +
    'Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm'
  ).split(' '),
);

/**
 * CO₂ in place of CO2, and a minus sign before temperatures, percentages and ranges. No other formula or negative number is
 * sure to be one in any text: `PC2` may be a part number.
 */
export function typeset(text: string): string {
  return text
    .replaceAll(/\bCO2(?!\d)/g, 'CO₂')
    .replaceAll(/(?<=^|\s)-(?=\d+(?:[.,]\d+)?\s?(?:[°%]|(?:to|bis|à|…|–)\s))/g, '−');
}

/** Subscripts in the chemical formulae of a text that names materials or substances. */
export function withFormulae(text: string): string {
  return text.replaceAll(/(?<![\w.-])(?:[A-Z][a-z]?(?:\d{1,2}(?:\.\d+)?)?){2,}(?![\w-])/g, (token) => {
    const atoms = token.match(/[A-Z][a-z]?/g) ?? [];
    const isFormula = atoms.every((atom, index) => symbols.has(atom) && atom !== atoms[index - 1]);
    return isFormula ? token.replaceAll(/\d/g, (digit) => '₀₁₂₃₄₅₆₇₈₉'.charAt(Number(digit))) : token;
  });
}

/** A minus sign in place of each hyphen before a number. */
export function withMinus(text: string): string {
  return text.replaceAll(/(?<=^|[\s(E])-(?=\d)/g, '−');
}

/** A unit with typographic characters: m², g/cm³, kg CO₂e. */
export function typesetUnit(unit: string): string {
  return typeset(
    unit.replace(/\b([cmdk]?m)([23])\b/g, (_, metre: string, power: string) => metre + (power === '2' ? '²' : '³')),
  );
}

/**
 * Soft hyphens in the long words of a label, and a place to break after a slash between words. The style sheet asks for
 * automatic hyphenation too, but Chrome on Linux and Windows may lack the patterns of a language, and no package with the
 * patterns of all languages is below 9 MB.
 */
export function hyphenated(text: string, language: Language): string {
  const { hyphens } = wordsOf(language);
  return text
    .replaceAll(/\p{L}{10,}/gu, (word) =>
      Object.hasOwn(hyphens, word) ? (hyphens[word] ?? word).replaceAll('|', '\u00ad') : word,
    )
    .replaceAll(/(?<=\p{L}{3})\/(?=\p{L}{3}|…)/gu, '/\u200b');
}
