import { type Command, Option } from 'commander';
import { type FieldSchema, flagOf, type InputSchema } from '../description.ts';

/** Adds an input's fields to a command: those with a place as arguments, all others as options. */
export function addFields(command: Command, { properties, required = [] }: InputSchema): void {
  for (const [name, field] of Object.entries(properties)) {
    const isRequired = required.includes(name) && field.default === undefined;
    if (field['x-form']?.positional) addArgument(command, name, field, isRequired);
    else addOptions(command, name, field, isRequired);
  }
}

function addArgument(command: Command, name: string, field: FieldSchema, isRequired: boolean): void {
  const shown = field['x-form']?.placeholder ?? name;
  const word = field.type === 'array' ? `${shown}...` : shown;
  command.argument(isRequired ? `<${word}>` : `[${word}]`, field.description ?? '');
}

function addOptions(command: Command, name: string, field: FieldSchema, isRequired: boolean): void {
  const { description = '', type, items, 'x-form': form = {} } = field;
  const flag = flagOf(name);
  if (type === 'boolean') {
    command.option(flag, description);
    if (form.negation !== undefined) command.option(flag.replace('--', '--no-'), form.negation);
    return;
  }
  const isNumber = type === 'integer' || type === 'number';
  const shown = form.placeholder ?? (isNumber ? 'number' : name);
  const isList = type === 'array';
  const mayBeBare = form.prompted === true || form.bare !== undefined;
  const choices = isList ? items?.enum : field.enum;
  const word = isList && choices ? `${shown}...` : shown;
  // said only: the API has it by itself
  const usual =
    field.default === undefined || typeof field.default === 'object' ? '' : ` (default: ${field.default})`;
  const option = new Option(mayBeBare ? `${flag} [${word}]` : `${flag} <${word}>`, description + usual);
  if (choices) option.choices(choices.filter((choice) => choice !== form.bare));
  else if (isList)
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  option.makeOptionMandatory(isRequired);
  command.addOption(option);
}

/**
 * What was typed, as the operation's input. Numbers are read here, and all else is for the API to judge.
 *
 * @param options of the command by their names
 * @param args of the command by their places
 */
export function inputOf(
  { properties }: InputSchema,
  options: Readonly<Record<string, unknown>>,
  args: readonly unknown[],
): Record<string, unknown> {
  const places = Object.keys(properties).filter((name) => properties[name]?.['x-form']?.positional);
  const given = { ...options, ...Object.fromEntries(places.map((name, i) => [name, args[i]])) };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => {
      const value = given[name];
      if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
      return [[name, typed(field, value)]];
    }),
  );
}

function typed({ type, 'x-form': form }: FieldSchema, value: unknown): unknown {
  if (value === true && form?.bare !== undefined) return form.bare;
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
