/**
 * Where a program called the SDK. An ArgumentError is made deep inside the SDK, and often after the call has returned:
 * its own stack would not have the line of the program that has to be changed.
 */
export interface CallSite {
  readonly stack?: string;
}

/** The site of the call that is running: keep it for what the call runs later. */
export let callSite: CallSite | undefined;

/** Runs `work` for the call at `site`. The SDK's own functions call each other: the outermost call counts. */
export function runFor<Value>(site: CallSite | undefined, work: () => Value): Value {
  const outer = callSite;
  callSite ??= site;
  try {
    return work();
  } finally {
    callSite = outer;
  }
}

/** Runs `work` for the call of the public function `entry`. */
export function located<Value>(entry: object, work: () => Value): Value {
  const site = {};
  // Not every runtime has it, and TypeScript knows only Node's.
  (Error as { captureStackTrace?: (target: object, entry: object) => void }).captureStackTrace?.(site, entry);
  return runFor(site, work);
}

/** Makes every method of an object, and of its groups of methods, a public function. */
export function locateMethods<Methods extends object>(methods: Methods): Methods {
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method === 'object') locateMethods(method);
    if (typeof method !== 'function') continue;
    const entry = (...args: unknown[]) => located(entry, () => method(...args));
    Reflect.set(methods, name, entry);
  }
  return methods;
}
