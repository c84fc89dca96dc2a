/** Our rules as a plugin of Redocly, so that one command checks the contract whole. */
import { rootOf } from './place.ts';
import { type Rule, rules } from './rules.ts';

interface Location {
  child(steps: readonly string[]): Location;
}

interface Context {
  readonly location: Location;
  report(problem: { readonly message: string; readonly location: Location }): void;
}

function asVisitor(rule: Rule) {
  return () => ({
    Root: {
      enter(document: unknown, context: Context): void {
        for (const { at, message } of rule(rootOf(document))) {
          context.report({ message, location: context.location.child(at.steps) });
        }
      },
    },
  });
}

export default function contractRules() {
  const visitors = Object.entries(rules).map(([name, rule]) => [name, asVisitor(rule)]);
  return { id: 'contract', rules: { oas3: Object.fromEntries(visitors) } };
}
