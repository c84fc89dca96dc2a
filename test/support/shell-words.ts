/** The words of a simple command line as a shell splits them: quotes hold spaces, and nothing else is special. */
export function shellWords(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_all, single, double) => single ?? double),
  );
}
