import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { html } from '../../src/pages/html.ts';

describe('the html tag', () => {
  it('escapes text, in content and in attributes', () => {
    const text = `<script>alert("1")</script> & 'x'`;
    expect(String(html`<p title="${text}">${text}</p>`)).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">' +
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
    );
  });

  it('keeps markup that it made', () => {
    const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(String(html`<b>${items}</b>`)).toBe('<b><li>a</li><li>&lt;b&gt;</li></b>');
  });

  it('does not take anything else for markup', () => {
    const forged = { toString: () => '<b>' };
    // @ts-expect-error only its own class counts
    expect(() => String(html`${forged}`)).toThrow();
  });

  it('writes nothing for nothing, and zero for zero', () => {
    expect(String(html`${null}${undefined}${false}${[]}${''}${0}`)).toBe('0');
  });

  it('lets no text through that could end an attribute or open an element', () => {
    fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(String(html`${text}`))));
  });
});
