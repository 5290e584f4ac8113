/** Circles of types: the graph with `import type` in it, which .dependency-cruiser.cjs leaves out. */
module.exports = {
  forbidden: [
    {
      name: 'no-type-cycles',
      comment: 'Two files that describe each other are one thing, or the types of one belong into a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...require('./.dependency-cruiser.cjs').options, tsPreCompilationDeps: true },
};
