/** The colours that a tenant's pages can have. `site/palette.ts` has their values. */
export const colors = [
  'green',
  'teal',
  'blue',
  'navy',
  'indigo',
  'violet',
  'plum',
  'red',
  'rust',
  'brown',
  'olive',
  'slate',
] as const;

export type Color = (typeof colors)[number];

/** The form of a tenant's slug. */
export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
