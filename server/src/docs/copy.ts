import { createHash } from 'node:crypto';

/** Adds a copy button to each example. Browsers offer the clipboard only to https. */
export const copyScript = `
if (navigator.clipboard) for (const shown of document.querySelectorAll('figure.shown')) {
  const caption = shown.querySelector('figcaption');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + caption.textContent);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(shown.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  caption.append(button);
}
`;

/** Allows this script alone in the content security policy of the pages. */
export const copyPolicy = `script-src 'sha256-${createHash('sha256').update(copyScript).digest('base64')}'`;
