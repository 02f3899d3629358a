import type { ServerDocument } from './server-document.ts'

/** The document of a stored version. */
export function readDocument(text: string): ServerDocument {
  return JSON.parse(text) as ServerDocument // it was validated before it was stored
}

/** URLs of remotes, each once. */
export function remoteUrls({ remotes = [] }: ServerDocument): readonly string[] {
  return [...new Set(remotes.flatMap(({ url }) => (url === undefined ? [] : [url])))]
}

/** What substrings are looked for in. */
export function haystackOf({ name, description }: ServerDocument): string {
  return `${name}\n${description}`.toLowerCase()
}
