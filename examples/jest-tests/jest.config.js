// For this repository alone, whose SDK is TypeScript. With the installed package Jest needs no configuration.
module.exports = {
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
};
