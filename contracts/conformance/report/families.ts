/** What the cases of a family are about, and what a client of a provider that fails them suffers. */

const families: Readonly<Record<string, readonly [name: string, impact?: string]>> = {
  paging: ['Paging'],
  search: ['Search'],
  errors: ['Errors'],
  data: ['Written data'],
  form: ['Form'],
  security: ['Security'],
  public: ['Public pages'],
  scans: ['Scan statistics'],
  unusual: ['Correct services'],
  'AUTH-1': ['Requests without a key', 'Anybody can read or change the data of a tenant without its key.'],
  'AUTH-2': ['Malformed keys', 'Something that is not a key opens the data of a tenant.'],
  'AUTH-3': ['Wrong and revoked keys', 'A key that nobody issued, or that was revoked, opens the data of a tenant.'],
  'AUTH-4': ['Key before all other checks', 'Anybody can find out what exists without a key.'],
  'AUTH-5': ['Public pages without a key', 'People who scan a product get an error, or another page than they should.'],
  'AUTH-6': ['Keys in responses', 'The API key ends up in logs and caches.'],
  'CAR-1': ['Data carriers', 'The code on a product leads nowhere, or to another product.'],
  'CLIENT-1': ['Valid requests'],
  'CLIENT-2': ['Rate limits'],
  'CLIENT-3': ['Repeated creations'],
  'CLIENT-4': ['Additions to the API'],
  'CLIENT-5': ['Reading lists'],
  'CLIENT-6': ['Secrecy of the key'],
  'CLIENT-7': ['End of the command'],
  'GEN-1': ['Generated requests', 'A client with unusual, valid values or with a mistake gets a wrong response.'],
  'GS1-1': ['Digital Link resolver', 'The code on a product does not open its passport.'],
  'GS1-2': ['Digital Link syntax', 'The code on a product does not open its passport.'],
  'GS1-3': ['Link types', 'A scanner that follows the GS1 standard does not find the document that it looks for.'],
  'GS1-4': ['GS1 resolver standard', 'A scanner that follows the GS1 standard does not find what it looks for.'],
  'HTTP-1': ['Invalid JSON', 'A body that cannot be read is accepted, or looks like a failure of the service.'],
  'HTTP-2': [
    'Content types',
    'A body of another type is read as JSON, or the client does not learn why it is refused.',
  ],
  'HTTP-3': ['Methods', 'The response does not tell a client that it used a wrong method.'],
  'HTTP-4': ['Unknown paths', 'The response does not tell a client that it used a wrong address.'],
  'HTTP-5': ['Request ids', 'A request cannot be found in the logs of the service.'],
  'HTTP-6': ['Shape of responses', 'A client that reads the response as described fails, or works with wrong values.'],
  'HTTP-7': ['Nothing added to responses', 'Clients come to rely on what no contract describes.'],
  'LINK-1': ['Form of the link', 'A scanner does not read the code as a GS1 Digital Link.'],
  'LINK-2': ['Redirect of the link', 'The code on a product does not open its passport.'],
  'LINK-3': ['Target of the link', 'The code leads people to the page of a stranger, or into a private network.'],
  'LINK-4': ['Page of the link', 'People who scan the code cannot read the passport.'],
  'LINK-5': ['Links for programs', 'Programs that scan the code cannot read the passport.'],
  'LINK-6': ['Product of the link', 'A scan shows the passport of another product.'],
  'LINK-7': ['Values that are not public', 'Anybody can read values that are not public.'],
  'LINK-8': ['Hash of the public values', 'Nobody can tell whether the passport was changed.'],
  'LINK-9': ['Fields of the group'],
  'LEAK-1': ['Access tokens in responses', 'A token that opens hidden values becomes known.'],
  'LEAK-2': ['Data of other tenants in responses', 'A tenant reads the data of another one.'],
  'LEAK-3': ['Inside of the service in errors', 'An error tells an attacker how the service works inside.'],
  'LEAK-4': ['Hidden values on the public side', 'Anybody can read values that are not public.'],
  'PAGE-1': ['Paging', 'A client that relies on the page size reads too few products or too many.'],
  'PAGE-2': ['Bounds of limit and offset', 'A client that relies on the page size reads too few products or too many.'],
  'PAGE-3': [
    'End of a list',
    'A client that reads a list page by page gets products twice, misses others, or never ends.',
  ],
  'PAGE-4': [
    'Whole lists',
    'A client that reads a list page by page gets products twice, misses others, or never ends.',
  ],
  'PAGE-5': ['Lists by status', 'A client takes drafts for active products, or does not find the active ones.'],
  'PASS-1': ['Writing passports', 'A value that the service acknowledged is not there, or another one is lost.'],
  'PASS-2': ['Refused passport values', 'The service acknowledges a wrong write, and its values are not stored.'],
  'PASS-3': ['All or nothing', 'A write that the service refuses changes a part of the passport.'],
  'PASS-4': ['Fields of passport values', 'A value has another source, unit or access level than the client wrote.'],
  'PASS-5': ['Exact passport values', 'The service returns another value than the client wrote.'],
  'PASS-6': ['Versions and hashes', 'Nobody can prove which values a passport had.'],
  'PASS-7': ['Completeness', 'A client activates incomplete passports, or never activates complete ones.'],
  'PASS-8': ['Simultaneous writes', 'If two people save at the same time, the values of one are lost.'],
  'PASS-9': ['Limits of passports', 'A large passport takes the service down, or is lost.'],
  'PROD-1': ['Creating products', 'The service stores another product than the client sent.'],
  'PROD-2': ['GTINs', 'A product has no GTIN or another one, so its code leads nowhere.'],
  'PROD-3': ['Slugs', 'Products share an address: the values of one are written to another.'],
  'PROD-4': ['Names', 'Products without a name appear, or names are cut.'],
  'PROD-5': ['Product groups', 'A product gets no template, so nobody asks for its mandatory values.'],
  'PROD-6': ['Text in products', 'A product has another name than the client sent.'],
  'PROD-7': ['Paths of products', 'A missing product looks like an existing one, or like a failure of the service.'],
  'PROD-8': ['Times', 'A client that reads what changed since yesterday leaves products out.'],
  'PUB-1': ['Public pages', 'Drafts and archived passports are public, or active ones cannot be read.'],
  'PUB-2': ['Values that are not public', 'Anybody can read values that are not public.'],
  'PUB-3': ['Access tokens', 'A token opens more than it should, or does not open what it should.'],
  'PUB-4': ['Safe pages', 'A value that somebody wrote runs as a script in the browser of a reader.'],
  'PUB-5': ['Linked data', 'Programs cannot read or check the JSON-LD document.'],
  'PUB-6': ['Caching of pages', 'Readers see an old passport, or a hidden one from a cache.'],
  'SCAN-1': ['Counting scans', 'The statistics do not show how often passports are read.'],
  'SCAN-2': ['Scan statistics', 'The statistics do not show how often passports are read.'],
  'SRCH-1': ['Search', 'A client does not find a product and creates it again, or changes another one.'],
  'SRCH-2': ['Letters in a search', 'A client does not find a product and creates it again, or changes another one.'],
  'SRCH-3': ['Length of a search', 'A long search looks like a failure of the service.'],
  'TEN-1': ['Products of another tenant', 'A tenant can read or change the products of another one.'],
  'TEN-2': ['Lists of each tenant', 'A tenant sees the products of another one.'],
  'TEN-3': ['Tenants side by side', 'A tenant cannot use a slug or GTIN that another one has.'],
  'TEN-4': ['Members that the server sets', 'A client can set what only the service may set.'],
};

