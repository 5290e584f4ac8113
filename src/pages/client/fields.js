/**
 * What a form sends, as far as it is text; ours has no files.
 * @param {FormData} data
 */
export function fieldsOf(data) {
  const fields = new URLSearchParams();
  for (const [name, value] of data) if (typeof value === 'string') fields.append(name, value);
  return fields;
}
