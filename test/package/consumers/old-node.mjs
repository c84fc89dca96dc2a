/** Calls the functions of the packages that need a newer Node, and prints their errors: node old-node.mjs <package> */
const failed = (call) =>
  call().then(
    () => 'no error',
    ({ message }) => message,
  );

const calls = {
  server: async () => {
    const { startSandbox, startServer } = await import('@product-passport/server/testing');
    const { openDatabase } = await import('@product-passport/server');
    return [startSandbox, startServer, () => openDatabase(':memory:')];
  },
  contracts: async () => {
    const { verify } = await import('@product-passport/contracts');
    return [() => verify({ provider: { base_url: 'http://127.0.0.1:9/api/v1' } })];
  },
};
const [, , name] = process.argv;
process.stdout.write(JSON.stringify(await Promise.all((await calls[name]()).map(failed))));
