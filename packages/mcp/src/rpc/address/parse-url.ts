/**
 * Parses an address; returns undefined when the text is not a URL. Not `URL.canParse`: in Node 20 it starts to refuse
 * addresses with letters such as `ü` after some thousand calls.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
