/**
 * An address taken apart; undefined for what is none. Not `URL.canParse`: in Node 20, called often, it begins to refuse
 * addresses with letters such as `ü`.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
