/** What a response shows that its caller may not have. Only this is a finding of security. */

/** With what it means for the owner of the data. */
export const exposures = {
  'data without a key': 'Anybody can read the data of a tenant without its key.',
  'change without a key': 'Anybody can change the data of a tenant without its key.',
  'data with a misplaced key': 'A key works in a form or a place that proxies log.',
  'data of another tenant': 'A tenant can read the data of another one.',
  'change of another tenant': 'A tenant can change the data of another one.',
  'hidden value': 'Anybody can read values that are not public.',
  secret: 'A key or an access token becomes known to everybody who sees the response.',
  'inside of the service': 'An error tells an attacker how the service works inside.',
  script: 'A value that somebody wrote runs as a script in the browser of a reader.',
} as const;
export type Exposure = keyof typeof exposures;
