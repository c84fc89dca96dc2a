/** Loaded into every program of the bench (`node --import`). It reports the processor time of its process to the bench. */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// A program must not outlive the bench.
process.on('disconnect', () => process.exit());
process.channel?.unref();
