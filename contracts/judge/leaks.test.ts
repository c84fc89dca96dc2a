import { expect, test } from '@jest/globals';
import { shown } from './finding.ts';
import { type Leak, leaksIn, textsIn } from './leaks.ts';

const kinds = (text: string) => leaksIn(text).map(({ kind }) => kind);

const leaking: Readonly<Record<Leak['kind'], readonly string[]>> = {
  'stack trace': [
    // JavaScript, with and without a function, and inside Node.
    'Error: no\n    at getProduct (handlers.js:12:7)',
    'Error: no\n    at handlers.ts:12:7',
    'at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    // Java, Python, Go, PHP, .NET, Ruby, Rust, and a page.
    'java.lang.NullPointerException\n\tat com.acme.Products.find(Products.java:41)',
    '\tat jdk.internal.reflect.Method.invoke0(Native Method)',
    'Traceback (most recent call last):\n  File "app.py", line 7, in find',
    'panic: nil map\n\ngoroutine 17 [running]:\nmain.find(0x0)',
    '#0 index.php(12): Products->find()',
    '   at Acme.Products.Find(String slug) in Products.cs:line 41',
    "products.rb:12:in `find'",
    "thread 'main' panicked at src.rs:4:9",
    'Error: no<br> &nbsp; &nbsp;at getProduct (handlers.js:12:7)<br>',
  ],
  'file path': [
    'cannot open /var/lib/passports/db.sqlite',
    "ENOENT: no such file, open '/home/deploy/app/config.json'",
    'in /usr/src/app/products.rb',
    'failed to read /app/dist/products.js',
    'see /Users/anna/passports/server.ts',
    'C:\\inetpub\\wwwroot\\products.aspx',
    'file:///srv/passports/products.js',
    'cannot find module node_modules/knex',
    'lib/python3.12/site-packages/flask',
    '(/etc/passports.conf)',
  ],
  SQL: [
    "select * from `products` where `slug` = 'a'",
    'select "id", "name" from "products" where "slug" = $1',
    'SELECT id FROM products WHERE slug = ?',
    'insert into "products" ("id", "name") values ($1, $2)',
    'INSERT INTO products (id) VALUES (1)',
    'update `products` set `name` = ?',
    'UPDATE products SET name = ?',
    'delete from "products" where "id" = 1',
    'SQLITE_CONSTRAINT: UNIQUE constraint failed: products.slug',
    'SQLSTATE[42S02]: Base table or view not found',
    'ORA-00942: table or view does not exist',
    'duplicate key value violates unique constraint "products_slug"',
    'relation "products" does not exist',
    'You have an error in your SQL syntax',
    'syntax error at or near "FROM"',
    'no such table: products',
  ],
};

test.each(Object.entries(leaking).flatMap(([kind, texts]) => texts.map((text) => [kind, text])))(
  'a %s is found in %j',
  (kind, text) => {
    expect(kinds(text)).toEqual([kind]);
  },
);

test.each([
  'This path does not exist. Did you mean /api/v1/products/{slug}? /docs lists the paths of the API.',
  'limit must be a whole number.',
  '[2].unit must have at most 50 characters.',
  'Select a template from the list.',
  'Please select one of the values from our catalogue where it fits.',
  'Update your products, then set a name.',
  'You can delete from the list where the product stands.',
  'Insert into the slot (left side) and check the values.',
  'Product "SELECT 500" from Bosch does not exist.',
  'Not found at 10:30:15 (UTC).',
  'The product at Hamburg (Hafen:12) does not exist.',
  'Cannot GET /api/v1/products/usb-c-kabel-240-w-2-m',
  'Cannot GET /app.js',
  'No product ../../../etc/passwd',
  'See https://passport.example.com/home/help/errors.html',
  'Documentation: https://example.com/app/docs/errors.js and //cdn.example.com/var/x',
  'Use and/or, 1/2 or 24/7; see 01/09520001000072.',
  'Open /home or /app in the menu.',
  'gtin must match ^[0-9]{8}$ (C: drive label A:\\)',
  '<a href="/home/index/start.html">Home</a><script src="/app/dist/main.js"></script><img src=\'/var/a/b.png\'>',
  '<p>Error code #0 (12): please try again at 9:15.</p>',
  'Größe 38/40, 50 % Wolle; -- drop shoulder',
  '',
])('no leak is found in %j', (text) => {
  expect(leaksIn(text)).toEqual([]);
});

test('a leak names the text, cut to one line', () => {
  expect(leaksIn('Oops: no such table: products\nand more')).toEqual([
    { kind: 'SQL', text: 'no such table: products' },
  ]);
});

test('every kind is found once', () => {
  const text = 'select * from `a`\nselect * from `b`\n    at x (/srv/app/a.js:1:2)\n    at y (/srv/app/b.js:1:2)';
  expect(kinds(text)).toEqual(['stack trace', 'file path', 'SQL']);
});

test.each(['/app/a/', 'at ', ' ', '\n', 'select ', 'insert into a (', '\n at x', '#1 ', 'a.rb/', 'href="'])(
  'a megabyte of %j ends in time',
  (part) => {
    expect(() => leaksIn(part.repeat(1_000_000 / part.length))).not.toThrow();
  },
  20_000,
);

test.each([
  [99_989, 'SQLITE_BUSY'],
  [99_990, 'SQLITE_BUS'],
])('only the first 100,000 characters are searched: %d before the leak', (before, text) => {
  expect(leaksIn(`${' '.repeat(before)}SQLITE_BUSY`)).toEqual([{ kind: 'SQL', text }]);
});

test('the texts of a body are its strings, however deep', () => {
  expect(textsIn('a')).toBe('a');
  expect(textsIn({ a: ['b', 1, null, { c: 'd' }], e: true })).toBe('b\n\n\nd\n');
  expect(textsIn(5)).toBe('');
});

test('a finding shows at most 200 characters of a value', () => {
  expect(shown('x'.repeat(198))).toBe(`"${'x'.repeat(198)}"`);
  expect(shown('x'.repeat(199))).toBe(`"${'x'.repeat(199)}…`);
  expect(shown(undefined)).toBe('missing');
});
