import { canonicalUri } from '@parley/mcp/address'

import type { ServerDocument } from './server-document.ts'

/** The document of a stored version. */
export function readDocument(text: string): ServerDocument {
  return JSON.parse(text) as ServerDocument // it was validated before it was stored
}

/** URLs of remotes, each once: as they are written, and in the one spelling by which they are compared. */
export function remoteUrls({ remotes = [] }: ServerDocument): readonly string[] {
  return [
    ...new Set(
      remotes.flatMap(({ url }) => (url === undefined ? [] : [url, canonicalRemote(url) ?? url])),
    ),
  ]
}

/** The same for every spelling of an address: case and port of the host, percent codes, a slash at the end. Variables are alike, whatever they are called. */
function canonicalRemote(template: string): string | undefined {
  const plain = template
    .replace(/#.*$/s, '')
    .replaceAll(/:\{[a-zA-Z_][\w-]*\}(?=[/?]|$)/g, ':1')
    .replaceAll(/\{[a-zA-Z_][\w-]*\}/g, 'x-variable-x')
  return canonicalUri(plain)?.replace(/\/+(?=\?|$)/, '')
}

/** What substrings are looked for in. */
export function haystackOf({ name, description }: ServerDocument): string {
  return `${name}\n${description}`.toLowerCase()
}
