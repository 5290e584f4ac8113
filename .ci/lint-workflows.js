/** A module of the workflows is read once for all cases that a worker has (src/worker/workflow-bundle.ts). */
const keepsNothing = {
  create: (context) => ({
    Program({ body }) {
      for (const node of body) {
        const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
        if (declaration?.type !== 'VariableDeclaration') continue;
        for (const kept of declaration.declarations)
          if (declaration.kind === 'let' || kept.init?.type === 'NewExpression')
            context.report({
              node: kept,
              message: 'all cases would share it: what a case knows is in its functions',
            });
      }
    },
  }),
};

export default { meta: { name: 'workflows' }, rules: { 'keeps-nothing': keepsNothing } };
