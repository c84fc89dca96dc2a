import { createHash } from 'node:crypto';

/** Dynamic imports are supported in test files, not in Jest's own process, which has no outer realm. */
const isCommonJsOfTest = ({ supportsDynamicImport, supportsStaticESM }) => supportsDynamicImport && !supportsStaticESM;

/**
 * Jest loads every package again for each test file. With this transform, the module in the test file's realm only passes on what
 * Node's own loader has loaded, once for each worker. ES modules stay as they are.
 */
export default {
  process: (source, _file, options) => ({
    code: isCommonJsOfTest(options) ? 'module.exports = requireOutside(__filename);' : source,
  }),
  getCacheKey: (source, _file, options) =>
    isCommonJsOfTest(options) ? 'outside' : createHash('sha1').update(source).digest('hex'),
};
