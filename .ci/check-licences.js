// Whether every package that we install may be used: its licence is one of the list, or it is an exception with a reason.
import { readFile } from 'node:fs/promises';

const read = async (file) => JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8'));
const { allowed, exceptions } = await read('./licences.json');
const { packages } = await read('../package-lock.json');

/** An SPDX expression without brackets inside brackets, which is all that packages have: one side of an OR will do. */
const isAllowed = (expression) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((side) => side.split(' AND ').every((licence) => allowed.includes(licence)));

const found = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, { license = '' }]) => ({ name: path.replace(/^.*node_modules\//, ''), license }));
const refused = found.filter(({ name, license }) => !isAllowed(license) && !(name in exceptions));
const unused = Object.keys(exceptions).filter((name) => !found.some((one) => one.name === name));
for (const { name, license } of refused) console.error(`${name}: ${license || 'no licence'}`);
for (const name of unused) console.error(`${name}: an exception that nothing needs`);
if (found.length === 0 || refused.length + unused.length > 0) process.exitCode = 1;
