import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  // scripts for browsers are typed by JSDoc, and held to the same rules
  globalIgnores(['node_modules/', '.dev/', 'coverage/', '**/*.js', '!src/pages/client/*.js', '**/*.cjs']),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      // takes express' own request for something else than an IncomingMessage
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // process.env has one reader, so that a variable can't be needed without being documented
    files: ['src/**/*.ts', 'workflows/**/*.ts', 'activities/**/*.ts'],
    ignores: ['src/config/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'src/config is the only reader' },
      ],
    },
  },
  {
    // read once for all cases that a worker has (src/worker/temporal-workers.ts)
    files: ['workflows/**/*.ts', 'src/domain/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['Program >', 'Program > ExportNamedDeclaration >'].flatMap((atTop) =>
          ['VariableDeclaration[kind="let"]', 'VariableDeclaration > VariableDeclarator > NewExpression'].map(
            (kept) => ({
              selector: `${atTop} ${kept}`,
              message: 'all cases would share it: what a case knows is in its functions',
            }),
          ),
        ),
      ],
    },
  },
  {
    // answers of other systems are any's here, and each look into one is an assertion of its own
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
