import { registerHooks } from 'node:module';

/**
 * Loaded before a process of ours (`node --import`), for the benchmark alone: gives it the modules beside this one in place
 * of those that WITHOUT names, `log`, `sealing` and `lock`.
 */
const without = (process.env['WITHOUT'] ?? '').split(',');
const here = import.meta.dirname;
registerHooks({
  resolve(specifier, context, next) {
    const isOurs = !(context.parentURL ?? '').includes(here);
    for (const [name, file] of [
      ['log', 'access-log.ts'],
      ['sealing', 'sealing.ts'],
      ['lock', 'as-partner.ts'],
    ] as const)
      if (isOurs && without.includes(name) && specifier.endsWith(`/${file}`))
        return next(`./${file}`, { ...context, parentURL: import.meta.url });
    return next(specifier, context);
  },
});
