// Only this repository needs this file, because its SDK is TypeScript. The installed package needs no configuration.
module.exports = {
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
};
