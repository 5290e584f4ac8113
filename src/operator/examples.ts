/** What `--help` shows below a command's options: each line with what it does. */
export const examples = (...lines: readonly (readonly [command: string, what: string])[]): string =>
  `\nExamples:\n${lines.map(([command, what]) => `  # ${what}\n  $ operator ${command}`).join('\n')}`;
