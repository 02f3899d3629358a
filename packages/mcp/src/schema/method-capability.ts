import type { ServerCapabilities } from './capabilities.ts'

/** The server capability behind each method that needs one. */
const capabilities = new Map<string, keyof ServerCapabilities>([
  ['tools/list', 'tools'],
  ['tools/call', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
  ['resources/read', 'resources'],
  ['resources/subscribe', 'resources'],
  ['resources/unsubscribe', 'resources'],
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
  ['completion/complete', 'completions'],
  ['logging/setLevel', 'logging'],
])

/** What a server must have declared before a method may be used; undefined if nothing. */
export function capabilityFor(method: string): keyof ServerCapabilities | undefined {
  return capabilities.get(method)
}
