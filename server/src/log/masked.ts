/** Masks API keys, tokens (JWT), `zugang`, and the user and password of an address anywhere in a text. */
export function masked(text: string): string {
  return text
    .replace(/ppk_[\w-]+/g, 'ppk_***')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***')
    .replace(/(zugang=)[^&\s"']+/gi, '$1***')
    .replace(/(\w:\/\/)[^\s/?#]*@/g, '$1***@');
}
