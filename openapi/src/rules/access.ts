import type { Schemas } from './types.ts';

/** Who may see a value, the most readers first. */
const levels = ['public', 'restricted', 'authority'] as const satisfies readonly AccessLevel[];

export type AccessLevel = Schemas['PassportValue']['access_level'];

/** Whether a level shows a value to more readers than the template wants. An unknown level does. */
export function isTooPublic(level: string, wanted: AccessLevel): boolean {
  return (levels as readonly string[]).indexOf(level) < levels.indexOf(wanted);
}

/** The roles that an access token can grant. */
export const tokenRoles = ['recycler', 'inspector'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/** The role in which a passport is viewed. Without a valid token it is `consumer`. */
export type ViewRole = 'consumer' | TokenRole;

const visible: Record<ViewRole, readonly AccessLevel[]> = {
  consumer: ['public'],
  recycler: ['public', 'restricted'],
  inspector: ['public', 'restricted', 'authority'],
};

/** The values that a role may see. The server must not reveal that the others exist. */
export function visibleValues<Value extends { access_level: AccessLevel }>(
  values: readonly Value[],
  role: ViewRole,
): Value[] {
  return values.filter((value) => visible[role].includes(value.access_level));
}
