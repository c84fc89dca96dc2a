/**
 * Checks the packages of package-lock.json for known vulnerabilities, with the registry's list. Exit codes: 0 for none,
 * 1 for some, 2 if the list could not be reached. Options go to `npm audit`: `npm run audit -- --omit=dev`.
 */
import { spawnSync } from 'node:child_process';

interface Advisory {
  title: string;
  url: string;
}
interface Vulnerability {
  name: string;
  severity: string;
  range: string;
  /** An advisory, or the name of another vulnerable package. */
  via: (Advisory | string)[];
}
type Report = { vulnerabilities: Record<string, Vulnerability> } | { message?: string };

const words = ['audit', '--json', '--package-lock-only', ...process.argv.slice(2)];
const { status, stdout, stderr } = spawnSync('npm', words, { encoding: 'utf8', maxBuffer: 2 ** 26 });

const report = parse(stdout);
if (report && 'vulnerabilities' in report) {
  for (const { name, severity, range, via } of Object.values(report.vulnerabilities)) {
    const reasons = via.map((each) => (typeof each === 'string' ? `through ${each}` : `${each.title} ${each.url}`));
    process.stdout.write(`${severity}: ${name} ${range}: ${reasons.join('; ')}\n`);
  }
  if (status === 0)
    process.stdout.write('No package of the lockfile has a known vulnerability that fails this check.\n');
  process.exitCode = status === 0 ? 0 : 1;
} else {
  process.stderr.write(`Nothing was audited: the registry did not give its advisories (${report?.message || stderr.trim()}).
Run it where \`npm audit\` can reach a registry that has them. npm_config_registry names another registry.\n`);
  process.exitCode = 2;
}

function parse(text: string): Report | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
