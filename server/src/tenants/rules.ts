/** Colours that the command line accepts by name. */
export const colors = {
  green: '#14532d',
  teal: '#0b4f55',
  blue: '#12467e',
  navy: '#1e2f66',
  indigo: '#3b2f87',
  violet: '#562c7e',
  plum: '#6d2259',
  red: '#7f1d24',
  rust: '#78350f',
  brown: '#52392a',
  olive: '#46490f',
  slate: '#334155',
} as const;

/** The form of a tenant's slug. */
export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Characters of an address. */
const maxAddressLength = 500;

/** Whether a page can link to an address: https, a host with a dot, no password. The server never fetches it. */
export function isPageAddress(text: string): boolean {
  if (text.length > maxAddressLength || !/^https:\/\/[!-;=?-~]+$/.test(text)) return false;
  const { hostname, username, password } = URL.parse(text) ?? { hostname: '', username: '', password: '' };
  return /^[^.]+(?:\.[^.]+)+$/.test(hostname) && username === '' && password === '' && !/["'`\\]/.test(text);
}
