import type { Color } from '../tenants/rules.ts';

/**
 * The colours of tenants' pages. `shade` is dark: the band and the hero in both themes, headings and links on light
 * cards. `light` is for headings and links on dark cards. `test/site/palette.test.ts` computes every contrast.
 */
export const palette: Readonly<Record<Color, { shade: string; light: string }>> = {
  green: { shade: '#14532d', light: '#86d39b' },
  teal: { shade: '#0b4f55', light: '#7fd3d8' },
  blue: { shade: '#12467e', light: '#93bdf5' },
  navy: { shade: '#1e2f66', light: '#a9b8f2' },
  indigo: { shade: '#3b2f87', light: '#b9b0f7' },
  violet: { shade: '#562c7e', light: '#cdaaf2' },
  plum: { shade: '#6d2259', light: '#eba6d5' },
  red: { shade: '#7f1d24', light: '#f5a9a6' },
  rust: { shade: '#78350f', light: '#f0b184' },
  brown: { shade: '#52392a', light: '#d9b89f' },
  olive: { shade: '#46490f', light: '#cdd07e' },
  slate: { shade: '#334155', light: '#b3c0d1' },
};

/** The rules of the colours. A page names its colour as a class of its body. */
export const paletteStyle = Object.entries(palette)
  .map(([color, { shade, light }]) => `.${color}{--d:${shade};--l:${light}}`)
  .join('');
