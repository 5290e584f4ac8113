/**
 * One of our own pages, read without going there. An XMLHttpRequest, since it makes a document whose scripts don't run,
 * which `require-trusted-types-for` allows nothing else to do.
 *
 * @param {string} url
 * @param {{ form?: FormData, signal?: AbortSignal }} [options] with a form, it is posted
 * @returns {Promise<{ page: Document, url: string }>} where redirects led to; rejected when there was no page
 */
export function fetchPage(url, { form, signal } = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new Error(`no page: ${request.status}`));
    request.open(form ? 'POST' : 'GET', url);
    request.responseType = 'document';
    request.timeout = 20_000;
    request.onload = () =>
      request.responseXML && request.status < 500
        ? resolve({ page: request.responseXML, url: request.responseURL })
        : fail();
    request.onerror = request.ontimeout = request.onabort = fail;
    signal?.addEventListener('abort', () => request.abort());
    request.send(form && fieldsOf(form));
  });
}

/**
 * What a form sends, as far as it is text; ours has no files.
 * @param {FormData} data
 */
export function fieldsOf(data) {
  const fields = new URLSearchParams();
  for (const [name, value] of data) if (typeof value === 'string') fields.append(name, value);
  return fields;
}
