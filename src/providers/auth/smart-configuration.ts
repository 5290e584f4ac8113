import { z } from 'zod';
import { ProviderUnavailable } from '../port.ts';

const smartConfiguration = z.looseObject({ token_endpoint: z.url({ protocol: /^https?$/ }) });

/**
 * Asks a FHIR server where its tokens come from (SMART App Launch, "Conformance").
 *
 * @throws ProviderUnavailable when it does not say, or sends us from https:// to http://
 */
export async function discoverTokenUrl(baseUrl: string, timeoutMs: number): Promise<string> {
  const unavailable = (what: string) => new ProviderUnavailable(`.well-known/smart-configuration: ${what}`);
  const url = `${baseUrl.replace(/\/$/, '')}/.well-known/smart-configuration`;
  let body: unknown;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw unavailable(`HTTP ${response.status}`);
    }
    body = await response.json();
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw unavailable(error instanceof SyntaxError ? 'no JSON' : 'no answer');
  }
  const found = smartConfiguration.safeParse(body);
  if (!found.success) throw unavailable('without a token_endpoint');
  const { token_endpoint: tokenUrl } = found.data;
  if (baseUrl.startsWith('https:') && !tokenUrl.startsWith('https:'))
    throw unavailable('its token_endpoint has no https:// address');
  return tokenUrl;
}
