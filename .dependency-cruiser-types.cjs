/** The graph with `import type` in it, which .dependency-cruiser.cjs leaves out: looked at for circles only. */
module.exports = {
  forbidden: [
    {
      name: 'no-type-cycles',
      comment: 'Two files that describe each other are one thing, or what both need belongs into a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...require('./.dependency-cruiser.cjs').options, tsPreCompilationDeps: true },
};