export function familyNameOf(family: string): string {
  return families[family]?.[0] ?? family;
}

/** Of cases that are about something else than the rest of their family. */
const impactsOfCases: Readonly<Record<string, string>> = {
  'LINK-3.end': 'The code on a product does not open its passport.',
  'LINK-3.token': 'A token that opens hidden values becomes known.',
};

export function impactOfCase(id: string, family: string): string | undefined {
  return impactsOfCases[id] ?? families[family]?.[1];
}

/** Cases that fail for the same mistake, whatever they compare. By family or id. */
const mistakes: Readonly<Record<string, string>> = {
  'PAGE-3': 'pages',
  'PAGE-4': 'pages',
  'PAGE-5.draft-pages': 'pages',
  'PAGE-5.active-pages': 'pages',
  'PAGE-5.archived-pages': 'pages',
  'SRCH-1.with-paging': 'pages',
  'PASS-5': 'values',
  'PROD-3': 'slugs',
};

export function mistakeOf(id: string, family: string): string | undefined {
  return mistakes[id] ?? mistakes[family];
}

/** Families whose failures let somebody read or change what is not theirs. */
export const ofSecurity = /^(?:AUTH-[12346]|TEN-[124]|LEAK|LINK-[37]|PUB-[234])/;

/** Families whose failures are mistakes of form: the data is right. */
export const ofForm = /^(?:HTTP|GEN|PUB-[56]|GS1-[34])/;
